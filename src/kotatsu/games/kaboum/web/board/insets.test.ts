/** The picture leaves room for what lies over it, in every shape of window. */
import { expect, test } from 'vitest';
import { heightOf, insetsOf } from './insets';

const canvas = { wide: 1400, high: 800, fingers: false, shared: false, again: false };

test('a large window has the status above and the tools below', () => {
  expect(insetsOf(canvas)).toEqual({ top: 66, right: 12, bottom: 72, left: 12 });
  expect(insetsOf({ ...canvas, again: true }).bottom, 'a game seen again has no tools').toBe(16);
});

test('a phone on its side has the tools under the thumbs', () => {
  const phone = { ...canvas, wide: 800, high: 360 };
  expect(insetsOf(phone)).toEqual({ top: 30, right: 112, bottom: 10, left: 4 });
  expect(insetsOf({ ...phone, shared: true }).left, 'the keyboard shoots').toBe(4);
  expect(insetsOf({ ...phone, shared: true, fingers: true }).left).toBe(112);
});

test('a phone upright has everything above and below', () => {
  expect(insetsOf({ ...canvas, wide: 390, high: 760 })).toEqual({ top: 150, right: 4, bottom: 205, left: 4 });
});

test('the board takes what is left of the window', () => {
  expect(heightOf(900, 48, false)).toBe(844);
  expect(heightOf(900, 48, true), "a replay's bar lies below it").toBe(682);
  expect(heightOf(200, 48, false), 'but never nothing').toBe(260);
});
