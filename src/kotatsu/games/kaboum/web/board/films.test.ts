/** A stored turn at the table, and a whole game seen again: what is shown when, and what waits for it. */
import type { Again } from '$web/screens/screens';
import type { ReplayStep } from '$web/protocol/wire';
import { beforeEach, describe, expect, it } from 'vitest';
import { frame, pose, view } from '../testing/fakes';
import type { Fact, KaboumView } from '../wire';
import { Films, tickOf } from './films';
import { nothingShown, type Shown } from './shown';

const started: Fact = { fact: 'turn_started', turn: 1, builder: 0, ammo: [0, 4, 4], big_die: 1, tiles: [] };
const fired: Fact = { fact: 'fired', seat: 1, die: 0, big: false };
const ended: Fact = { fact: 'turn_ended', builder: 0, scored: [], points: 0, next: 1, big_die: 2 };
const BEFORE = view({ phase: 'ready', turn: 0 });
const RUNNING = view();
const AFTER = view({ phase: 'ready', turn: 1, builder: 1 });
const step = (at: number, seen: KaboumView, ...facts: Fact[]): ReplayStep => ({
  seq: 0,
  at,
  seat: null,
  facts,
  view: seen,
});
const STEPS = [
  step(0, BEFORE),
  step(10, RUNNING, started),
  step(10.5, { ...RUNNING }, fired),
  step(12, AFTER, ended),
];

let shown: Shown;
let films: Films;
let told: KaboumView;
let again: Again | undefined;
let asked: number[];
let missing: number;
let stored: boolean;

beforeEach(() => {
  shown = nothingShown();
  [told, again, asked, missing, stored] = [AFTER, undefined, [], 0, true];
  films = new Films(shown, {
    frames: (turn) => {
      asked.push(turn);
      const frames = [0, 30, 60, 120].map((tick) => frame(tick, [[0, pose(tick / 1000, 0, 0)]]));
      return Promise.resolve(stored ? frames : null);
    },
    told: () => told,
    again: () => again,
    missing: () => missing++,
  });
});

/** Look at a step of the game directly. */
async function jump(at: number, flows = false): Promise<void> {
  again = { steps: STEPS, at, speed: 1, flows };
  told = STEPS[at]?.view as KaboumView;
  films.seek();
  await Promise.resolve();
  await Promise.resolve();
}
const tick = () => shown.showing?.film.tick;

describe('the last turn at a table', () => {
  it('runs from its beginning to its end, and then the table is back', async () => {
    await films.watch(3, 1);
    expect([asked, shown.showing?.turn, shown.showing?.live, tick()]).toEqual([[3], 3, true, 0]);
    films.step(1);
    expect(tick()).toBe(60);
    films.step(1);
    expect(shown.showing).toBeNull();
  });

  it('runs slowly', async () => {
    await films.watch(3, 0.5);
    films.step(1);
    expect(tick()).toBe(30);
  });

  it('is stopped', async () => {
    await films.watch(3, 1);
    films.stop();
    expect(shown.showing).toBeNull();
    films.step(1);
  });

  it('may be lost', async () => {
    stored = false;
    await films.watch(3, 1);
    expect([shown.showing, missing]).toEqual([null, 1]);
  });
});

describe('tickOf', () => {
  it('counts from the beginning of the turn', () => {
    expect([1, 2].map((at) => tickOf({ steps: STEPS }, at))).toEqual([0, 30]);
  });

  it('is the end of it once it is over', () => expect(tickOf({ steps: STEPS }, 3)).toBe(Infinity));

  it('is its beginning where nobody knows', () => expect(tickOf({ steps: STEPS.slice(2) }, 0)).toBe(0));
});

describe('a game seen again', () => {
  it('shows what was on the table at a step', async () => {
    await jump(2);
    expect([asked, tick(), shown.showing?.live]).toEqual([[1], 30, false]);
    await jump(1);
    expect([asked, tick()], 'the film is there already').toEqual([[1], 0]);
    await jump(3);
    expect(tick()).toBe(120);
    await jump(0);
    expect(shown.showing, 'before the first turn').toBeNull();
  });

  it('leaves a film alone that runs on by itself', async () => {
    await jump(1);
    shown.showing?.film.jump(17);
    await jump(2, true);
    expect(tick()).toBe(17);
  });

  it('waits until the page shows the step', async () => {
    again = { steps: STEPS, at: 2, speed: 1, flows: false };
    told = RUNNING;
    films.seek();
    await Promise.resolve();
    expect(asked).toEqual([]);
  });

  it('does not jump in a film that another turn has replaced', async () => {
    const seeking = jump(2);
    await films.watch(7, 1);
    await seeking;
    expect([shown.showing?.turn, tick()]).toEqual([7, 0]);
  });

  it('lets a fact happen when the film has come to it, and things stand as before until then', async () => {
    const happened: Fact[] = [];
    await jump(1);
    again = { steps: STEPS, at: 2, speed: 2, flows: true };
    const move = films.rerun(fired, (fact) => happened.push(fact))();
    expect(shown.frozen).toBe(RUNNING);
    films.step(0.2);
    await Promise.resolve();
    expect([tick(), happened]).toEqual([24, []]);
    films.step(0.2);
    await move;
    expect([tick(), happened, shown.frozen]).toEqual([30, [fired], null]);
  });

  it('begins a turn with its film', async () => {
    again = { steps: STEPS, at: 1, speed: 1, flows: true };
    told = BEFORE;
    const happened: Fact[] = [];
    await films.rerun(started, (fact) => happened.push(fact))();
    expect([asked, tick(), happened, shown.frozen]).toEqual([[1], 0, [started], null]);
  });

  it('goes on where there is no film', async () => {
    stored = false;
    const happened: Fact[] = [];
    again = { steps: STEPS, at: 1, speed: 1, flows: true };
    await films.rerun(started, (fact) => happened.push(fact))();
    again = { ...again, at: 2 };
    await films.rerun(fired, (fact) => happened.push(fact))();
    expect(happened).toEqual([started, fired]);
    expect(missing).toBe(1);
  });
});
