/** How much room bodies take, and what is below a place. */
import { describe, expect, it } from 'vitest';
import { PIECES } from './box';
import { FIRST_DIE, LARGE_DIE } from './constants';
import type { Pose } from './net/frames';
import { halfBox, supportUnder } from './solid';
import { pose } from './testing/fakes';

const PLANK = PIECES.findIndex(({ name }) => name === 'plank');
const PILLAR = PIECES.findIndex(({ name }) => name === 'pillar');
const turned = (degrees: number, x: number, y: number, z: number): Pose => {
  const half = (degrees * Math.PI) / 360;
  const s = Math.sin(half);
  return { x: 0, y: 0, z: 0, qw: Math.cos(half), qx: s * x, qy: s * y, qz: s * z };
};
const close = (found: number[], wanted: number[]) =>
  wanted.forEach((each, i) => expect(found[i]).toBeCloseTo(each, 9));

describe('halfBox', () => {
  it('is half a piece as it lies in the box', () =>
    close(halfBox(PLANK, pose(0, 0, 0)), [0.06, 0.015, 0.0075]));

  it('turns with it', () => {
    close(halfBox(PLANK, turned(90, 0, 0, 1)), [0.015, 0.06, 0.0075]);
    close(halfBox(PLANK, turned(90, 0, 1, 0)), [0.0075, 0.015, 0.06]);
    close(halfBox(PLANK, turned(90, 1, 0, 0)), [0.06, 0.0075, 0.015]);
  });

  it('holds all of a piece that lies askew', () => {
    const reach = (0.06 + 0.015) * Math.SQRT1_2;
    close(halfBox(PLANK, turned(45, 0, 0, 1)), [reach, reach, 0.0075]);
  });

  it('knows the dice', () => {
    close(halfBox(FIRST_DIE, pose(0, 0, 0)), [0.008, 0.008, 0.008]);
    close(halfBox(FIRST_DIE + LARGE_DIE, pose(0, 0, 0)), [0.0125, 0.0125, 0.0125]);
  });
});

describe('supportUnder', () => {
  const poses: (Pose | null)[] = [];
  poses[PILLAR] = pose(0, 0, 0.03);
  poses[PLANK] = pose(0, 0, 0.0675);
  poses[FIRST_DIE] = pose(0.2, 0, -0.39);

  it('is the top of the highest thing there', () => {
    expect(supportUnder(poses, -1, 0, 0, [0.01, 0.01])).toBeCloseTo(0.075, 9);
    expect(supportUnder(poses, PLANK, 0, 0, [0.01, 0.01])).toBeCloseTo(0.06, 9);
  });

  it('is the table where nothing is, and below a footprint that only just passes', () => {
    expect(supportUnder(poses, -1, 0.3, 0.3, [0.01, 0.01])).toBe(0);
    expect(supportUnder(poses, PLANK, 0.0251, 0, [0.01, 0.01])).toBe(0);
    expect(supportUnder(poses, PLANK, 0.0249, 0, [0.01, 0.01])).toBeCloseTo(0.06, 9);
  });

  it('does not count what lies on the floor', () => {
    expect(supportUnder(poses, -1, 0.2, 0, [0.01, 0.01])).toBe(0);
  });
});
