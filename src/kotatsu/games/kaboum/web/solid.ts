/** How much room bodies take, and what is below a place: enough to carry a piece over things and put it on them. */
import { edgeOf, MM, PIECES } from './box';
import { FIRST_DIE } from './constants';
import type { Pose } from './net/frames';

/** The top of the highest body under a footprint of half sizes `hx` and `hy`; 0 is the table. */
export function supportUnder(
  poses: readonly (Pose | null)[],
  but: number,
  x: number,
  y: number,
  [hx, hy]: readonly [number, number],
): number {
  let top = 0;
  poses.forEach((pose, body) => {
    if (!pose || body === but || pose.z < 0) return;
    const [bx, by, bz] = halfBox(body, pose);
    if (Math.abs(pose.x - x) < bx + hx && Math.abs(pose.y - y) < by + hy) top = Math.max(top, pose.z + bz);
  });
  return top;
}

/** Half the box around a body as it lies, along the world's axes. */
export function halfBox(body: number, { qw, qx, qy, qz }: Pose): [number, number, number] {
  const die = edgeOf(body - FIRST_DIE);
  const size = PIECES[body]?.size.map((each) => each * MM) ?? [die, die, die];
  const [a = 0, b = 0, c = 0] = size.map((each) => each / 2);
  const reach = (i: number, j: number, k: number) => Math.abs(i) * a + Math.abs(j) * b + Math.abs(k) * c;
  return [
    reach(1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qw * qz), 2 * (qx * qz + qw * qy)),
    reach(2 * (qx * qy + qw * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qw * qx)),
    reach(2 * (qx * qz - qw * qy), 2 * (qy * qz + qw * qx), 1 - 2 * (qx * qx + qy * qy)),
  ];
}
