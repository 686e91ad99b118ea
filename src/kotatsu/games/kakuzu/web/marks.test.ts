import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pencil } from './marks.svelte';
import { fakeStorage } from './testing';

const KEY = 'kotatsu.kakuzu.marks.t.0';
let store: Map<string, string>;

beforeEach(() => {
  const fake = fakeStorage();
  store = fake.store;
  vi.stubGlobal('localStorage', fake.localStorage);
});
afterEach(() => void vi.unstubAllGlobals());

test('marks are kept in order, and taken away by the same digit', () => {
  const pencil = new Pencil('t', 0);
  for (const digit of [7, 2, 9, 2]) pencil.toggle(5, digit);
  expect(pencil.on(5)).toEqual([7, 9]);
  expect(pencil.on(6)).toEqual([]);
  expect(pencil.any).toBe(true);
});

test('they are found again at the same table and seat, and nowhere else', () => {
  for (const digit of [1, 9]) new Pencil('t', 0).toggle(80, digit);
  expect(new Pencil('t', 0).on(80)).toEqual([1, 9]);
  for (const other of [new Pencil('t', 1), new Pencil('u', 0), new Pencil('t', null)])
    expect(other.any).toBe(false);
});

test('nothing is kept where nothing is marked', () => {
  const pencil = new Pencil('t', 0);
  pencil.toggle(5, 7);
  pencil.toggle(6, 1);
  pencil.erase(5);
  expect(JSON.parse(store.get(KEY) ?? '')).toEqual({ 6: [1] });
  pencil.eraseAll();
  expect([pencil.any, store.size]).toEqual([false, 0]);
});

test.each([
  'not json',
  '[1',
  'null',
  '{"81":[1]}',
  '{"x":[1]}',
  '{"4":[0]}',
  '{"5":[10]}',
  '{"6":"7"}',
  '{"7":[1.5]}',
])('what somebody else wrote there is not believed: %s', (kept) => {
  store.set(KEY, kept);
  const pencil = new Pencil('t', 0);
  expect(pencil.any).toBe(false);
  pencil.toggle(3, 3);
  expect(pencil.on(3)).toEqual([3]);
});
