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
});
