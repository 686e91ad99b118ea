/** Rotations as unit quaternions: w, x, y, z. */

export type Quaternion = [number, number, number, number];

/** `b`, then `a`. */
export function times(a: Quaternion, b: Quaternion): Quaternion {
  const [aw, ax, ay, az] = a;
  const [bw, bx, by, bz] = b;
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

/** The same body standing straight: the side that looks up most looks up altogether. */
export function upright(turn: Quaternion): Quaternion {
  const length = Math.hypot(...turn) || 1;
  const [w, x, y, z] = turn.map((part) => part / length) as Quaternion;
  const axes: [number, number, number][] = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  const up = axes.reduce((best, axis) => (Math.abs(axis[2]) > Math.abs(best[2]) ? axis : best));
  const sign = up[2] < 0 ? -1 : 1;
  const [ax, ay, az] = [sign * up[0], sign * up[1], sign * up[2]];
  const size = Math.hypot(1 + az, ay, ax);
  return times([(1 + az) / size, ay / size, -ax / size, 0], [w, x, y, z]);
}
