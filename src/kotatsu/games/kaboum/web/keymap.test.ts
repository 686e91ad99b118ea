/** Which key does what, for a builder, a saboteur, and both at one keyboard. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Hand } from './hand';
import { builderKeys, saboteurKeys, turningKeys } from './keymap';
import type { Actions } from './keys';
import { Sling } from './sling';
import { FakeWorld, playbackOfStock } from './testing/fakes';

const BUILDER = [
  'arrowdown',
  'arrowleft',
  'arrowright',
  'arrowup',
  'd',
  'enter',
  'f',
  'g',
  'j',
  'space',
  't',
  'u',
];
const SABOTEUR = ['arrowdown', 'arrowleft', 'arrowright', 'arrowup', 'b', 'c', 'k', 'l', 'o', 'space', 'v'];
let world: FakeWorld;
let hand: Hand;
let sling: Sling;
let done: string[];
let building: Actions;
let shooting: Actions;

beforeEach(() => {
  world = new FakeWorld();
  hand = new Hand(0, world, playbackOfStock());
  sling = new Sling(1, world, 0.6, false);
  done = [];
  building = builderKeys({
    hand,
    choose: (way) => done.push(`choose ${way.join(' ')}`),
    take: () => done.push('take'),
    towards: ([right, away]) => [right, away],
  });
  shooting = saboteurKeys({
    sling,
    changeDie: () => done.push('change'),
    strike: () => done.push('strike'),
  });
});

/** Press, as far as it acts at once. */
function press(actions: Actions, key: string): void {
  actions[key]?.once?.();
  actions[key]?.held?.(1);
}

describe('the builder', () => {
  it('has these keys', () => expect(Object.keys(building).sort()).toEqual(BUILDER));

  it('chooses with the arrows while the hand is empty', () => {
    for (const key of ['arrowleft', 'arrowright', 'arrowup', 'arrowdown', 'enter', 'space'])
      press(building, key);
    expect(done).toEqual(['choose -1 0', 'choose 1 0', 'choose 0 1', 'choose 0 -1', 'take', 'take']);
    expect(world.of('carry')).toEqual([]);
  });

  it('moves, turns, tips and raises what is in the hand', () => {
    hand.grab(0);
    const [x, y] = [hand.shown?.pose.x ?? 0, hand.shown?.pose.y ?? 0];
    press(building, 'arrowright');
    press(building, 'arrowup');
    hand.step(1, 1);
    expect(done).toEqual([]);
    expect(world.last('carry').to?.[0]).toBeCloseTo(x + 0.01, 6);
    expect(world.last('carry').to?.[1]).toBeCloseTo(y + 0.01, 6);
    const before = world.last('carry');
    press(building, 'u');
    hand.step(2, 1);
    expect(world.last('carry').to?.[2]).toBeCloseTo((before.to?.[2] ?? 0) + 0.004, 6);
    press(building, 'j');
    hand.step(3, 1);
    expect(world.last('carry').to?.[2]).toBeCloseTo(before.to?.[2] ?? 0, 6);
    for (const key of ['d', 't', 'g']) {
      const { turn } = world.last('carry');
      press(building, key);
      hand.step(4, 0.1);
      expect(world.last('carry').turn, key).not.toEqual(turn);
    }
  });

  it('turns one way and back', () => {
    hand.grab(0);
    press(building, 'd');
    press(building, 'f');
    hand.step(1, 0.1);
    [1, 0, 0, 0].forEach((part, i) => expect(world.last('carry').turn?.[i]).toBeCloseTo(part, 9));
  });
});

describe('the saboteur', () => {
  it('has these keys', () => expect(Object.keys(shooting).sort()).toEqual(SABOTEUR));

  it('aims, pulls, raises and slides, each key one way', () => {
    for (const [more, less, part] of [
      ['arrowleft', 'arrowright', 'yaw'],
      ['arrowup', 'arrowdown', 'power'],
      ['o', 'l', 'pitch'],
      ['v', 'c', 'at'],
    ] as const) {
      const before = sling.aim[part];
      press(shooting, more);
      expect(sling.aim[part], more).toBeGreaterThan(before);
      press(shooting, less);
      expect(sling.aim[part], less).toBeCloseTo(before, 9);
    }
  });

  it('fires, changes the die and strikes', () => {
    for (const key of ['space', 'b', 'k']) press(shooting, key);
    expect(world.of('fire')).toHaveLength(1);
    expect(done).toEqual(['change', 'strike']);
  });
});

describe('both at one keyboard', () => {
  it('share no key: the builder only turns and tips', () => {
    const turning = Object.keys(turningKeys(hand));
    expect(turning.sort()).toEqual(['d', 'f', 'g', 'j', 't', 'u']);
    expect(turning.filter((key) => key in shooting)).toEqual([]);
  });
});
