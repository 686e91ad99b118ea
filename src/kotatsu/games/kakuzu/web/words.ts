/** Kakuzu in words: cells and facts, in the language on screen. */
import { fill, type Lang } from '$web/i18n/i18n.svelte';
import type { Teller } from '$web/screens/screens';
import { around, columnOf, digitAt, rowOf, type Rows } from './grid';
import en from './texts/en.json';
import fr from './texts/fr.json';
import type { Fact, Lifted } from './wire';

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

export function tell(fact: Fact, { names, yours, lang }: Teller): string | null {
  const words = TEXTS[lang];
  const { told } = words;
  const name = (seat: number) => (seat < 0 ? told.theHouse : (names[seat] ?? String(seat + 1)));
  const mine = (seat: number) => yours.length === 1 && yours.includes(seat);
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
    case 'game_ended': {
      const scores = fact.scores.map((score, seat) => `${name(seat)} ${score}`).join(', ');
      return fill(told.game_ended, { scores });
    }
  }
}

function lifting({ seat, digit, wanted, to }: Lifted, mine: (seat: number) => boolean) {
  if (digit === wanted) return mine(seat) ? 'hitYou' : 'hit';
  if (mine(seat)) return 'missYou';
  return mine(to) ? 'missToYou' : 'miss';
}
