import { describe, expect, test } from 'vitest';
import { cellAfter, GridState, type GridSource } from './gridstate.svelte';
import { rows } from './testing';

/** A 5 at the left of row 4, another in its third row down, and a 1 in the middle. */
const VISIBLE = rows({ '30': 5, '58': 5, '44': 1 });
const STONE = 33; // row 4, column 7: sees both 5s

function gridOf(change: Partial<GridSource> = {}, marks: Record<number, number[]> = {}): GridState {
  return new GridState({
    visible: VISIBLE,
    liftable: new Set([STONE]),
    wanted: 5,
    checking: true,
    armed: null,
    last: null,
    lit: new Map(),
    marksOn: (cell) => marks[cell] ?? [],
    ...change,
  });
}

const all = Array.from({ length: 81 }, (_, cell) => cell);
const where = (grid: GridState, what: 'same' | 'peer' | 'clash' | 'sought' | 'may' | 'armed' | 'last') =>
  all.filter((cell) => grid.look(cell)[what]);

describe('pointing', () => {
  test('at nothing lights nothing', () => {
    const grid = gridOf();
    for (const what of ['same', 'peer', 'clash'] as const) expect(where(grid, what)).toEqual([]);
  });

  test('at a stone lights the twenty cells it sees, and what forbids the digit there', () => {
    const grid = gridOf();
    grid.point(STONE);
    expect(where(grid, 'peer')).toHaveLength(20);
    expect(where(grid, 'clash')).toEqual([27, 53]);
    expect(where(grid, 'same')).toEqual([]);
  });

  test('at an open digit lights the others of its kind', () => {
    const grid = gridOf();
    grid.point(27);
    expect(where(grid, 'same')).toEqual([53]);
    expect(where(grid, 'peer')).toEqual([]);
    expect(where(grid, 'clash')).toEqual([]);
  });

  test('at an open digit forbids nothing there, though the digit looked for is in sight', () => {
    const grid = gridOf({ visible: rows({ '30': 5, '38': 2 }) });
    grid.point(35);
    expect(where(grid, 'clash')).toEqual([]);
  });

  test('shows conflicts only where they are asked for and a digit is looked for', () => {
    for (const change of [{ checking: false }, { wanted: null }, { wanted: 9 }]) {
      const grid = gridOf(change);
      grid.point(STONE);
      expect(where(grid, 'clash')).toEqual([]);
    }
  });

  test('ends when the pointer leaves', () => {
    const grid = gridOf();
    grid.point(STONE);
    grid.point(null);
    expect(where(grid, 'peer')).toEqual([]);
  });
});

test('a cell shows what is known of it', () => {
  const grid = gridOf({ armed: STONE, last: 40, lit: new Map([[STONE, 'certain']]) });
  expect(grid.look(STONE)).toMatchObject({ digit: 0, may: true, hint: 'certain', armed: true, last: false });
  expect(grid.look(40)).toMatchObject({ digit: 1, may: false, hint: '', armed: false, last: true });
  expect(where(grid, 'sought')).toEqual([27, 53]);
  expect(where(grid, 'may')).toEqual([STONE]);
});

test('a zero is looked for under no stone', () => {
  expect(where(gridOf({ wanted: 0 }), 'sought')).toEqual([]);
});

describe('the keyboard', () => {
  test('begins in the middle and stays where it was', () => {
    const grid = gridOf();
    expect(grid.current).toBe(40);
    grid.enter(12);
    expect([grid.current, grid.pointed]).toEqual([12, 12]);
    grid.point(null);
    grid.enter(null);
    expect([grid.current, grid.pointed]).toEqual([12, null]);
  });

  test('goes around the board in every direction', () => {
    for (const [there, back] of [
      ['ArrowUp', 'ArrowDown'],
      ['ArrowLeft', 'ArrowRight'],
    ] as const)
      for (const cell of all) {
        const goal = cellAfter(there, cell);
        expect(goal).not.toBe(cell);
        expect(cellAfter(back, goal!)).toBe(cell);
      }
    expect([cellAfter('Home', 80), cellAfter('End', 72), cellAfter('PageUp', 3)]).toEqual([72, 80, null]);
  });
});

describe('marks', () => {
  test('are struck out where an open digit forbids them', () => {
    const grid = gridOf({}, { [STONE]: [5, 7] });
    expect([grid.isWrong(STONE, 5), grid.isWrong(STONE, 7)]).toEqual([true, false]);
  });

  test('are struck out where each of two stones has no other, and they see each other', () => {
    const grid = gridOf({}, { [STONE]: [7], 34: [7], 70: [7] });
    expect(grid.isWrong(STONE, 7)).toBe(true);
    expect(grid.isWrong(70, 7)).toBe(true); // row 8, column 8: sees 34 in its column
    expect(gridOf({}, { [STONE]: [7], 34: [7, 8] }).isWrong(STONE, 7)).toBe(false);
    expect(gridOf({}, { [STONE]: [7], 72: [7] }).isWrong(STONE, 7)).toBe(false);
  });

  test('under an open digit forbid nothing', () => {
    expect(gridOf({}, { [STONE]: [7], 27: [7] }).isWrong(STONE, 7)).toBe(false);
  });

  test('are left alone unless conflicts are asked for', () => {
    expect(gridOf({ checking: false }, { [STONE]: [5] }).isWrong(STONE, 5)).toBe(false);
  });
});
