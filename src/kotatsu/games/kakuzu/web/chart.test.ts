import { expect, test } from 'vitest';
import { BOTTOM, HEIGHT, LEFT, lineThrough, RIGHT, scaleOf, TOP } from './chart';
import type { SeatReview } from './wire';

const seat = (actual: number[], expected: number[] = actual): SeatReview =>
  ({ actual, expected }) as SeatReview;

test('the chart goes from before the first lift to after the last, and as high as anybody came', () => {
  const { x, y } = scaleOf([seat([0, 1, 1, 12], [0, 2, 4, 8])], 300);
  expect([x(0), x(3)]).toEqual([LEFT, 300 - RIGHT]);
  expect([y(0), y(12)]).toEqual([HEIGHT - BOTTOM, TOP]);
  expect(x(1.5)).toBe((LEFT + 300 - RIGHT) / 2);
});

test.each([
  [1, [0, 5]],
  [14, [0, 5, 10]],
  [16, [0, 5, 10, 15]],
  [17, [0, 10]],
  [40, [0, 10, 20, 30, 40]],
  [55, [0, 20, 40]],
])('up to %i stones there are lines at %j', (most, levels) => {
  expect(scaleOf([seat([0, most])], 300).levels).toEqual(levels);
});

test('quarters of the game are marked, the outer ones inside the chart', () => {
  expect(scaleOf([seat(Array<number>(73).fill(0))], 300).ticks).toEqual([
    { lift: 0, anchor: 'start' },
    { lift: 18, anchor: 'middle' },
    { lift: 36, anchor: 'middle' },
    { lift: 54, anchor: 'middle' },
    { lift: 72, anchor: 'end' },
  ]);
});

test('a line begins with the first value and goes through every other', () => {
  const scale = scaleOf([seat([0, 5, 10])], 134);
  expect(lineThrough([0, 5, 10], scale)).toBe('M26.0 178.0L76.0 94.0L126.0 10.0');
  expect(lineThrough([], scale)).toBe('');
});

test('a game nobody played can be drawn', () => {
  const { x, y, levels } = scaleOf([], 300);
  expect([x(0), y(0), levels]).toEqual([LEFT, HEIGHT - BOTTOM, [0, 5]]);
});
