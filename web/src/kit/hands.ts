/** Whether this visitor last used the keyboard or pointed at something: only the former are led by the focus. */
let typing = false;

export const isTyping = (): boolean => typing;

if (typeof document !== 'undefined') {
  document.addEventListener('keydown', () => (typing = true), true);
  document.addEventListener('pointerdown', () => (typing = false), true);
}
