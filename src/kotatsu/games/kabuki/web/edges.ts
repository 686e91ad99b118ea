/** Where the seats of one device have their “Stop!”: clockwise around the table, the first at the bottom. */

export type Side = 'bottom' | 'left' | 'top' | 'right';

const AROUND: Record<number, Side[]> = {
  2: ['bottom', 'top'],
  3: ['bottom', 'left', 'right'],
  4: ['bottom', 'left', 'top', 'right'],
  5: ['bottom', 'left', 'top', 'top', 'right'],
  6: ['bottom', 'left', 'top', 'top', 'right', 'bottom'],
};
/** A phone has no room at its sides. */
const FACING: Record<number, Side[]> = {
  2: ['bottom', 'top'],
  3: ['bottom', 'top', 'top'],
  4: ['bottom', 'top', 'top', 'bottom'],
  5: ['bottom', 'top', 'top', 'top', 'bottom'],
  6: ['bottom', 'top', 'top', 'top', 'bottom', 'bottom'],
};
/** Far apart on every keyboard, so that many hands find room. */
const LETTERS = ['A', 'L', 'P', 'E', 'V', 'M'];

export interface Edge {
  seat: number;
  side: Side;
  letter: string;
}

export function edgesOf(seats: readonly number[], wide: boolean): Edge[] {
  const sides = (wide ? AROUND : FACING)[seats.length] ?? [];
  return seats.map((seat, index) => ({
    seat,
    side: sides[index] ?? 'bottom',
    letter: LETTERS[index] ?? '',
  }));
}

/** One side's seats from left to right, or from top to bottom. */
export function along(edges: readonly Edge[], side: Side): Edge[] {
  const [first, ...rest] = edges.filter((edge) => edge.side === side);
  if (first === undefined) return [];
  // Clockwise one comes to the bottom from its right; the first seat sits at its left end.
  return side === 'bottom' ? [first, ...rest.toReversed()] : [first, ...rest];
}
