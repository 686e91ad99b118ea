/** What keys mean on a board, worked out without a page. */

/** The part of a `KeyboardEvent` that says whether a modifier is held. */
export interface Modifiers {
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Whether a key belongs to the browser or the system rather than to a game. */
export const isModified = ({ ctrlKey, metaKey, altKey }: Modifiers): boolean => ctrlKey || metaKey || altKey;

/** The digit a key stands for; `null` for every other key. */
export const digitOf = (key: string): number | null => (/^\d$/.test(key) ? Number(key) : null);

const STEPS: Record<string, 1 | -1> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Where an arrow key leads in a row of `count` things that closes to a ring, from number `at`;
 * `null` for other keys, and where there is nothing to go to.
 */
export function stepAround(key: string, at: number, count: number): number | null {
  const step = STEPS[key];
  return step === undefined || count === 0 ? null : (at + step + count) % count;
}
