/** Kimono in words: cards, styles and facts, in the language on screen. */
import { fill, type Lang } from '$web/i18n/i18n.svelte';
import type { Teller } from '$web/screens/screens';
import { ACCESSORIES, FABRICS } from './box';
import en from './texts/en.json';
import fr from './texts/fr.json';
import type { Card, Fact, Style } from './wire';

export type Words = typeof en;
export const TEXTS: Record<Lang, Words> = { en, fr };

const word = (words: Record<string, string>, key: string): string => words[key] ?? key;

/** `crane, 1` */
export function fabricWords(number: number, words: Words): string {
  const fabric = FABRICS[number - 1];
  return fill(words.card, { number, motif: word(words.motifs, fabric?.motif ?? '') });
}

/** Everything a card shows: `1, crane, animal, mark triangle`. */
export function fullWords(card: Card, words: Words): string {
  const fabric = typeof card.fabric === 'number' ? FABRICS[card.fabric - 1] : undefined;
  if (!fabric) {
    const accessory = word(words.accessories, ACCESSORIES[card.accessory ?? 0] ?? '');
    return fill(words.accessory, { accessory });
  }
  return fill(words.cardFull, {
    number: fabric.number,
    motif: word(words.motifs, fabric.motif),
    type: words.types[fabric.type],
    mark: words.marks[fabric.mark],
  });
}

export function cardWords(card: Card, words: Words): string {
  return typeof card.fabric === 'number' ? fabricWords(card.fabric, words) : fullWords(card, words);
}

export const styleName = (style: Style, words: Words): string => words.breakdown[style];

export function tell(fact: Fact, { names, yours, lang }: Teller): string {
  const words = TEXTS[lang];
  const { told } = words;
  const name = (seat: number) => names[seat] ?? String(seat + 1);
  const mine = (seat: number) => yours.length === 1 && yours.includes(seat);
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
      return fill(told.game_ended, {
        scores: fact.scores.map((score, seat) => `${name(seat)} ${score}`).join(', '),
      });
  }
}
