/** The 81 cells as they are looked at: which one has the focus, which one is pointed at, and what that lights up. */
import { ALL, cellAt, columnOf, conflicts, digitAt, rowOf, sees, SIZE, type Rows } from './grid';

/** What the cells need to know of their board. */
export interface GridSource {
  /** What lies open, now or at the lift the review stands before. */
  readonly visible: Rows;
  readonly liftable: ReadonlySet<number>;
  /** The digit that is looked for. */
  readonly wanted: number | null;
  /** Conflicts are shown. */
  readonly checking: boolean;
  /** The stone a finger has chosen and not lifted yet. */
  readonly armed: number | null;
  /** The stone lifted last. */
  readonly last: number | null;
  /** What a hint or the review points at, by the name of its style. */
  readonly lit: ReadonlyMap<number, string>;
  readonly marksOn: (cell: number) => readonly number[];
}

/** How a cell looks. */
export interface CellLook {
  /** The digit that lies open; 0 under a stone. */
  digit: number;
  /** The style of what a hint or the review points at; empty for none. */
  hint: string;
  may: boolean;
  /** It shows the digit that is looked for. */
  sought: boolean;
  /** It shows the same digit as the cell pointed at. */
  same: boolean;
  /** It is in sight of the stone pointed at. */
  peer: boolean;
  /** It forbids the digit looked for under the stone pointed at. */
  clash: boolean;
  armed: boolean;
  last: boolean;
}

const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Where a key leads from a cell: the board closes to a ring in both directions; `null` for other keys. */
export function cellAfter(key: string, cell: number): number | null {
  const step = STEPS[key];
  const wrap = (line: number) => (line + SIZE) % SIZE;
  if (step) return cellAt(wrap(rowOf(cell) + step[0]), wrap(columnOf(cell) + step[1]));
  if (key === 'Home') return cellAt(rowOf(cell), 0);
  if (key === 'End') return cellAt(rowOf(cell), SIZE - 1);
  return null;
}

export class GridState {
  /** The cell the keyboard is on; it keeps its place while the focus is elsewhere. */
  current = $state(cellAt(4, 4));
  pointed = $state<number | null>(null);

  constructor(private readonly source: GridSource) {}

  /** The open cells that forbid the digit looked for under the stone pointed at. */
  clashes = $derived.by<readonly number[]>(() => {
    const { checking, wanted, visible } = this.source;
    if (!checking || this.pointed === null || wanted === null || digitAt(visible, this.pointed) > 0)
      return [];
    return conflicts(visible, this.pointed, wanted);
  });
  /** The open digit pointed at; 0 for none. */
  spotlight = $derived.by(() => (this.pointed === null ? 0 : digitAt(this.source.visible, this.pointed)));

  point(cell: number | null): void {
    this.pointed = cell;
  }

  /** The keyboard came to a cell. */
  enter(cell: number | null): void {
    this.pointed = cell;
    this.current = cell ?? this.current;
  }

  look(cell: number): CellLook {
    const { visible, liftable, wanted, armed, last, lit } = this.source;
    const { pointed, spotlight } = this;
    const digit = digitAt(visible, cell);
    const elsewhere = pointed !== null && pointed !== cell;
    return {
      digit,
      hint: lit.get(cell) ?? '',
      may: liftable.has(cell),
      sought: digit > 0 && digit === wanted,
      same: elsewhere && spotlight > 0 && digit === spotlight,
      peer: elsewhere && spotlight === 0 && sees(pointed, cell),
      clash: this.clashes.includes(cell),
      armed: armed === cell,
      last: last === cell,
    };
  }

  /** Whether a mark is struck out: an open digit, or another lone mark, forbids it. */
  isWrong(cell: number, digit: number): boolean {
    const { checking, visible, marksOn } = this.source;
    if (!checking) return false;
    if (conflicts(visible, cell, digit).length > 0) return true;
    const alone = (each: number) => digitAt(visible, each) === 0 && marksOn(each).length === 1;
    return (
      alone(cell) &&
      ALL.some((each) => each !== cell && sees(cell, each) && alone(each) && marksOn(each)[0] === digit)
    );
  }
}
