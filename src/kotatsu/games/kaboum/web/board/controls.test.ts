/** Hand and catapult follow the roles; keys choose, take, change the die and strike. */
import { beforeEach, describe, expect, it } from 'vitest';
import { PIECES } from '../box';
import { STOCK, STRIKE_PLACES, STRIKE_POWERS } from '../constants';
import { FakeEye, FakeWorld, playbackOfStock, view } from '../testing/fakes';
import { Controls, gaugeAt } from './controls';
import { rolesOf, type Roles, type Situation } from './roles';
import { nothingShown, type Shown } from './shown';

let world: FakeWorld;
let eye: FakeEye;
let shown: Shown;
let roles: Roles;
let controls: Controls;
const START = 0.6;

function become(changes: Partial<Situation>): void {
  roles = rolesOf({ view: view(), playing: true, again: false, yours: [], moves: [], ...changes });
  controls.settle(world, () => START);
}

beforeEach(() => {
  const playback = playbackOfStock();
  [world, eye, shown] = [new FakeWorld(), new FakeEye(playback), nothingShown()];
  controls = new Controls(
    shown,
    playback,
    () => eye,
    () => roles,
  );
  become({});
});

describe('hand and catapult', () => {
  it('belong to whoever builds and whoever shoots', () => {
    expect([shown.hand, shown.sling]).toEqual([null, null]);
    become({ yours: [0] });
    expect([shown.hand?.seat, shown.sling]).toEqual([0, null]);
    become({ yours: [2] });
    expect([shown.hand, shown.sling?.seat]).toEqual([null, 2]);
    become({ yours: [0, 2] });
    expect([shown.hand?.seat, shown.sling?.seat]).toEqual([0, 2]);
    become({ yours: [0, 2], view: view({ phase: 'ready' }) });
    expect([shown.hand, shown.sling]).toEqual([null, null]);
  });

  it('stay the same while facts come in, and are new with another line', () => {
    become({ yours: [0, 2] });
    const { hand, sling } = shown;
    become({ yours: [0, 2], view: view({ blocked: [3], standing: [4] }) });
    expect(shown.hand).toBe(hand);
    expect(shown.sling).toBe(sling);
    world = new FakeWorld();
    become({ yours: [0, 2] });
    expect(shown.hand).not.toBe(hand);
    expect(shown.sling).not.toBe(sling);
    controls.settle(null, () => START);
    expect([shown.hand, shown.sling]).toEqual([null, null]);
  });

  it('begin another turn with nothing in hand, and say how the catapult is aimed', () => {
    become({ yours: [0, 2] });
    shown.hand?.grab(3);
    const before = world.of('aim').length;
    controls.begin();
    expect(shown.hand?.holding).toBe(false);
    expect(world.of('aim')).toHaveLength(before + 1);
  });
});

describe('the die in the catapult', () => {
  it('is a small one first, and the large one if it is asked for', () => {
    become({ yours: [1] });
    expect(shown.sling?.aim.big).toBe(false);
    controls.changeDie();
    expect(shown.sling?.aim.big).toBe(true);
    controls.changeDie();
    expect(shown.sling?.aim.big).toBe(false);
  });

  it('is the large one once the small ones are gone', () => {
    become({ yours: [1] });
    become({ yours: [1], view: view({ ammo: [0, 0, 4] }) });
    expect(world.last('aim').big).toBe(true);
    controls.changeDie();
    expect(shown.sling?.aim.big, 'there is no other').toBe(true);
  });

  it('is a small one again once the large one is shot', () => {
    become({ yours: [1] });
    controls.changeDie();
    become({ yours: [1], view: view({ big_left: false }) });
    expect(world.last('aim').big).toBe(false);
    controls.changeDie();
    expect(shown.sling?.aim.big, 'there is no large one').toBe(false);
  });

  it('is told once, not with every fact', () => {
    become({ yours: [1], view: view({ ammo: [0, 0, 4] }) });
    const told = world.of('aim').length;
    become({ yours: [1], view: view({ ammo: [0, 0, 4], blocked: [7] }) });
    expect(world.of('aim')).toHaveLength(told);
  });
});

