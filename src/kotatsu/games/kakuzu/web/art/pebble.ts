/** The outline of a pebble: every number gives another one, and always the same. */

const CORNERS = 9;
const RADIUS = 40;

/** A small, even and repeatable chance between 0 and 1. */
export function chance(seed: number, turn: number): number {
  const wild = Math.sin(seed * 127.1 + turn * 311.7 + 74.7) * 43758.5453;
  return wild - Math.floor(wild);
}

export function outline(seed: number): string {
  const squeeze = 0.9 + chance(seed, 90) * 0.1;
  const tilt = chance(seed, 91) * Math.PI;
  const points = Array.from({ length: CORNERS }, (_, corner) => {
    const angle = (corner / CORNERS) * 2 * Math.PI;
    const radius = RADIUS + (chance(seed, corner) - 0.5) * 6.5;
    const [x, y] = [Math.cos(angle) * radius, Math.sin(angle) * radius * squeeze];
    return [50 + x * Math.cos(tilt) - y * Math.sin(tilt), 50 + x * Math.sin(tilt) + y * Math.cos(tilt)];
  });
  return smooth(points as [number, number][]);
}

/** A closed curve through the points (Catmull–Rom, written as Bézier curves). */
function smooth(points: [number, number][]): string {
  const at = (index: number) => points[(index + points.length) % points.length] ?? [50, 50];
  const step = points.map((_, index) => {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)] as const;
    const [x1, y1] = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const [x2, y2] = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    return `C${[x1, y1, x2, y2, to[0], to[1]].map((value) => value.toFixed(1)).join(' ')}`;
  });
  const [x, y] = at(0);
  return `M${x.toFixed(1)} ${y.toFixed(1)}${step.join('')}Z`;
}

const TONES = [
  '#3d454d',
  '#474d55',
  '#515659',
  '#57544f',
  '#434a4f',
  '#363d46',
  '#524b45',
  '#464f49',
  '#4c4852',
];

export const tone = (seed: number): string => TONES[Math.floor(chance(seed, 92) * TONES.length)] ?? '#474d55';
