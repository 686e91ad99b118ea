import { expect, test } from 'vitest';
import { nextEyes } from './handover';

test('nobody has looked yet: whoever may move is asked for, else the first', () => {
  expect(nextEyes([0, 2], [2], null)).toBe(2);
  expect(nextEyes([0, 2], [], null)).toBe(0);
});

test('whoever looks stays while there is something for them to do', () => {
  expect(nextEyes([0, 1], [0, 1], 0)).toBeNull();
});

test('whoever has done their part keeps the device until another of its players may move', () => {
  expect(nextEyes([0, 1], [], 0)).toBeNull();
  expect(nextEyes([0, 1, 3], [0, 3], 1)).toBe(3);
  expect(nextEyes([0, 1, 3], [0], 3)).toBe(0);
});