describe('choosing by keys', () => {
  const [RIGHT, LEFT, UP, DOWN] = [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ] as const;

  it('begins anywhere, and goes from piece to piece as one sees them', () => {
    become({ yours: [0] });
    controls.choose(RIGHT);
    expect(shown.chosen).toBe(0);
    controls.choose(RIGHT);
    expect(shown.chosen, 'the next shape in the same row').toBe(2);
    controls.choose(UP);
    expect(shown.chosen, 'the row behind').toBe(3);
    controls.choose(LEFT);
    expect(shown.chosen).toBe(1);
    controls.choose(DOWN);
    expect(shown.chosen).toBe(0);
    controls.choose(LEFT);
    expect(shown.chosen, 'there is none further').toBe(0);
  });

  it('reaches every piece', () => {
    const reached = new Set<number>();
    shown.chosen = 0;
    for (let row = 0; row < 2; row++) {
      for (let step = 0; step < 8; step++) {
        reached.add(shown.chosen);
        controls.choose(row ? LEFT : RIGHT);
      }
      reached.add(shown.chosen);
      controls.choose(UP);
    }
    expect(reached.size).toBe(PIECES.length);
  });

  it('takes the chosen piece and puts it down again', () => {
    become({ yours: [0] });
    controls.take();
    expect(world.of('grab'), 'nothing is chosen').toEqual([]);
    shown.chosen = 5;
    controls.take();
    expect([world.last('grab').piece, shown.hand?.holding]).toEqual([5, true]);
    controls.take();
    expect(shown.hand?.holding).toBe(false);
  });

  it('moves along the axes as one looks at them', () => {
    const close = (found: number[], wanted: number[]) =>
      wanted.forEach((each, i) => expect(found[i]).toBeCloseTo(each, 9));
    close(controls.towards(RIGHT), [1, 0]);
    eye.around = Math.PI / 2 - 0.3;
    close(controls.towards(RIGHT), [0, 1]);
    close(controls.towards(UP), [-1, 0]);
    eye.around = Math.PI;
    close(controls.towards(UP), [0, -1]);
  });
});

describe('the blow', () => {
  it('is as hard as the gauge says, beside the catapult', () => {
    become({ yours: [1], view: view({ striker: 1 }) });
    shown.sling?.set({ at: 0.5 });
    shown.gauge = 1;
    controls.strike();
    expect(world.last('strike')).toEqual({
      move: 'strike',
      seat: 1,
      at: STRIKE_PLACES / 2,
      power: STRIKE_POWERS - 1,
    });
    shown.gauge = 0;
    shown.sling?.set({ at: 0.999 });
    controls.strike();
    expect(world.last('strike'), 'the last place is the first').toMatchObject({ at: 0, power: 0 });
  });

  it('is one of 24 places and 11 strengths', () => {
    become({ yours: [1], view: view({ striker: 1 }) });
    const [places, powers] = [new Set<number>(), new Set<number>()];
    for (let step = 0; step <= 480; step++) {
      shown.sling?.set({ at: step / 480 });
      shown.gauge = step / 480;
      controls.strike();
      places.add(world.last('strike').at ?? NaN);
      powers.add(world.last('strike').power ?? NaN);
    }
    expect([...places].sort((a, b) => a - b)).toEqual(Array.from({ length: 24 }, (_, at) => at));
    expect([...powers].sort((a, b) => a - b)).toEqual(Array.from({ length: 11 }, (_, power) => power));
  });

  it('is for whoever was granted it', () => {
    become({ yours: [2], view: view({ striker: 1 }) });
    controls.strike();
    expect(world.of('strike')).toEqual([]);
  });

  it('has a gauge that goes up and down', () => {
    expect([0, 0.55, 1.1, 1.65, 2.2].map((now) => Math.round(gaugeAt(now) * 100))).toEqual([
      0, 50, 100, 50, 0,
    ]);
    for (let now = 0; now < 9; now += 0.07) expect(Math.abs(gaugeAt(now) - 0.5)).toBeLessThanOrEqual(0.5);
  });
});

describe('keys', () => {
  const keys = () => Object.keys(controls.actions);

  it('are those of the role', () => {
    expect(keys()).toEqual([]);
    become({ yours: [0] });
    expect(keys()).toContain('enter');
    expect(keys()).not.toContain('k');
    become({ yours: [2] });
    expect(keys()).toContain('o');
    expect(keys()).not.toContain('enter');
    become({ yours: [0, 2] });
    expect(keys()).toEqual(expect.arrayContaining(['d', 't', 'o', 'k']));
    expect(keys(), 'arrows and Space are the saboteur’s').not.toContain('enter');
  });

  it('strike even while the line to the world is down, and nothing else', () => {
    become({ yours: [1], view: view({ striker: 1 }) });
    controls.settle(null, () => START);
    expect(keys()).toEqual(['k']);
    controls.strike();
    expect(world.of('strike')).toEqual([]);
  });

  it('do what they say', () => {
    become({ yours: [0] });
    shown.chosen = 2;
    controls.actions['enter']?.once?.();
    expect(world.last('grab').piece).toBe(2);
    controls.actions['arrowright']?.held?.(1);
    shown.hand?.step(1, 0.03);
    shown.hand?.step(2, 1);
    expect(shown.hand?.shown?.pose.x).toBeCloseTo((STOCK[2]?.x ?? 0) + 0.01, 3);
    become({ yours: [1] });
    controls.actions['b']?.once?.();
    expect(shown.sling?.aim.big).toBe(true);
  });
});
