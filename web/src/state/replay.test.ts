import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { language } from '../i18n/i18n.svelte';
import type { Replay } from '../protocol/wire';
import { Rerun } from './replay.svelte';
import { counting, fakePage, person, table, type Count } from './testing';

beforeEach(() => {
  language.lang = 'en';
  vi.useFakeTimers();
  fakePage({ less: false });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Three steps: nothing yet, two facts of seat 1, the last fact of seat 0. */
const replay = (viewpoint: number | null = null): Replay => ({
  table: table({
    status: 'over',
    seats: [person({ name: 'Ana', here: false, away: 90 }), person({ name: 'Bo', here: false })],
  }),
  viewpoint,
  steps: [
    { seq: 1, at: 0, seat: null, facts: [], view: { sum: 0, turn: 1 } },
    { seq: 2, at: 2, seat: 1, facts: [{ add: 3 }, { add: 4 }], view: { sum: 7, turn: 0 } },
    { seq: 3, at: 5, seat: 0, facts: [{ add: 5 }], view: { sum: 12, turn: null } },
  ],
});

const sum = (rerun: Rerun) => (rerun.view as Count).sum;

describe('a moment', () => {
  test('is looked at directly, within the game', () => {
    const rerun = new Rerun(replay(), counting, 1);
    expect([rerun.at, sum(rerun), rerun.acting, rerun.playing]).toEqual([1, 7, [0], false]);
    rerun.jump(99);
    expect([rerun.at, rerun.atEnd, sum(rerun), rerun.acting]).toEqual([2, true, 12, []]);
    rerun.jump(-3);
    expect([rerun.at, sum(rerun), rerun.acting]).toEqual([0, 0, [1]]);
    rerun.jump(Number.NaN);
    expect(rerun.at).toBe(0);
  });

  test('is told in words, by name whoever looks', () => {
    const rerun = new Rerun(replay(0), counting, 1);
    expect(rerun.words).toBe('they add 3 they add 4');
    expect(rerun.lines.map(({ id, step, text }) => [id, step, text])).toEqual([
      [0, 1, 'they add 3'],
      [1, 1, 'they add 4'],
      [2, 2, 'they add 5'],
    ]);
    expect(rerun.log).toHaveLength(2);
    rerun.jump(0);
    expect([rerun.words, rerun.log]).toEqual(['The game begins.', []]);
  });

  test('shows a table at which everybody was there', () => {
    const { info, names } = new Rerun(replay(), counting);
    expect(info.seats.map(({ here, away }) => [here, away])).toEqual([
      [true, null],
      [true, null],
    ]);
    expect(names).toEqual(['Ana', 'Bo']);
  });

  test('is seen through the eyes of a seat or of a spectator, and stays when they change', () => {
    const rerun = new Rerun(replay(), counting, 1);
    expect(rerun.yours).toEqual([]);
    rerun.look(replay(1));
    expect([rerun.yours, rerun.at, sum(rerun)]).toEqual([[1], 1, 7]);
  });

  test('nothing can be played', () => {
    const rerun = new Rerun(replay(1), counting);
    expect([rerun.moves, rerun.due, rerun.play()]).toEqual([[], null, undefined]);
  });
});

describe('one step on', () => {
  test('is shown fact by fact, as it was at the table', async () => {
    const rerun = new Rerun(replay(), counting);
    const seen: unknown[] = [];
    rerun.direct((fact) => {
      seen.push(fact, sum(rerun));
      return undefined;
    });
    const done = rerun.forward();
    await vi.advanceTimersByTimeAsync(0);
    expect([rerun.at, sum(rerun)]).toEqual([1, 3]);
    await vi.advanceTimersByTimeAsync(260);
    expect(sum(rerun)).toBe(7);
    await vi.advanceTimersByTimeAsync(260);
    await done;
    expect(rerun.view).toEqual({ sum: 7, turn: 0 });
    expect(seen).toEqual([{ add: 3 }, 0, { add: 4 }, 3]);
  });

  test('is interrupted by a jump', async () => {
    const rerun = new Rerun(replay(), counting);
    const done = rerun.forward();
    await vi.advanceTimersByTimeAsync(0);
    rerun.jump(2);
    await vi.advanceTimersByTimeAsync(2000);
    await done;
    expect([rerun.at, sum(rerun)]).toEqual([2, 12]);
  });

  test('is shown at once without motion, or when it runs too fast to follow', async () => {
    const fast = new Rerun(replay(), counting);
    fast.speed = 4;
    await fast.forward();
    expect(sum(fast)).toBe(7);
    fakePage({ less: true });
    const still = new Rerun(replay(), counting);
    await still.forward();
    expect(sum(still)).toBe(7);
  });

  test('from the end leads nowhere', async () => {
    const rerun = new Rerun(replay(), counting, 2);
    await rerun.forward();
    expect(rerun.at).toBe(2);
  });

  test('a director that left is not asked', async () => {
    const rerun = new Rerun(replay(), counting);
    const director = vi.fn(() => undefined);
    rerun.direct(director)();
    void rerun.forward();
    await vi.advanceTimersByTimeAsync(2000);
    expect(director).not.toHaveBeenCalled();
  });
});

describe('playing', () => {
  test('goes on to the end, with a pause between steps, and begins anew from there', async () => {
    const rerun = new Rerun(replay(), counting);
    rerun.toggle();
    expect([rerun.playing, rerun.flows]).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(520);
    expect([rerun.at, sum(rerun)]).toEqual([1, 7]);
    await vi.advanceTimersByTimeAsync(899);
    expect(rerun.at).toBe(1);
    await vi.advanceTimersByTimeAsync(5000);
    expect([rerun.at, rerun.playing, sum(rerun)]).toEqual([2, false, 12]);
    rerun.toggle();
    expect([rerun.at > 1, rerun.playing]).toEqual([false, true]);
    rerun.close();
    expect(rerun.playing).toBe(false);
  });

  test('is paused where it stands, all of the step done', async () => {
    const rerun = new Rerun(replay(), counting);
    rerun.toggle();
    await vi.advanceTimersByTimeAsync(10);
    rerun.toggle();
    expect([rerun.playing, rerun.at, sum(rerun)]).toEqual([false, 1, 7]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(rerun.at).toBe(1);
  });

  test('is quicker at a higher speed, and moves nothing at the highest', async () => {
    const rerun = new Rerun(replay(), counting);
    rerun.speed = 4;
    rerun.toggle();
    expect(rerun.flows).toBe(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(rerun.at).toBe(1);
    await vi.advanceTimersByTimeAsync(900 / 4);
    expect(rerun.at).toBe(2);
  });

  test('a screen that keeps the time itself is not made to wait', async () => {
    const rerun = new Rerun(replay(), { ...counting, pauses: () => false });
    rerun.toggle();
    await vi.advanceTimersByTimeAsync(5);
    expect([rerun.at, sum(rerun), rerun.playing]).toEqual([2, 12, false]);
  });
});

test('a game without a screen is told plainly', () => {
  const rerun = new Rerun(replay(), null, 1);
  expect(rerun.words).toContain('add 3');
  expect(sum(rerun)).toBe(7);
});
