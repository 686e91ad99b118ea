/** Time that is left, on the clock of `performance.now()`, in milliseconds unless said otherwise. */

/** How long it is until `due`; never less than nothing. */
export const msLeft = (due: number, now: number): number => Math.max(0, due - now);

/** The same in whole seconds: the last one counts until it is over. */
export const secondsLeft = (due: number, now: number): number => Math.ceil(msLeft(due, now) / 1000);

/** How much of `seconds` is left, between 0 and 1. */
export const shareLeft = (due: number, now: number, seconds: number): number =>
  Math.min(1, msLeft(due, now) / 1000 / seconds);

/** `4:07`, as a clock shows it: the last second counts until it is over. */
export function clockFace(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
