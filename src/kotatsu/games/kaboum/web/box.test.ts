/** What is in the box fits what the server says of it. */
import { describe, expect, it, test } from 'vitest';
import samples from './testing/samples.json';
import { edgeOf, GIANT, middleOf, PIECES, placeAt, POINTS, tileAt, TILES, TOWERS } from './box';
import { SEAT_COLOURS } from './colours';
import { BODIES, DICE, FIRST_DIE, LARGE_DIE, MOST_SEATS, PLACES, STOCK } from './constants';

const LAYOUT = Array.from({ length: TILES - 1 }, (_, tile) => tile);

test('there is one of everything', () => {
  expect(PIECES).toHaveLength(16);
  expect(STOCK).toHaveLength(PIECES.length);
  expect(FIRST_DIE).toBe(PIECES.length);
  expect(BODIES).toBe(PIECES.length + DICE);
  expect(LARGE_DIE).toBe(DICE - 1);
  expect(PLACES).toHaveLength(TILES);
  expect(POINTS).toHaveLength(TILES);
  expect(TOWERS).toHaveLength(TILES);
  expect(SEAT_COLOURS).toHaveLength(MOST_SEATS);
  expect(new Set(SEAT_COLOURS).size).toBe(MOST_SEATS);
});

test('the large die is larger', () => {
  expect(edgeOf(0)).toBeCloseTo(0.016, 9);
  expect(edgeOf(LARGE_DIE)).toBeCloseTo(0.025, 9);
});

describe('a point of the table', () => {
  it.each(samples.tiles)('is on the tile the referee says: %o', ({ at: [x = 0, y = 0], tile }) => {
    const place = placeAt(x, y);
    expect(place === null ? null : tileAt(LAYOUT, place)).toBe(tile);
  });
});

test('a tile lies at its place, wherever it was laid', () => {
  const layout = LAYOUT.toReversed();
  for (let tile = 0; tile < TILES; tile++) {
    const { x, y } = middleOf(layout, tile);
    expect(tileAt(layout, placeAt(x, y) ?? -1)).toBe(tile);
  }
  expect(tileAt(layout, PLACES.length - 1)).toBe(GIANT);
  expect(tileAt([], 3)).toBeNull();
});
