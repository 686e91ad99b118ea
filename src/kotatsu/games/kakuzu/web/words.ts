/** Kakuzu in words: cells and facts, in the language on screen. */
import { fill, type Lang } from '$web/i18n/i18n.svelte';
import { seatWords } from '$web/kit/teller';
import type { Teller } from '$web/screens/screens';
import { around, columnOf, digitAt, rowOf, type Rows } from './grid';
import en from './texts/en.json';
import fr from './texts/fr.json';
import type { Fact, KakuzuView, Lifted, ReviewedLift } from './wire';

export type Words = typeof en;
export const TEXTS: Record<Lang, Words> = { en, fr };

/** `row 4, column 7`, counted from 1 as people do. */
export function cellName(cell: number, words: Words): string {
  return fill(words.cell, { row: rowOf(cell) + 1, column: columnOf(cell) + 1 });
}

/** A cell for a screen reader: what it is, and what lies open around a stone. */
export function cellWords(visible: Rows, cell: number, marks: readonly number[], words: Words): string {
  const place = { row: rowOf(cell) + 1, column: columnOf(cell) + 1 };
  const digit = digitAt(visible, cell);
  if (digit > 0) return fill(words.open, { ...place, digit });
  const list = (digits: readonly number[]) => ({ digits: digits.join(', ') || words.none });
  const { row, column, square } = around(visible, cell);
  return [
    fill(words.stone, place),
    ...(marks.length > 0 ? [fill(words.marked, list(marks))] : []),
    fill(words.inRow, list(row)),
    fill(words.inColumn, list(column)),
    fill(words.inSquare, list(square)),
  ].join(' ');
}

/** What this browser does besides: it matters more than whose turn it is. */
export interface Doing {
  /** The lift the review stands before. */
  looked: ReviewedLift | null;
  /** The digit the pencil writes. */
  pencil: number | null;
  /** The seat of this browser that may move. */
  acting: number | null;
  /** The stone a finger has chosen. */
  armed: number | null;
  /** What the latest stone brought to light. */
  found: Lifted | null;
}

/** What is going on. */
export function statusWords(view: KakuzuView, doing: Doing, names: readonly string[], words: Words): string {
  const { looked, pencil, acting, armed, found } = doing;
  const say = words.status;
  if (looked) return fill(say.find, { name: names[looked.seat] ?? '', digit: looked.wanted });
  if (view.result) {
    const winners = view.result.winners.map((seat) => names[seat] ?? '');
    const list = new Intl.ListFormat(words.locale).format(winners);
    return fill(winners.length > 0 ? say.won : say.houseWon, { names: list });
  }
  if (pencil !== null) return fill(say.pencil, { digit: pencil });
  const name = view.turn === null ? '' : (names[view.turn] ?? '');
  const you = acting !== null;
  if (view.wanted === 0) return fill(say.zero, { name });
  if (armed !== null && you) return say.tapAgain;
  if (found && found.seat === view.turn && view.wanted === null && !you)
    return fill(found.digit === found.wanted ? say.hit : say.miss, { digit: found.digit });
  if (view.phase === 'opening') return you ? say.openYou : fill(say.open, { name });
  if (view.wanted !== null) return fill(you ? say.findYou : say.find, { name, digit: view.wanted });
  if (view.options.announce) return you ? say.nameYou : fill(say.name, { name });
  return say.wait;
}

/** How this table plays differently from the plain game. */
export function variantWords({ options, stones }: KakuzuView, { variants }: Words): string[] {
  return [
    ...(options.same_digit ? [variants.same_digit] : []),
    ...(options.announce ? [variants.announce] : []),
    ...(options.clock_s > 0 ? [variants.clock] : []),
    ...(stones.length === 1 ? [variants.solo] : []),
  ];
}

export function tell(fact: Fact, { names, yours, lang }: Teller): string | null {
  const words = TEXTS[lang];
  const { told } = words;
  const { name: nameOf, mine, figures } = seatWords(names, yours);
  const name = (seat: number) => (seat < 0 ? told.theHouse : nameOf(seat));
  const cell = ([row, column]: [number, number]) => fill(words.cell, { row: row + 1, column: column + 1 });
  switch (fact.fact) {
    case 'dealt':
      return fill(told.dealt, { name: name(fact.first) });
    case 'opened': {
      const text = mine(fact.seat) ? told.openedYou : told.opened;
      return fill(text, { name: name(fact.seat), cell: cell(fact.cell), digit: fact.digit });
    }
    case 'drew':
      return fill(mine(fact.seat) ? told.drewYou : told.drew, { name: name(fact.seat), digit: fact.digit });
    case 'announced': {
      const text = mine(fact.seat) ? told.announcedYou : told.announced;
      return fill(text, { name: name(fact.seat), digit: fact.digit });
    }
    case 'lifted': {
      const { seat, digit, wanted, to } = fact;
      const values = { name: name(seat), cell: cell(fact.cell), digit, wanted, to: name(to) };
      return fill(told[lifting(fact, mine)], values);
    }
    case 'retired':
      return fill(told.retired, { digit: fact.digit });
    case 'time_spent':
      return null;
    case 'turn_ended': {
      const text = mine(fact.seat) ? told.endedYou : told.ended;
      return fill(text[fact.cause], { name: name(fact.seat) });
    }
    case 'game_ended':
      return fill(told.game_ended, { scores: figures(fact.scores) });
  }
}

function lifting({ seat, digit, wanted, to }: Lifted, mine: (seat: number) => boolean) {
  if (digit === wanted) return mine(seat) ? 'hitYou' : 'hit';
  if (mine(seat)) return 'missYou';
  return mine(to) ? 'missToYou' : 'miss';
}
