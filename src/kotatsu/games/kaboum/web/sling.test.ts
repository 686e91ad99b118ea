/** A catapult is set, aimed and pulled within what the world takes, and says so at once. */
import { beforeEach, describe, expect, it } from 'vitest';
import { RAIL, MAX_PITCH } from './constants';
import { railPlace } from './rail';
import { PULL, Sling } from './sling';
import { FakeWorld } from './testing/fakes';

let world: FakeWorld;
let sling: Sling;
/** From the middle of the far side straight at the builder. */
const FAR_MIDDLE = (2 * RAIL.x + 2 * RAIL.y + RAIL.x) / (4 * (RAIL.x + RAIL.y));

beforeEach(() => {
  world = new FakeWorld();
  sling = new Sling(2, world, FAR_MIDDLE, false);
});

describe('Sling', () => {
  it('looks at the middle of the table, and says so', () => {
    expect(sling.aim.yaw).toBeCloseTo(-Math.PI / 2, 6);
    expect(world.heard).toEqual([
      { move: 'aim', seat: 2, at: FAR_MIDDLE, yaw: sling.aim.yaw, pitch: 0.7, power: 0.12, big: false },
    ]);
  });

  it('keeps to the middle as it slides along the rail, and goes on around the corner', () => {
    for (let step = 0; step < 60; step++) {
      sling.slide(0.02);
      const [x, y] = railPlace(sling.aim.at);
      expect(Math.cos(sling.aim.yaw - Math.atan2(-y, -x))).toBeCloseTo(1, 6);
      expect(sling.aim.at).toBeGreaterThanOrEqual(0);
      expect(sling.aim.at).toBeLessThan(1);
    }
    sling.slide(-5);
    expect(sling.aim.at).toBeGreaterThanOrEqual(0);
  });

  it('keeps what it is turned aside when it slides', () => {
    sling.turnBy(0.3);
    sling.slide(0.1);
    const [x, y] = railPlace(sling.aim.at);
    const aside = sling.aim.yaw - Math.atan2(-y, -x);
    expect(Math.atan2(Math.sin(aside), Math.cos(aside))).toBeCloseTo(0.3, 6);
  });

  it('is put where somebody points', () => {
    sling.placeAt(RAIL.x, 0);
    const [x, y] = railPlace(sling.aim.at);
    expect(x).toBeCloseTo(RAIL.x, 6);
    expect(Math.abs(y)).toBeLessThan(0.01);
    expect(Math.cos(sling.aim.yaw)).toBeCloseTo(-1, 2);
  });

  it('shoots the other way than it is pulled, the stronger the further', () => {
    const [x, y] = railPlace(FAR_MIDDLE);
    sling.pull(x + PULL / 2, y);
    expect(Math.cos(sling.aim.yaw)).toBeCloseTo(-1, 6);
    expect(sling.aim.power).toBeCloseTo(0.5, 6);
    sling.pull(x, y + 2 * PULL);
    expect(sling.aim.yaw).toBeCloseTo(-Math.PI / 2, 6);
    expect(sling.aim.power).toBe(1);
    const before = sling.aim;
    sling.pull(x, y + 0.005);
    expect(sling.aim, 'a pull of nothing has no direction').toBe(before);
  });

  it('stays within what the world takes', () => {
    sling.tilt(10);
    expect(sling.aim.pitch).toBeGreaterThan(1);
    expect(sling.aim.pitch).toBeLessThanOrEqual(MAX_PITCH);
    sling.tilt(-10);
    expect(sling.aim.pitch).toBe(0);
    sling.draw(10);
    expect(sling.aim.power).toBe(1);
    sling.draw(-10);
    expect(sling.aim.power).toBe(0);
    for (let turn = 0; turn < 9; turn++) sling.turnBy(1);
    expect(Math.abs(sling.aim.yaw)).toBeLessThanOrEqual(Math.PI);
  });

  it('says how it is aimed before it fires', () => {
    sling.turnBy(0.1);
    sling.fire();
    expect(world.heard.at(-2)).toMatchObject({ move: 'aim', yaw: sling.aim.yaw });
    expect(world.heard.at(-1)).toEqual({ move: 'fire', seat: 2 });
  });

  it('takes the large die', () => {
    sling.set({ big: true });
    expect(world.last('aim').big).toBe(true);
  });
});
