/** The board's geometry: 81 cells counted row by row, as in the rules. */

export const SIZE = 9;
export const CELLS = SIZE * SIZE;
export const LINES = Array.from({ length: SIZE }, (_, line) => line);
export const DIGITS = LINES.map((line) => line + 1);

export type Rows = readonly (readonly number[])[];

export const cellAt = (row: number, column: number): number => row * SIZE + column;
export const rowOf = (cell: number): number => Math.floor(cell / SIZE);
export const columnOf = (cell: number): number => cell % SIZE;
export const squareOf = (cell: number): number =>
  Math.floor(rowOf(cell) / 3) * 3 + Math.floor(columnOf(cell) / 3);

export const ALL = Array.from({ length: CELLS }, (_, cell) => cell);

/** The cells in sight of one cell: those of its row, column and square. */
export const PEERS: readonly (readonly number[])[] = ALL.map((cell) =>
  ALL.filter((other) => other !== cell && sees(cell, other)),
);

export function sees(cell: number, other: number): boolean {
  return (
    rowOf(cell) === rowOf(other) || columnOf(cell) === columnOf(other) || squareOf(cell) === squareOf(other)
  );
}

/** The digit that lies open in a cell; 0 under a stone. */
export const digitAt = (visible: Rows, cell: number): number => visible[rowOf(cell)]?.[columnOf(cell)] ?? 0;

export const countOf = (visible: Rows, digit: number): number =>
  visible.flat().filter((each) => each === digit).length;

/** The digits that lie open in a cell's row, column and square, each in order. */
export function around(visible: Rows, cell: number): { row: number[]; column: number[]; square: number[] } {
  const open = (same: (other: number) => boolean) =>
    ALL.filter(same)
      .map((other) => digitAt(visible, other))
      .filter((digit) => digit > 0)
      .toSorted((a, b) => a - b);
  return {
    row: open((other) => rowOf(other) === rowOf(cell)),
    column: open((other) => columnOf(other) === columnOf(cell)),
    square: open((other) => squareOf(other) === squareOf(cell)),
  };
}

/** The open cells that forbid a digit under this stone. */
export function conflicts(visible: Rows, cell: number, digit: number): number[] {
  return (PEERS[cell] ?? []).filter((other) => digitAt(visible, other) === digit);
}
