/** How masks are laid out on an open fan: in rings from the outside in, as large as they fit. */

export interface Blade {
  /** In degrees from upright. */
  angle: number;
  /** From the rivet, as a share of the fan's width. */
  radius: number;
}

export interface Fan {
  /** The width of a mask, as a share of the fan's width. */
  size: number;
  blades: Blade[];
}

const OUTER = 0.42;
const HALF = 76;
const SIZES = [0.2, 0.172, 0.15, 0.128, 0.108, 0.09, 0.076, 0.064];

export function fanOf(count: number): Fan {
  const last = SIZES.length - 1;
  const fitting = SIZES.findIndex((size) => ringsOf(size).reduce((sum, { room }) => sum + room, 0) >= count);
  const size = SIZES[fitting === -1 ? last : fitting] ?? 0.1;
  const blades: Blade[] = [];
  for (const { radius, room } of ringsOf(size)) {
    const here = Math.min(room, count - blades.length);
    if (here <= 0) break;
    const half = (HALF * (here - 1)) / Math.max(1, room - 1);
    for (let index = 0; index < here; index += 1)
      blades.push({ radius, angle: here === 1 ? 0 : -half + (2 * half * index) / (here - 1) });
  }
  return { size, blades };
}

function ringsOf(size: number): { radius: number; room: number }[] {
  const rings = [];
  for (let radius = Math.min(OUTER, 0.495 - size / 2); radius > size * 0.9; radius -= size * 1.04)
    rings.push({ radius, room: Math.floor((radius * HALF * Math.PI) / 90 / (size * 0.98)) + 1 });
  return rings;
}
