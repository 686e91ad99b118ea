/** Positions and answers of the coach that several tests start from. */
import type { TableInfo } from '$web/protocol/wire';
import type { BoardInput } from './board.svelte';
import type { Chance, Deduction, DeductionStep, Hint, KakuzuOptions, KakuzuView, ReviewedLift } from './wire';

/** An empty board but for these digits, by row and column: `{ '30': 5 }`. */
export function rows(digits: Record<string, number> = {}): number[][] {
  return Array.from({ length: 9 }, (_, row) =>
    Array.from({ length: 9 }, (_, column) => digits[`${row}${column}`] ?? 0),
  );
}

const PLAIN: KakuzuOptions = { same_digit: false, announce: false, clock_s: 0, competitive: false };

type ViewChange = Partial<Omit<KakuzuView, 'options'>> & { options?: Partial<KakuzuOptions> };

/** Two players in the middle of a game: seat 0 looks for a 5. */
export function viewOf({ options, ...change }: ViewChange = {}): KakuzuView {
  return {
    phase: 'play',
    visible: rows({ '00': 5, '44': 1 }),
    first: 0,
    turn: 0,
    wanted: 5,
    drawn: [5],
    bag: [0, 1, 2, 3, 4, 6, 7, 8, 9],
    retired: [],
    kept: 0,
    stones: [3, 4],
    house: 0,
    clocks: [],
    grid: [],
    result: null,
    options: { ...PLAIN, ...options },
    ...change,
  };
}

/** What the shell tells the board; `sent` collects the moves it makes. */
export function inputOf(change: Partial<BoardInput> = {}): {
  told: BoardInput;
  sent: [seat: number, move: unknown][];
} {
  const sent: [number, unknown][] = [];
  const told: BoardInput = {
    view: viewOf(),
    info: { id: 'table', hints: true } as TableInfo,
    names: ['Ana', 'Bo'],
    yours: [0],
    moves: [],
    play: (seat, move) => sent.push([seat, move]),
    ...change,
  };
  return { told, sent };
}

export const step = (change: Partial<DeductionStep> = {}): DeductionStep => ({
  technique: 'hidden_single',
  digits: [5],
  cells: [[3, 6]],
  unit: { kind: 'square', index: 5 },
  because: [[5, 0]],
  excluded: [],
  ...change,
});

/** A 5 must lie at row 4, column 7. */
export const deduction = (change: Partial<Deduction> = {}): Deduction => ({
  cell: [3, 6],
  digit: 5,
  technique: 'hidden_single',
  steps: [step()],
  ...change,
});

export const chance = (change: Partial<Chance> = {}): Chance => ({
  cell: [8, 8],
  digit: 5,
  odds: 0.4,
  error: 0,
  ...change,
});

export const hint = (change: Partial<Hint> = {}): Hint => ({
  wanted: 5,
  certain: [],
  best: [],
  exact: true,
  remaining: 12,
  ...change,
});

export const lift = (change: Partial<ReviewedLift> = {}): ReviewedLift => ({
  seat: 0,
  wanted: 5,
  cell: [0, 0],
  digit: 5,
  to: 0,
  odds: 0.4,
  best: [8, 8],
  best_odds: 0.6,
  missed: null,
  ...change,
});

/** A `localStorage` that lives as long as a test. */
export function fakeStorage(): {
  store: Map<string, string>;
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
} {
  const store = new Map<string, string>();
  return {
    store,
    localStorage: {
      getItem: (key) => store.get(key) ?? null,
      setItem: (key, value) => void store.set(key, value),
      removeItem: (key) => void store.delete(key),
    },
  };
}

/** Answers the coach's questions as they come, in the order they are asked. */
export function fakeCoach(): {
  asked: string[];
  answer: (body: unknown, ok?: boolean) => Promise<void>;
  fetch: typeof fetch;
} {
  const asked: string[] = [];
  const open: ((answer: Response) => void)[] = [];
  return {
    asked,
    fetch: ((path: string) => {
      asked.push(path);
      return new Promise<Response>((done) => open.push(done));
    }) as typeof fetch,
    answer: async (body, ok = true) => {
      open.shift()?.({ ok, statusText: '', json: () => Promise.resolve(body) } as Response);
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    },
  };
}
