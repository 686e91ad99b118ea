/** How a game ended, in words and figures. */
import { t } from '../i18n/i18n.svelte';
import type { Outcome } from '../protocol/wire';
import { isYou } from './seats';

/** Who won, in a sentence; to the only player of this browser as “you”. Where nobody did: that it is over. */
export function victoryWords(
  winners: readonly number[],
  names: readonly string[],
  yours: readonly number[] = [],
): string {
  const [first] = winners;
  if (first === undefined) return t('result.title');
  const called = winners.map((seat) => names[seat] ?? String(seat + 1));
  if (called.length > 1) return t('result.shared', { names: called.join(` ${t('result.and')} `) });
  if (isYou(first, yours)) return t('result.youWon');
  return t('result.won', { name: called[0] ?? '' });
}

/** The parts of the score that brought anybody anything, in the game's order. */
export function partsOf(breakdown: Outcome['breakdown']): string[] {
  return Object.keys(breakdown[0] ?? {}).filter((part) => breakdown.some((points) => points[part] !== 0));
}
