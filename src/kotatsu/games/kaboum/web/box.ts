/** What is in the box, from the same files the rules and the referee read. Millimetres there, metres here. */
import data from '../data.json';
import towers from '../towers.json';
import { LARGE_DIE, PLACES } from './constants';

export const MM = 0.001;
export const SHAPES = data.shapes;
/** The shape of each of the 16 pieces, by its number. */
export const PIECES = data.shapes.flatMap((shape) =>
  Array<(typeof data.shapes)[number]>(data.copies).fill(shape),
);
export const GIANT = data.giant;
export const TILES = data.small_points.length + 1;
export const TABLE = data.table * MM;
export const ARCH_OPENING = data.arch_opening as [number, number];
export const POINTS = [...data.small_points, data.giant_points];
export const TOWERS = towers;

/** The edge of a die. */
export const edgeOf = (die: number): number => (die === LARGE_DIE ? data.large_die : data.small_die) * MM;

/** The place of a tile at a point of the table, by its number in `PLACES`. */
export function placeAt(x: number, y: number): number | null {
  const found = PLACES.findIndex(
    (place) => Math.abs(place.x - x) <= place.side / 2 && Math.abs(place.y - y) <= place.side / 2,
  );
  return found < 0 ? null : found;
}

/** The tile that lies at a place; the last place is the giant one's. */
export function tileAt(layout: readonly number[], place: number): number | null {
  return place === PLACES.length - 1 ? GIANT : (layout[place] ?? null);
}

/** The middle of a tile on the table. */
export function middleOf(layout: readonly number[], tile: number): { x: number; y: number } {
  const place = tile === GIANT ? PLACES.length - 1 : layout.indexOf(tile);
  const { x, y } = PLACES[place] ?? { x: 0, y: 0 };
  return { x, y };
}
