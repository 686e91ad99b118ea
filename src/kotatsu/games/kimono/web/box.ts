/** What is in the box, from the same file the rules read. */
import data from '../data.json';
import type { Card, Style } from './wire';

export type Mark = 'first' | 'second' | 'third';
export type MotifType = 'animal' | 'plant';

export interface Fabric {
  number: number;
  motif: string;
  type: MotifType;
  mark: Mark;
}

export interface Kakemono {
  style: Style;
  /** From the smallest combination to the largest. */
  sizes: { size: number; points: number }[];
}

export const FABRICS = data.fabrics as Fabric[];
export const ACCESSORIES = data.accessories;
export const POINTS_PER_ACCESSORY = data.bonus.per_accessory;

export const BOARD: Kakemono[] = data.board.map(({ style, points }) => ({
  style: style as Style,
  sizes: Object.entries(points).map(([size, worth]) => ({ size: Number(size), points: worth })),
}));

/** How many cards a row of a fresh market has. */
export function rowLength(players: number): number {
  return data.tables.find((table) => table.players === players)?.row_length ?? 4;
}

export function pointsOf(style: Style, size: number): number {
  return (
    BOARD.find((kakemono) => kakemono.style === style)?.sizes.find((cell) => cell.size === size)?.points ?? 0
  );
}

/** The drawing of a card. */
export function drawingOf(card: Card): string {
  return typeof card.fabric === 'number' ? `km-fabric-${card.fabric}` : `km-adorn-${card.accessory ?? 0}`;
}
