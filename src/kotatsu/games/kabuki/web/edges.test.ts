import { expect, test } from 'vitest';
import { along, edgesOf, type Side } from './edges';

/** The seats as one meets them walking around the table clockwise, from the left end of the bottom side. */
function walk(count: number, wide: boolean): number[] {
  const seats = Array.from({ length: count }, (_, seat) => seat);
  const on = (side: Side) => along(edgesOf(seats, wide), side).map(({ seat }) => seat);
  const [first = -1, ...bottom] = on('bottom');
  return [first, ...on('left').toReversed(), ...on('top'), ...on('right'), ...bottom.toReversed()];
}

test.each([2, 3, 4, 5, 6])('%i seats sit around one device in the order of play', (count) => {
  for (const wide of [true, false])
    expect(walk(count, wide)).toEqual(Array.from({ length: count }, (_, seat) => seat));
});

test('every seat has a key of its own', () => {
  const letters = edgesOf([0, 1, 2, 3, 4, 5], true).map(({ letter }) => letter);
  expect(new Set(letters).size).toBe(6);
});
