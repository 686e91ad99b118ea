/** Kimono in words: cards, styles and facts, in the language on screen. */
import { fill, t, type Lang } from '$web/i18n/i18n.svelte';
import { isYou } from '$web/kit/seats';
import { seatWords } from '$web/kit/teller';
import { wordFor } from '$web/kit/text';
import type { Teller } from '$web/screens/screens';
import { ACCESSORIES, FABRICS } from './box';
import { worthOf } from './offers';
import en from './texts/en.json';
import fr from './texts/fr.json';
import type { Card, Combine, Fact, KimonoPlace, KimonoView, Style } from './wire';

export type Words = typeof en;
export const TEXTS: Record<Lang, Words> = { en, fr };

/** `crane, 1` */
export function fabricWords(number: number, words: Words): string {
  const fabric = FABRICS[number - 1];
  return fill(words.card, { number, motif: wordFor(words.motifs, fabric?.motif ?? '') });
}

/** Everything a card shows: `1, crane, animal, mark triangle`. */
export function fullWords(card: Card, words: Words): string {
  const fabric = typeof card.fabric === 'number' ? FABRICS[card.fabric - 1] : undefined;
  if (!fabric) {
    const accessory = wordFor(words.accessories, ACCESSORIES[card.accessory ?? 0] ?? '');
    return fill(words.accessory, { accessory });
  }
  return fill(words.cardFull, {
    number: fabric.number,
    motif: wordFor(words.motifs, fabric.motif),
    type: words.types[fabric.type],
    mark: words.marks[fabric.mark],
  });
}

export function cardWords(card: Card, words: Words): string {
  return typeof card.fabric === 'number' ? fabricWords(card.fabric, words) : fullWords(card, words);
}

export const styleName = (style: Style, words: Words): string => words.breakdown[style];

/** A row of the market: its front card, whether it may be taken, and what lies behind it, nearest first. */
export function rowWords(cards: readonly Card[], row: number, may: boolean, words: Words): string {
  const front = cards.at(-1);
  if (!front) return fill(words.emptyRow, { row: row + 1 });
  const behind = cards.slice(0, -1).map((card) => cardWords(card, words));
  const rest = behind.length > 0 ? `; ${fill(words.behind, { cards: behind.toReversed().join('; ') })}` : '';
  return fill(may ? words.takeRow : words.frontRow, { row: row + 1, card: fullWords(front, words) }) + rest;
}

/** A combination somebody with this `place` may lay: its cards, what leads them, and what it brings. */
export function combinationWords(option: Combine, place: KimonoPlace, words: Words): string {
  const cards = place.hand.slice(-option.cards).map((number) => fabricWords(number, words));
  return fill(option.lead ? words.combineLead : words.combineLabel, {
    style: styleName(option.style, words),
    cards: cards.join('; '),
    lead: fabricWords(place.kimono.at(-1) ?? 0, words),
    points: worthOf(option),
  });
}

/** A cell of the board, and by whose hands it has been made. */
export function cellWords(size: number, points: number, makers: readonly string[], words: Words): string {
  return fill(makers.length === 0 ? words.cell : words.cellTaken, { size, points, names: makers.join(', ') });
}

/** What is going on. `task` is what this browser may do, `null` while it waits for somebody. */
export function statusWords(
  view: KimonoView,
  task: 'combine' | 'take' | null,
  yours: readonly number[],
  names: readonly string[],
  words: Words,
): string {
  if (task !== null) return task === 'combine' ? words.yourCombine : words.yourTake;
  if (view.turn === null) return '';
  if (isYou(view.turn, yours)) return t('table.yourTurn');
  return fill(view.combining ? words.othersCombine : words.othersTake, { name: names[view.turn] ?? '' });
}

export function tell(fact: Fact, { names, yours, lang }: Teller): string {
  const words = TEXTS[lang];
  const { told } = words;
  const { name, mine, figures } = seatWords(names, yours);
  switch (fact.fact) {
    case 'market_dealt':
      return fill(told.market_dealt, { round: fact.round, first: name(fact.first) });
    case 'took': {
      const card = cardWords(fact.card, words);
      return fill(mine(fact.seat) ? told.tookYou : told.took, { name: name(fact.seat), card });
    }
    case 'combined': {
      const cards = fact.cards.join('-');
      const style = styleName(fact.style, words);
      const [text, ofYou] = fact.lead ? [told.added, told.addedYou] : [told.combined, told.combinedYou];
      return fill(mine(fact.seat) ? ofYou : text, {
        name: name(fact.seat),
        cards,
        style,
        points: fact.points,
      });
    }
    case 'skipped':
      return fill(mine(fact.seat) ? told.skippedYou : told.skipped, { name: name(fact.seat) });
    case 'round_ended':
      return fill(told.round_ended, { round: fact.round, count: fact.discarded.length });
    case 'game_ended':
      return fill(told.game_ended, { scores: figures(fact.scores) });
  }
}
