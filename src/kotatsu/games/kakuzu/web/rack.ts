/** The ten digits: where each of them is just now. */
import { fill } from '$web/i18n/i18n.svelte';
import { countOf, DIGITS } from './grid';
import type { KakuzuView } from './wire';
import type { Words } from './words';

/** In the bag, out of it until the turn ends, all nine found, or (where there is no bag) to be named. */
export type DigitState = 'bag' | 'drawn' | 'retired' | 'name';

/** The digits on the rack: without a bag there is no zero to draw. */
export const rackDigits = ({ options }: KakuzuView): number[] => (options.announce ? DIGITS : [0, ...DIGITS]);

export function digitState({ retired, options, drawn }: KakuzuView, digit: number): DigitState {
  if (retired.includes(digit)) return 'retired';
  if (options.announce) return 'name';
  return drawn.includes(digit) ? 'drawn' : 'bag';
}

/** Where a digit is, and how many of it are found. */
export function digitWords(view: KakuzuView, digit: number, words: Words): string {
  const state = digitState(view, digit);
  if (digit === 0) return words.zeroState[state === 'bag' ? 'bag' : 'drawn'];
  return fill(words.digitState[state], { digit, count: countOf(view.visible, digit) });
}

/** What stands below a digit: how many of it are found; nothing below the zero. */
export function foundWords(view: KakuzuView, digit: number): string {
  if (digit === 0) return '';
  return view.retired.includes(digit) ? '✓' : `${countOf(view.visible, digit)}/9`;
}
