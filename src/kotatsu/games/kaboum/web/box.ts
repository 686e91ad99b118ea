/** What is in the box, from the same files the rules and the referee read. Millimetres there, metres here. */
import data from '../data.json';
import towers from '../towers.json';

export const MM = 0.001;
export const SHAPES = data.shapes;
/** The shape of each of the 16 pieces, by its number. */
export const PIECES = data.shapes.flatMap((shape) =>
  Array<(typeof data.shapes)[number]>(data.copies).fill(shape),
);
export const FIRST_DIE = PIECES.length;
export const DICE = 10;
export const BODIES = FIRST_DIE + DICE;
export const LARGE_DIE = DICE - 1;
export const GIANT = data.giant;
export const TILES = data.small_points.length + 1;
export const TABLE = data.table * MM;
export const ARCH_OPENING = data.arch_opening as [number, number];
export const RELOAD_S = data.reload_s;
export const POINTS = [...data.small_points, data.giant_points];
export const TOWERS = towers;

/** The edge of a die. */
export const edgeOf = (die: number): number => (die === LARGE_DIE ? data.large_die : data.small_die) * MM;

/** Where a piece lies before it is used: in front of the builder, a row for each copy of the shapes. */
export function stockPlace(piece: number): [number, number, number] {
  const [shape, copy] = [Math.floor(piece / data.copies), piece % data.copies];
  const high = (PIECES[piece]?.size[2] ?? 0) * MM;
  return [(shape - (data.shapes.length - 1) / 2) * 0.128, -0.545 + 0.085 * copy, high / 2];
}

export interface Place {
  x: number;
  y: number;
  side: number;
}

/** Where tiles lie; the last is the giant one's. */
export const PLACES: Place[] = (() => {
  const [giantColumn, giantRow] = data.giant_at as [number, number];
  const [emptyColumn, emptyRow] = data.empty_at as [number, number];
  const cell = (column: number, row: number, side: number): Place => ({
    x: (column - (data.columns - 1) / 2) * data.tile * MM,
    y: (row - (data.rows - 1) / 2) * data.tile * MM,
    side: side * MM,
  });
  const small: Place[] = [];
  for (let row = 0; row < data.rows; row++)
    for (let column = 0; column < data.columns; column++) {
      const inGiant =
        (column === giantColumn || column === giantColumn + 1) && (row === giantRow || row === giantRow + 1);
      if (!inGiant && !(column === emptyColumn && row === emptyRow)) small.push(cell(column, row, data.tile));
    }
  return [...small, cell(giantColumn + 0.5, giantRow + 0.5, 2 * data.tile)];
})();

/** The place of a tile at a point of the table, by its number in `PLACES`. */
export function placeAt(x: number, y: number): number | null {
  const found = PLACES.findIndex(
    (place) => Math.abs(place.x - x) <= place.side / 2 && Math.abs(place.y - y) <= place.side / 2,
  );
  return found < 0 ? null : found;
}

/** The rail is one catapult's length away from the play area. */
export const RAIL = {
  x: ((data.columns * data.tile) / 2 + data.catapult) * MM,
  y: ((data.rows * data.tile) / 2 + data.catapult) * MM,
};

/** A place of the rail, counter-clockwise from the builder's left corner; `at` from 0 to 1. */
export function railPlace(at: number): [number, number] {
  let along = (((at % 1) + 1) % 1) * 4 * (RAIL.x + RAIL.y);
  if (along < 2 * RAIL.x) return [along - RAIL.x, -RAIL.y];
  along -= 2 * RAIL.x;
  if (along < 2 * RAIL.y) return [RAIL.x, along - RAIL.y];
  along -= 2 * RAIL.y;
  if (along < 2 * RAIL.x) return [RAIL.x - along, RAIL.y];
  along -= 2 * RAIL.x;
  return [-RAIL.x, RAIL.y - along];
}

/** The part of the rail that is nearest to a point of the table. */
export function nearestOnRail(x: number, y: number): number {
  let best = 0;
  let least = Infinity;
  for (let step = 0; step < 200; step++) {
    const [rx, ry] = railPlace(step / 200);
    const away = Math.hypot(rx - x, ry - y);
    if (away < least) [least, best] = [away, step / 200];
  }
  return best;
}

export const MUZZLE = 0.06;
export const SPEEDS: [number, number] = [1.3, 4.6];
export const GRAVITY = 9.81;

/** Points of the flight of a die in still air, until it is down on the table. */
export function flight(at: number, yaw: number, pitch: number, power: number): [number, number, number][] {
  const [x, y] = railPlace(at);
  const fast = SPEEDS[0] + (SPEEDS[1] - SPEEDS[0]) * power;
  const points: [number, number, number][] = [];
  for (let t = 0; t < 1.2; t += 0.014) {
    const along = fast * Math.cos(pitch) * t;
    const z = MUZZLE + fast * Math.sin(pitch) * t - (GRAVITY / 2) * t * t;
    points.push([x + along * Math.cos(yaw), y + along * Math.sin(yaw), Math.max(0, z)]);
    if (z < 0) break;
  }
  return points;
}
