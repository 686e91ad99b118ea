/** Mouse, fingers and keys of the page, handed to the board. */
import type { Board } from './board/board';

export interface Pointed {
  canvas: () => HTMLElement | undefined;
  board: Board;
}

/**
 * What points at the table is heard before the camera hears of it, and only passed on if it is not about a piece or a
 * catapult. An action for the element around the canvas.
 */
export function pointers(node: HTMLElement, { canvas, board }: Pointed) {
  const take = (event: Event, mine: boolean | undefined) => {
    if (!mine) return;
    event.stopPropagation();
    if (event.type === 'wheel') event.preventDefault();
    canvas()?.focus({ preventScroll: true });
  };
  const onCanvas = (event: Event) => event.target === canvas();
  const heard: [string, (event: never) => void][] = [
    ['pointerdown', (event: PointerEvent) => onCanvas(event) && take(event, board.pointing?.down(event))],
    ['pointermove', (event: PointerEvent) => onCanvas(event) && board.pointing?.move(event)],
    ['pointerup', (event: PointerEvent) => board.pointing?.up(event)],
    ['pointercancel', () => board.pointing?.cancel()],
    ['mousedown', (event: MouseEvent) => board.pointing?.otherButton(event)],
    // A button that was clicked must not keep the keys that shoot and build.
    ['click', (event: MouseEvent) => event.detail > 0 && canvas()?.focus({ preventScroll: true })],
    ['wheel', (event: WheelEvent) => onCanvas(event) && take(event, board.pointing?.wheel(event))],
  ];
  for (const [kind, hear] of heard)
    node.addEventListener(kind, hear as EventListener, { capture: true, passive: false });
  return {
    destroy: () => {
      for (const [kind, hear] of heard)
        node.removeEventListener(kind, hear as EventListener, { capture: true });
    },
  };
}

/** A key was pressed somewhere on the page; it is the board's unless somebody writes, or is asked something. */
export function keyDown(event: KeyboardEvent, board: Board): void {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  const { target } = event;
  if (target instanceof HTMLElement) {
    if (target.closest('input, select, textarea')) return;
    if (target.closest('button, a') && (event.key === ' ' || event.key === 'Enter')) return;
  }
  if (board.press(event, performance.now() / 1000)) event.preventDefault();
}
