/** A made-up page and a game of counting, for the tests of what the shell keeps in mind. */
import type { Component } from 'svelte';
import { FakeLine } from '../protocol/testing';
import type { GameTexts, Screen } from '../screens/screens';
import type { SeatInfo, TableInfo } from '../protocol/wire';

/**
 * A page at `http://house.test` that is looked at; `lines` are the sockets it has dialled.
 * `stub` puts a global in place (vitest's `vi.stubGlobal`); `less`: its visitor asked for less motion.
 */
export function fakePage(
  stub: (name: string, value: unknown) => unknown,
  { less = true } = {},
): {
  lines: FakeLine[];
  line: () => FakeLine;
  /** Something happens to the page: `online`, `visibilitychange`. */
  happen: (event: string) => void;
} {
  const lines: FakeLine[] = [];
  const listeners = new Map<string, Set<() => void>>();
  const addEventListener = (name: string, does: () => void) =>
    void listeners.set(name, (listeners.get(name) ?? new Set()).add(does));
  const removeEventListener = (name: string, does: () => void) => void listeners.get(name)?.delete(does);
  stub('location', { protocol: 'http:', host: 'house.test' });
  stub('matchMedia', () => ({ matches: less }));
  stub('addEventListener', addEventListener);
  stub('removeEventListener', removeEventListener);
  stub('document', { hidden: false, visibilityState: 'visible', addEventListener, removeEventListener });
  stub(
    'WebSocket',
    class extends FakeLine {
      constructor(address: string) {
        super(address);
        lines.push(this);
      }
    },
  );
  return {
    lines,
    line: () => lines.at(-1)!,
    happen: (event) => {
      for (const does of listeners.get(event) ?? []) does();
    },
  };
}

export interface Count {
  sum: number;
  turn: number | null;
}
/** `secret` is shown and never told. */
export type Counted = { add: number } | { secret: number };

const TEXTS: GameTexts = {
  title: 'Counting',
  tagline: '',
  options: {},
  refusals: { 'C-1': 'Too much.' },
  breakdown: {},
};

/** Facts add to a sum; at ten the game is over and seat 0 has won. */
export const counting = {
  texts: { en: TEXTS, fr: { ...TEXTS, refusals: { 'C-1': 'Trop.' } } },
  art: null as unknown as Component,
  board: () => Promise.reject(new Error('nothing is drawn here')),
  howTo: () => Promise.reject(new Error('nothing is drawn here')),
  fold: (view: Count, fact: Counted) => ({
    ...view,
    sum: view.sum + ('add' in fact ? fact.add : fact.secret),
  }),
  settle: (view: Count, waiting: { acting: number[] } | null) => ({
    ...view,
    turn: waiting?.acting[0] ?? null,
  }),
  outcome: ({ sum }: Count) => (sum < 10 ? null : { scores: [sum, 0], winners: [0], breakdown: [] }),
  tell: (fact: Counted, { yours }: { yours: number[] }) =>
    'add' in fact ? `${yours.length === 1 ? 'you' : 'they'} add ${fact.add}` : null,
} as unknown as Screen;

export const person = (change: Partial<SeatInfo> = {}): SeatInfo => ({
  kind: 'person',
  name: '',
  level: null,
  here: true,
  avatar: '',
  guest: false,
  stands_in: false,
  away: null,
  ...change,
});

export const table = (change: Partial<TableInfo> = {}): TableInfo => ({
  id: 't',
  game: 'counting',
  status: 'playing',
  options: {},
  seats: [person({ name: 'Ana' }), person({ name: 'Bo' })],
  watching: 0,
  outcome: null,
  rematch: null,
  settings: {},
  hints: false,
  ...change,
});
