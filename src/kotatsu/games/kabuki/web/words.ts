/** Kabuki in words, in the language on screen. */
import { fill, type Lang } from '$web/i18n/i18n.svelte';
import type { Teller } from '$web/screens/screens';
import { MASKS } from './box';
import en from './texts/en.json';
import fr from './texts/fr.json';
import type { Check, Fact } from './wire';

export type Words = typeof en;
export const TEXTS: Record<Lang, Words> = { en, fr };

const word = (words: Record<string, string>, mask: number): string => {
  const key = MASKS[mask] ?? '';
  return words[key] ?? key;
};

/** `Fox` */
export const maskName = (mask: number, words: Words): string => word(words.masks, mask);
/** `the fox` */
export const theMask = (mask: number, words: Words): string => word(words.theMasks, mask);

/** One form for one, another for more. */
export const counted = (forms: string[], count: number): string =>
  fill(forms[count === 1 ? 0 : 1] ?? '', { count });

/** What a call came to. */
export function ruling(
  { seat, against, matches, tokens }: Omit<Check, 'masks' | 'stack'>,
  names: string[],
  words: Words,
): string {
  const name = names[seat] ?? '';
  if (matches === 0) return fill(words.wrong, { name });
  const values = { name, against: names[against] ?? '', tokens: counted(words.tokens, tokens) };
  return fill(matches === 1 ? words.right : words.rightMore, { ...values, matches });
}

/**
 * One line of the log. It never names a mask: the log would remember for the player what the game
 * asks them to remember (KB-22). The board itself says what lies open.
 */
export function tell(fact: Fact, { names, lang }: Teller): string | null {
  const words = TEXTS[lang];
  const { told } = words;
  const name = (seat: number) => names[seat] ?? String(seat + 1);
  const table = (figures: number[]) => figures.map((figure, seat) => `${name(seat)} ${figure}`).join(', ');
  switch (fact.fact) {
    case 'round_started':
      return fill(told.round_started, { round: fact.round, name: name(fact.first) });
    case 'stopped':
      return `${fill(told.stopped, { name: name(fact.seat) })} ${ruling(fact, names, words)}`;
    case 'round_ended': {
      const text = fact.cause === 'tokens' ? told.endedByTokens : told.endedByDeck;
      return fill(text, { name: name(fact.by), scores: table(fact.tokens) });
    }
    case 'game_ended':
      return fill(told.game_ended, { scores: table(fact.scores) });
    default:
      return null;
  }
}
