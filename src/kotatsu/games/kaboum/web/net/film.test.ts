/** A stored turn is shown smoothly, at any moment. */
import { describe, expect, it } from 'vitest';
import { Film } from './film';
import type { Frame, Pose } from './frames';

const pose = (x: number): Pose => ({ x, y: 0, z: 0, qw: 1, qx: 0, qy: 0, qz: 0 });
const frame = (tick: number, x: number): Frame => ({
  tick,
  held: null,
  secondsLeft: 60 - tick / 60,
  bodies: new Map([[3, pose(x)]]),
  aims: new Map(),
  ghost: undefined,
});
const film = () => new Film([frame(0, 0), frame(2, 0.02), frame(4, 0.04), frame(120, 0.04)]);

describe('Film', () => {
  it('shows what was between two frames', () => {
    const shown = film();
    shown.jump(1);
    expect(shown.poses[3]?.x).toBeCloseTo(0.01);
    shown.jump(500);
    expect(shown.tick).toBe(120);
    expect(shown.secondsLeft).toBe(58);
  });

  it('runs to a moment at the speed it is told, and says when it is there', async () => {
    const shown = film();
    let there = false;
    shown.speed = 0.5;
    const done = shown.runTo(60).then(() => (there = true));
    shown.step(1);
    expect(shown.tick).toBe(30);
    expect(shown.running).toBe(true);
    shown.step(10);
    await done;
    expect(there).toBe(true);
    expect(shown.tick).toBe(60);
  });

  it('lets go of whoever waits when it jumps', async () => {
    const shown = film();
    const done = shown.runTo(100);
    shown.jump(0);
    await done;
    expect(shown.running).toBe(false);
  });

  it('shows how catapults were aimed at a moment, as last heard', () => {
    const aim = { at: 0.1, yaw: 0, pitch: 0, power: 0.5, big: false, loadedIn: 0 };
    const later = { ...aim, at: 0.2 };
    const shown = new Film([
      { ...frame(0, 0), aims: new Map([[1, aim]]) },
      frame(2, 0.02),
      {
        ...frame(4, 0.04),
        aims: new Map([
          [1, later],
          [2, aim],
        ]),
      },
    ]);
    shown.jump(3);
    expect([...shown.aims]).toEqual([[1, aim]]);
    shown.jump(4);
    expect([...shown.aims]).toEqual([
      [1, later],
      [2, aim],
    ]);
  });

  it('keeps a body where it was last seen', () => {
    const shown = new Film([frame(0, 0.5), { ...frame(10, 0), bodies: new Map() }, frame(20, 0.7)]);
    shown.jump(10);
    expect(shown.poses[3]?.x).toBe(0.5);
    shown.jump(15);
    expect(shown.poses[3]?.x).toBeCloseTo(0.6);
    expect(shown.poses[4]).toBeNull();
  });

  it('is at once where it already is, and stands still without a goal', async () => {
    const shown = film();
    shown.jump(50);
    await shown.runTo(20);
    expect([shown.tick, shown.running]).toEqual([50, false]);
    shown.step(5);
    expect(shown.tick).toBe(50);
  });

  it('of nothing shows nothing', () => {
    const shown = new Film([]);
    shown.jump(7);
    expect([shown.tick, shown.last, shown.secondsLeft, shown.poses.length, shown.aims.size]).toEqual([
      0, 0, 0, 0, 0,
    ]);
  });
});
