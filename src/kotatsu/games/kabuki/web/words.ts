/** Kabuki in words, in the language on screen. */
import { fill, type Lang } from '$web/i18n/i18n.svelte';
import { isYou } from '$web/kit/seats';
import { seatWords } from '$web/kit/teller';
import { counted, wordFor } from '$web/kit/text';
import type { Receipt } from '$web/protocol/wire';
import type { Teller } from '$web/screens/screens';
import { MASKS } from './box';
import type { Scene } from './film';
import en from './texts/en.json';
import fr from './texts/fr.json';
import type { Check, Fact, KabukiView } from './wire';

export type Words = typeof en;
export const TEXTS: Record<Lang, Words> = { en, fr };

/** `Fox` */
export const maskName = (mask: number, words: Words): string => wordFor(words.masks, MASKS[mask] ?? '');
/** `the fox` */
export const theMask = (mask: number, words: Words): string => wordFor(words.theMasks, MASKS[mask] ?? '');

/** What is going on. */
export function statusWords(
  view: KabukiView,
  yours: readonly number[],
  names: readonly string[],
  words: Words,
): string {
  const drawn = view.drawn === null ? '' : theMask(view.drawn, words);
  const holder = isYou(view.turn, yours);
  const name = (seat: number) => names[seat] ?? '';
  if (view.result) return words.ended;
  if (view.check) return fill(words.checking, { name: name(view.check.seat) });
  if (view.phase === 'window') {
    const mayCall = view.callers.some((seat) => yours.includes(seat));
    if (view.drawn === null) return words.lastMask;
    if (mayCall && view.placed) return fill(words.theirWait, { mask: theMask(view.placed.mask, words) });
    if (holder) return fill(words.yourWait, { mask: drawn });
    return view.placed && !yours.includes(view.placed.seat) ? words.othersCall : words.ownMask;
  }
  if (view.turn === null) return fill(words.curtain, { round: view.round });
  return holder
    ? fill(words.yourPlace, { mask: drawn })
    : fill(words.theirPlace, { mask: drawn, name: name(view.turn) });
}

/** What lies open and can be seen by everyone now: a checked stack, else the mask placed last and the drawn one. */
export function openWords(
  view: KabukiView,
  yours: readonly number[],
  names: readonly string[],
  words: Words,
): string {
  if (view.check) return view.check.masks.map((mask) => maskName(mask, words)).join(', ');
  const told: string[] = [];
  if (view.placed) {
    const { seat, mask, stack } = view.placed;
    told.push(
      fill(words.saidPlaced, { name: names[seat] ?? '', mask: theMask(mask, words), number: stack + 1 }),
    );
  }
  if (view.drawn !== null) {
    const text = isYou(view.turn, yours) ? words.saidDrewYou : words.saidDrew;
    told.push(fill(text, { name: names[view.turn ?? -1] ?? '', mask: theMask(view.drawn, words) }));
  }
  return told.join(' ');
}

/** What a call came to. */
export function ruling(
  { seat, against, matches, tokens }: Omit<Check, 'masks' | 'stack'>,
  names: readonly string[],
  words: Words,
): string {
  const name = names[seat] ?? '';
  if (matches === 0) return fill(words.wrong, { name });
  const values = { name, against: names[against] ?? '', tokens: counted(words.tokens, tokens) };
  return fill(matches === 1 ? words.right : words.rightMore, { ...values, matches });
}

/** The ruling on who pressed first, in a sentence. */
export function receiptWords(
  { decided_by, seat, margin_ms }: Receipt,
  names: readonly string[],
  words: Words,
): string {
  const text = { alone: words.receiptAlone, time: words.receiptTime, seat: words.receiptSeat }[decided_by];
  return fill(text, { name: names[seat] ?? '', margin: margin_ms });
}

/** The figures of each press: when it arrived, the lag allowed for, when it counts from, and how far behind. */
export function pressFigures({ presses }: Receipt, words: Words): { seat: number; figures: string[] }[] {
  const ms = (count: number) => fill(words.ms, { count }).replace('-', '−');
  return presses.map(({ seat, arrived_ms, allowed_ms, effective_ms, behind_ms }) => ({
    seat,
    figures: [ms(arrived_ms), ms(-allowed_ms), ms(effective_ms), behind_ms ? `+${ms(behind_ms)}` : '–'],
  }));
}

/** A placement of the memory film, the `index`th of `total`. */
export function momentWords(
  { seat, mask, stack }: Scene,
  index: number,
  total: number,
  names: readonly string[],
  words: Words,
): string {
  return fill(words.filmMoment, {
    number: index + 1,
    total,
    name: names[seat] ?? '',
    mask: theMask(mask, words),
    stack: stack + 1,
  });
}

/** What became of a placement. */
export function cameWords({ kind, caller, tokens }: Scene, names: readonly string[], words: Words): string {
  const text = {
    fresh: words.filmFresh,
    right: words.filmRight,
    wrong: words.filmWrong,
    missed: words.filmMissed,
  }[kind];
  return fill(text, { caller: names[caller ?? -1] ?? '', tokens: counted(words.tokens, tokens) });
}

/**
 * One line of the log. It never names a mask: the log would remember for the player what the game
 * asks them to remember (KB-22). The board itself says what lies open.
 */
export function tell(fact: Fact, { names, yours, lang }: Teller): string | null {
  const words = TEXTS[lang];
  const { told } = words;
  const { name, figures } = seatWords(names, yours);
  switch (fact.fact) {
    case 'round_started':
      return fill(told.round_started, { round: fact.round, name: name(fact.first) });
    case 'stopped':
      return `${fill(told.stopped, { name: name(fact.seat) })} ${ruling(fact, names, words)}`;
    case 'round_ended': {
      const text = fact.cause === 'tokens' ? told.endedByTokens : told.endedByDeck;
      return fill(text, { name: name(fact.by), scores: figures(fact.tokens) });
    }
    case 'game_ended':
      return fill(told.game_ended, { scores: figures(fact.scores) });
    default:
      return null;
  }
}
