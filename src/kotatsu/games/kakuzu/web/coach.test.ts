import { expect, test } from 'vitest';
import { before, litDeduction, litLift, percent, stepWords } from './coach';
import { around, conflicts, PEERS } from './grid';
import { deduction, lift, rows } from './testing';
import type { Review } from './wire';
import { cellWords, TEXTS } from './words';

test('a cell sees the twenty others of its row, column and square', () => {
  expect(PEERS.map((peers) => peers.length)).toEqual(Array(81).fill(20));
});

test('a stone says what lies open around it, and what is pencilled on it', () => {
  const visible = rows({ '30': 5, '86': 2, '47': 9, '35': 1 });
  expect(around(visible, 33)).toEqual({ row: [1, 5], column: [2], square: [9] });
  expect(cellWords(visible, 33, [3, 4], TEXTS.en)).toBe(
    'Row 4, column 7, stone. Your marks: 3, 4. In its row: 1, 5. In its column: 2. In its square: 9.',
  );
  expect(cellWords(visible, 27, [], TEXTS.fr)).toBe('Ligne 4, colonne 1 : 5.');
  expect(conflicts(visible, 33, 5)).toEqual([27]);
});

test('a deduction lights its stone, what forces it, and where one looks', () => {
  const lit = litDeduction(deduction(), null);
  expect(lit.get(33)).toBe('certain');
  expect(lit.get(45)).toBe('because');
  expect(lit.get(53)).toBe('area');
  expect(lit.size).toBe(10);
  expect(stepWords(deduction().steps[0]!, TEXTS.en)).toBe(
    'In square 6, 5 fits only at row 4, column 7: everything else there is ruled out.',
  );
});

test('the review goes back to the board before a lift and shows what was better', () => {
  const review: Review = { lifts: [lift(), lift({ cell: [0, 1], digit: 7 })], seats: [] };
  const end = rows({ '00': 5, '01': 7, '44': 1 });
  expect(before(review, end, 1)).toEqual(rows({ '00': 5, '44': 1 }));
  expect(before(review, end, 0)).toEqual(rows({ '44': 1 }));
  expect([...litLift(lift())]).toEqual([
    [80, 'chance'],
    [0, 'chosen'],
  ]);
});

test('odds are never rounded into certainty', () => {
  expect(percent(0.999, TEXTS.en)).toBe('> 99%');
  expect(percent(1, TEXTS.en)).toBe('100%');
  expect(percent(0.001, TEXTS.en)).toBe('< 1%');
  expect(percent(0, TEXTS.en)).toBe('0%');
});
