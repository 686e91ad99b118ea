/** Whether and how fast things move. People who ask for less motion get none, only short pauses. */

const LESS = '(prefers-reduced-motion: reduce)';
const BETWEEN_FACTS = 260;
const BETWEEN_FACTS_STILL = 60;

/** Nothing moves for those who asked for that, nor in a page nobody looks at. */
export function still(): boolean {
  return document.hidden || matchMedia(LESS).matches;
}

/** The more steps wait behind this one, the quicker they go. */
export function haste(waiting: number): number {
  return 1 / (1 + Math.max(0, waiting - 2) / 3);
}

export function pauseBetweenFacts(waiting: number): Promise<void> {
  if (document.hidden) return Promise.resolve();
  const pause = matchMedia(LESS).matches ? BETWEEN_FACTS_STILL : BETWEEN_FACTS;
  return new Promise((done) => setTimeout(done, pause * haste(waiting)));
}
