/** The hand does not sweep towers away, however late the piece follows it; and it keeps to what the world allows. */
import { beforeEach, describe, expect, it } from 'vitest';
import { HAND_SPEED, MAX_REACH } from './constants';
import { Hand } from './hand';
import { Playback, type Pose } from './net/frames';
import { FakeWorld, frame, pose } from './testing/fakes';

const CUBE = 0;
const PILLAR = 2;
const OVER_PILLAR = 0.06 + 0.015;

let playback: Playback;
let world: FakeWorld;
let hand: Hand;
let tick: number;

/** A cube somewhere and a pillar at 100 mm. */
function see(cube: Pose): void {
  tick += 2;
  const bodies: [number, Pose][] = [
    [CUBE, cube],
    [PILLAR, pose(0.1, 0, 0.03)],
  ];
  playback.take(frame(tick, bodies, { held: CUBE }), tick / 60);
}
/** Time passes, and the piece follows the hand at once. */
function follow(from: number, seconds: number): void {
  for (let now = from; now < from + seconds; now += 0.03) {
    see(shown());
    hand.step(now, 0.03);
  }
}
const shown = (): Pose => hand.shown?.pose ?? pose(NaN, NaN, NaN);

/** The hand has taken the cube at 0. */
beforeEach(() => {
  [playback, world, tick] = [new Playback(), new FakeWorld(), 0];
  see(pose(0, 0, 0.015));
  hand = new Hand(0, world, playback);
  hand.grab(CUBE);
});

describe('Hand over a tower', () => {
  it('goes up first, and waits there for the piece', () => {
    hand.moveTo(0.2, 0);
    hand.step(1, 1);
    expect(shown().x).toBe(0);
    expect(shown().z).toBeGreaterThan(OVER_PILLAR);
    see(pose(0, 0, 0.1));
    hand.step(2, 1);
    expect(shown().x).toBeCloseTo(0.2);
  });

  it('stays up until the piece itself has passed', () => {
    hand.moveTo(0.2, 0);
    hand.step(1, 1);
    see(pose(0.02, 0, 0.1));
    hand.step(2, 1);
    hand.putDown();
    hand.step(3, 1);
    expect(shown().z).toBeGreaterThan(OVER_PILLAR);
    see(pose(0.2, 0, 0.09));
    follow(4, 4);
    expect(world.heard.at(-1)).toEqual({ move: 'release', seat: 0 });
    const [x = NaN, , z = NaN] = world.heard.at(-2)?.to ?? [];
    expect(x).toBeCloseTo(0.2);
    expect(z).toBeCloseTo(0.0154, 3);
  });

  it('puts the piece onto what is below it', () => {
    hand.moveTo(0.1, 0);
    follow(1, 3);
    expect(hand.heightAt(0.1, 0)).toBeCloseTo(0.06 + 0.015 + 0.014, 6);
    hand.putDown();
    follow(4, 3);
    expect(world.last('carry').to?.[2]).toBeCloseTo(0.06 + 0.015, 3);
    expect(world.of('release')).toHaveLength(1);
  });

  it('does not wait for ever for a piece that does not follow', () => {
    hand.moveTo(0.05, 0.3);
    hand.putDown();
    for (let now = 1; now < 3.5; now += 0.1) hand.step(now, 0.1);
    expect(world.of('release'), 'it hangs somewhere else').toEqual([]);
    for (let now = 3.5; now < 7; now += 0.1) hand.step(now, 0.1);
    expect(world.of('release')).toHaveLength(1);
  });
});

describe('Hand', () => {
  it('takes nothing before the world has shown it', () => {
    const empty = new Hand(0, world, new Playback());
    expect(empty.grab(CUBE)).toBe(false);
    expect(empty.holding).toBe(false);
    expect(world.of('grab')).toHaveLength(1);
  });

  it('says what it takes', () => {
    expect(hand.holding).toBe(true);
    expect(world.heard).toEqual([{ move: 'grab', seat: 0, piece: CUBE }]);
  });

  it('goes no further than the world lets it', () => {
    hand.moveTo(9, -9);
    follow(1, 4);
    expect(shown().x).toBeCloseTo(MAX_REACH.x, 6);
    expect(shown().y).toBeCloseTo(-MAX_REACH.y, 6);
  });

  it('is slower than the hand of the world, which has to follow', () => {
    hand.moveTo(-0.5, 0);
    follow(1, 0.15);
    const [before, at] = [shown(), world.of('carry').length];
    follow(1.15, 0.3);
    const seconds = (world.of('carry').length - at) * 0.03;
    const speed = Math.hypot(shown().x - before.x, shown().y - before.y) / seconds;
    expect(speed).toBeLessThan(HAND_SPEED);
    expect(speed).toBeGreaterThan(0.9 * HAND_SPEED);
  });

  it('lifts a piece higher on a long way than near its goal', () => {
    hand.moveTo(-0.4, 0);
    follow(1, 0.3);
    expect(shown().z).toBeCloseTo(0.015 + 0.03, 6);
    follow(1.3, 2);
    expect(shown().z).toBeCloseTo(0.015 + 0.014, 6);
  });

  it('is not led far ahead of the piece by a key that is held', () => {
    for (let step = 0; step < 100; step++) hand.moveBy(0.01, 0);
    follow(1, 2);
    expect(shown().x).toBeLessThan(0.06);
    expect(shown().x).toBeGreaterThan(0.03);
  });

  it('is held higher and lower, within bounds', () => {
    follow(1, 1);
    const usual = shown().z;
    hand.raise(0.05);
    follow(2, 1);
    expect(shown().z).toBeCloseTo(usual + 0.05, 6);
    hand.raise(9);
    follow(3, 1);
    expect(shown().z).toBeCloseTo(usual + 0.12, 6);
    hand.raise(-9);
    follow(4, 1);
    expect(shown().z).toBeCloseTo(usual, 6);
  });

  it('turns and tips by quarters', () => {
    hand.turnBy(90);
    hand.step(1, 0.1);
    const half = Math.SQRT1_2;
    [half, 0, 0, half].forEach((part, i) => expect(world.last('carry').turn?.[i]).toBeCloseTo(part, 9));
    hand.turnBy(-90);
    hand.tip();
    hand.tip();
    hand.step(2, 0.1);
    expect(Math.abs(world.last('carry').turn?.[2] ?? 0), 'upside down').toBeCloseTo(1, 9);
    hand.tip();
    hand.tip();
    hand.tipForward();
    hand.step(3, 0.1);
    const [w = 0, x = 0] = world.last('carry').turn ?? [];
    expect(w * x, 'away from the builder').toBeCloseTo(-0.5, 9);
  });

  it('keeps showing the piece for a moment where it was let go, then as the world has it', () => {
    hand.putDown();
    follow(1, 2);
    expect(world.of('release')).toHaveLength(1);
    const at = world.heard.length;
    hand.step(3.05, 0.01);
    expect(hand.shown).toBeNull();
    expect(world.heard).toHaveLength(at);
  });

  it('does not move what it has let go of', () => {
    hand.putDown();
    hand.moveTo(0.4, 0.4);
    follow(1, 2);
    expect(world.last('carry').to?.[0]).toBeCloseTo(0, 6);
  });

  it('forgets the piece that was knocked out of it', () => {
    hand.drop();
    expect([hand.holding, hand.shown, hand.piece]).toEqual([false, null, null]);
    const at = world.heard.length;
    hand.step(1, 1);
    expect(world.heard).toHaveLength(at);
    expect(hand.heightAt(0, 0)).toBe(0);
  });
});
