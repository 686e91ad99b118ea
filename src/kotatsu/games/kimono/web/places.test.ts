import { expect, test } from 'vitest';
import { BOARD, pointsOf, rowLength } from './box';
import { combinationsOffered, rowsOffered, sizeOf, worthOf } from './offers';
import { buttonsOn, cardsPlaced, hasBegun, pointsSoFar } from './places';
import type { Combine, KimonoPlace, KimonoView } from './wire';

const place = (change: Partial<KimonoPlace> = {}): KimonoPlace => ({
  hand: [1, 2],
  kimono: [],
  accessories: [],
  buttons: [],
  ...change,
});

test('cards in the kimono and accessories are placed, those in the hand are not', () => {
  expect(cardsPlaced(place())).toBe(0);
  expect(cardsPlaced(place({ kimono: [3, 3, 3], accessories: [0, 6] }))).toBe(5);
});

test('buttons and accessories count at once', () => {
  const buttons = [
    { style: 'kasane', size: 3, points: 3 },
    { style: 'ju', size: 3, points: 2 },
  ] as const;
  expect(pointsSoFar(place())).toBe(0);
  expect(pointsSoFar(place({ buttons: [...buttons], accessories: [1, 2] }))).toBe(7);
});

test('a cell shows whose buttons it has, and how many of each', () => {
  const twice = place({
    buttons: [
      { style: 'ju', size: 3, points: 2 },
      { style: 'ju', size: 3, points: 2 },
      { style: 'ju', size: 4, points: 4 },
    ],
  });
  const places = [twice, place(), place({ buttons: [{ style: 'ju', size: 3, points: 2 }] })];
  expect(buttonsOn(places, 'ju', 3)).toEqual([
    { seat: 0, times: 2 },
    { seat: 2, times: 1 },
  ]);
  expect(buttonsOn(places, 'ju', 4)).toEqual([{ seat: 0, times: 1 }]);
  expect(buttonsOn(places, 'kagen', 3)).toEqual([]);
});

test('whoever has begun a round has turned the girl', () => {
  const began = (round: number, first: number) =>
    [0, 1, 2].map((seat) =>
      hasBegun({ round, first, places: [place(), place(), place()] } as KimonoView, seat),
    );
  expect(began(1, 2)).toEqual([false, false, true]);
  expect(began(2, 0)).toEqual([true, false, true]);
  expect(began(3, 1)).toEqual([true, true, true]);
});

test('what a combination counts and brings includes the card that leads it', () => {
  const kasane: Combine = { move: 'combine', style: 'kasane', cards: 2, lead: false };
  expect(sizeOf(kasane)).toBe(2);
  expect(sizeOf({ ...kasane, lead: true })).toBe(3);
  expect(worthOf({ ...kasane, lead: true })).toBe(pointsOf('kasane', 3));
  expect(worthOf(kasane)).toBe(pointsOf('kasane', 2));
});

test('moves are sorted into rows and combinations', () => {
  const small: Combine = { move: 'combine', style: 'kasane', cards: 2, lead: false };
  const large: Combine = { move: 'combine', style: 'kasane', cards: 4, lead: false };
  const moves = [{ move: 'take', row: 2 }, small, { move: 'skip' }, large, { move: 'take', row: 0 }] as const;
  expect(rowsOffered(moves)).toEqual([2, 0]);
  expect(combinationsOffered(moves)).toEqual([large, small]);
});

test('the larger a combination, the more it brings', () => {
  for (const { style, sizes } of BOARD) {
    const points = sizes.map((cell) => cell.points);
    expect(points, style).toEqual(points.toSorted((a, b) => a - b));
    expect(pointsOf(style, 99)).toBe(0);
  }
  expect([2, 3, 4].map(rowLength).every((length) => length > 0)).toBe(true);
});
