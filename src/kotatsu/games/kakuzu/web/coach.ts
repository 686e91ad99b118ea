/** What the coach says (`coach.py`), and where on the board it points. */
import { ask } from '$web/protocol/api';
import { fill } from '$web/i18n/i18n.svelte';
import { ALL, cellAt, columnOf, rowOf, squareOf, type Rows } from './grid';
import type { Deduction, Hint, Review, ReviewedLift, DeductionStep, Unit } from './wire';
import { cellName, type Words } from './words';

type Cell = [number, number];

const at = (table: string) => `/api/tables/${encodeURIComponent(table)}`;

export const askHint = (table: string, seat: number): Promise<Hint> =>
  ask<Hint>(`${at(table)}/hint?seat=${seat}`);

export const askReview = (table: string): Promise<Review> => ask<Review>(`${at(table)}/review`);

/** How a cell is lit: the style's name by cell. */
export type Lit = ReadonlyMap<number, string>;

const number = ([row, column]: Cell): number => cellAt(row, column);

function cellsOf({ kind, index }: Unit): number[] {
  const line = { row: rowOf, column: columnOf, square: squareOf }[kind];
  return ALL.filter((cell) => line(cell) === index);
}

/** Light up a deduction, or one step of it: the later a style is set, the more it matters. */
export function litDeduction(deduction: Deduction, only: DeductionStep | null): Map<number, string> {
  const lit = new Map<number, string>();
  const steps = only ? [only] : deduction.steps;
  for (const { unit } of steps) if (unit) for (const cell of cellsOf(unit)) lit.set(cell, 'area');
  for (const { cells } of steps) for (const cell of cells) lit.set(number(cell), 'about');
  for (const cell of placedBefore(deduction, only).keys()) lit.set(cell, 'about');
  for (const { because } of steps) for (const cell of because) lit.set(number(cell), 'because');
  return lit.set(number(deduction.cell), 'certain');
}

const SINGLES = ['hidden_single', 'naked_single', 'elimination'];

/** What a deduction has already placed before one of its steps: digits to imagine on their stones. */
export function placedBefore({ steps }: Deduction, step: DeductionStep | null): Map<number, number> {
  const placed = new Map<number, number>();
  for (const each of step ? steps.slice(0, steps.indexOf(step)) : []) {
    const [cell, digit] = [each.cells[0], each.digits[0]];
    if (cell && digit !== undefined && SINGLES.includes(each.technique)) placed.set(number(cell), digit);
  }
  return placed;
}

export const litChance = (cell: Cell): Map<number, string> => new Map([[number(cell), 'chance']]);

/** A lift looked at again: what was lifted, and what would have been better. */
export function litLift({ cell, best, missed, odds, best_odds }: ReviewedLift): Map<number, string> {
  const lit = missed ? litDeduction(missed, null) : new Map<number, string>();
  if (!missed && best_odds > odds) lit.set(number(best), 'chance');
  return lit.set(number(cell), 'chosen');
}

export function unitName({ kind, index }: Unit, words: Words): string {
  return fill(words.units[kind], { number: index + 1 });
}

export function stepWords(step: DeductionStep, words: Words): string {
  const { cells, digits, unit, technique } = step;
  const list = (parts: string[]) => new Intl.ListFormat(words.locale).format(parts);
  const names = cells.map((cell) => cellName(number(cell), words));
  return fill(words.steps[technique], {
    unit: unit ? unitName(unit, words) : '',
    cells: list(names),
    digits: list(digits.map(String)),
  });
}

/** `41 %`, and never `0 %` or `100 %` for what is only nearly so. */
export function percent(odds: number, words: Words): string {
  const format = (value: number) =>
    new Intl.NumberFormat(words.locale, { style: 'percent', maximumFractionDigits: 0 }).format(value);
  if (odds > 0 && odds < 0.005) return `< ${format(0.01)}`;
  if (odds < 1 && odds >= 0.995) return `> ${format(0.99)}`;
  return format(odds);
}

export function about(value: number, words: Words): string {
  return new Intl.NumberFormat(words.locale, { notation: 'compact', maximumSignificantDigits: 2 }).format(
    value,
  );
}

/** What a hint comes to, in a line. */
export function hintTitle({ certain, best, wanted }: Hint, { coach }: Words): string {
  if (certain.length > 1 && wanted === null) return fill(coach.certainMany, { count: certain.length });
  if (certain[0]) return fill(coach.certain, { digit: certain[0].digit });
  if (best.length > 0) return wanted === null ? coach.chancesAny : fill(coach.chances, { digit: wanted });
  return wanted === null ? coach.opening : coach.nothing;
}

/** How many grids still fit what lies open; empty where nobody has counted. */
export function gridsWords({ remaining, exact }: Hint, words: Words): string {
  if (remaining === null) return '';
  if (exact && remaining === 1) return words.coach.oneGrid;
  return exact
    ? fill(words.coach.grids, { count: new Intl.NumberFormat(words.locale).format(remaining) })
    : fill(words.coach.gridsAbout, { count: about(remaining, words) });
}

/** Odds that differ by less than this are said to be the same. */
const BETTER_BY = 0.005;

/** A lift of the review: what came of it, and whether there was a better one. */
export function liftWords(
  lift: ReviewedLift,
  name: string,
  words: Words,
): { hit: boolean; outcome: string; odds: string; better: string } {
  const text = words.reviewed;
  const { wanted, digit, missed, best, best_odds, odds } = lift;
  const place = (cell: Cell) => cellName(number(cell), words);
  const hit = digit === wanted;
  const better = () => {
    if (missed) return fill(text.missed, { cell: place(missed.cell) });
    if (best_odds <= odds + BETTER_BY) return text.wasBest;
    return fill(text.better, { cell: place(best), odds: percent(best_odds, words) });
  };
  return {
    hit,
    outcome: fill(hit ? text.hit : text.miss, { name, wanted, cell: place(lift.cell), digit }),
    odds: fill(text.odds, { odds: percent(odds, words) }),
    better: better(),
  };
}

/** The board before the lift of that number: later stones still lie. */
export function before(review: Review, visible: Rows, lift: number): number[][] {
  const board = visible.map((row) => [...row]);
  for (const { cell } of review.lifts.slice(lift)) board[cell[0]]?.splice(cell[1], 1, 0);
  return board;
}
