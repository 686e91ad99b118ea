import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Reel } from './reel.svelte';

const placed = (seat: number, mask: number, stack: number) => ({ fact: 'placed', seat, mask, stack });
const LOG = [
  { fact: 'round_started', round: 1, first: 0, tokens: [5, 5] },
  placed(0, 7, 0),
  placed(1, 3, 1),
  { fact: 'round_started', round: 2, first: 1, tokens: [5, 5] },
  placed(1, 7, 0),
];

const answer = (ok: boolean, body: unknown) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(() => Promise.resolve({ ok, statusText: 'no', json: () => Promise.resolve(body) })),
  );

async function loaded(): Promise<Reel> {
  answer(true, { log: LOG });
  const reel = new Reel();
  await reel.load('a table');
  return reel;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the record of the table is fetched and shown from its first placement', async () => {
  const reel = await loaded();
  expect(fetch).toHaveBeenCalledWith('/api/tables/a%20table/record', expect.anything());
  expect(reel.scenes).toHaveLength(3);
  expect(reel.scene).toMatchObject({ round: 1, seat: 0, mask: 7 });
  expect(reel.rounds).toEqual([1, 2]);
  expect(reel.inRound(2).map(({ index, seat }) => [index, seat])).toEqual([[2, 1]]);
});

test('without a record there is nothing to show, and the film says so', async () => {
  answer(false, { code: 'not_over', message: '' });
  const reel = new Reel();
  await reel.load('t');
  expect(reel.failed).toBe(true);
  expect(reel.scene).toBeUndefined();
  expect(reel.rounds).toEqual([]);
});

test('one winds to and fro between the first and the last placement', async () => {
  const reel = await loaded();
  reel.step(-1);
  expect(reel.at).toBe(0);
  reel.step(1);
  reel.step(1);
  reel.step(1);
  expect(reel.at).toBe(2);
  reel.goTo(1);
  expect(reel.scene?.mask).toBe(3);
});

test('it plays to its end and stops there', async () => {
  const reel = await loaded();
  reel.toggle();
  const stop = reel.run();
  vi.advanceTimersByTime(900);
  expect([reel.at, reel.playing]).toEqual([1, true]);
  vi.advanceTimersByTime(900);
  expect([reel.at, reel.playing]).toEqual([2, true]);
  vi.advanceTimersByTime(900);
  expect([reel.at, reel.playing]).toEqual([2, false]);
  stop();
});

test('it stands still when it is stopped, or when somebody looks at a placement', async () => {
  const reel = await loaded();
  reel.toggle();
  reel.run()();
  vi.advanceTimersByTime(5000);
  expect(reel.at).toBe(0);
  reel.goTo(2);
  expect(reel.playing).toBe(false);
  reel.toggle();
  reel.toggle();
  expect(reel.playing).toBe(false);
});
