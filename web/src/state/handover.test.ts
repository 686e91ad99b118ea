import { expect, test } from 'vitest';
import { nextViewpoint } from './handover';

test('nobody has looked yet: whoever may move is asked for, else the first', () => {
  expect(nextViewpoint([0, 2], [2], null)).toBe(2);
  expect(nextViewpoint([0, 2], [], null)).toBe(0);
});

test('whoever looks stays while there is something for them to do', () => {
  expect(nextViewpoint([0, 1], [0, 1], 0)).toBeNull();
});

test('whoever has done their part keeps the device until another of its players may move', () => {
  expect(nextViewpoint([0, 1], [], 0)).toBeNull();
  expect(nextViewpoint([0, 1, 3], [0, 3], 1)).toBe(3);
  expect(nextViewpoint([0, 1, 3], [0], 3)).toBe(0);
});
