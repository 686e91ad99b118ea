/** Quaternions multiply as turns do, and what stands crooked is set straight by the shortest way. */
import { describe, expect, it } from 'vitest';
import { times, upright, type Quaternion } from './turning';

const about = (x: number, y: number, z: number, degrees: number): Quaternion => {
  const half = (degrees * Math.PI) / 360;
  return [Math.cos(half), Math.sin(half) * x, Math.sin(half) * y, Math.sin(half) * z];
};
/** How much each of the body's own axes looks up. */
const ups = ([w, x, y, z]: Quaternion): number[] => [
  2 * (x * z - w * y),
  2 * (y * z + w * x),
  1 - 2 * (x * x + y * y),
];

describe('times', () => {
  it('is one turn after another', () => {
    const twice = times(about(0, 0, 1, 30), about(0, 0, 1, 60));
    about(0, 0, 1, 90).forEach((part, i) => expect(twice[i]).toBeCloseTo(part, 9));
    // A quarter about x and then one about z is not the same as the other way round.
    const [a, b] = [about(1, 0, 0, 90), about(0, 0, 1, 90)];
    expect(times(b, a)).not.toEqual(times(a, b));
    [0.5, 0.5, 0.5, 0.5].forEach((part, i) => expect(times(b, a)[i]).toBeCloseTo(part, 9));
  });
});

describe('upright', () => {
  it.each([
    ['nearly as in the box', times(about(1, 0, 0, 8), about(0, 0, 1, 25)), 2],
    ['on its side', about(1, 0, 0, 83), 1],
    ['on its end', about(0, 1, 0, -95), 0],
    ['upside down', about(1, 0, 0, 172), 2],
  ] as const)('sets a piece straight that lies %s', (_, turn, axis) => {
    const straight = upright([...turn]);
    expect(Math.hypot(...straight)).toBeCloseTo(1, 9);
    expect(Math.abs(ups(straight)[axis] ?? 0)).toBeCloseTo(1, 9);
    expect(Math.sign(ups(straight)[axis] ?? 0), 'the same side up').toBe(
      Math.sign(ups(turn as Quaternion)[axis] ?? 0),
    );
  });

  it('leaves alone what stands straight, however it is turned about the vertical', () => {
    const turned = about(0, 0, 1, 37);
    turned.forEach((part, i) => expect(upright(turned)[i]).toBeCloseTo(part, 9));
  });

  it('takes what is not of length 1', () => {
    upright([2, 0, 0, 0]).forEach((part, i) => expect(part).toBeCloseTo([1, 0, 0, 0][i] ?? 0, 9));
  });
});
