/** What a game's own screen is: the words, the drawings, the board and the fold it gives the shell. */
import type { Component } from 'svelte';
import type { Lang } from '../i18n/i18n.svelte';
import type {
  Deadline,
  Receipt,
  ReplayStep,
  SeatInfo,
  SeatMoves,
  TableInfo,
  Waiting,
} from '../protocol/wire';

export interface Outcome {
  scores: number[];
  winners: number[];
  breakdown: Record<string, number>[];
  /** How it ended, where that is not a matter of course: a key of the texts' `endings`. */
  ending?: string;
}

/** The words a game gives the shell, in one language. */
export interface GameTexts {
  title: string;
  tagline: string;
  options: Record<string, { label: string; help?: string; choices?: Record<string, string> }>;
  /** Why a move was refused, by clause. */
  refusals: Record<string, string>;
  /** The parts of a score. */
  breakdown: Record<string, string>;
  /** Ways for a game to end that the result mentions. */
  endings?: Record<string, string>;
  /** What there is to look at after the game; the table, unless said. */
  look?: string;
}

/** Measures before a fact is shown and, when it gives a function back, moves things afterwards. */
export type Director<Fact> = (fact: Fact) => (() => Promise<void>) | undefined;

/** A finished game that is seen again: all its steps, the one on screen, and how fast it runs. */
export interface Again {
  steps: readonly ReplayStep[];
  at: number;
  speed: number;
  /** It goes on by itself, and every fact passes the board's director. */
  flows: boolean;
}

export interface BoardProps<View = unknown, Fact = unknown> {
  view: View;
  info: TableInfo;
  seats: SeatInfo[];
  names: string[];
  yours: number[];
  acting: number[];
  /** What each seat of this browser may do now; empty while facts are still being shown. */
  moves: SeatMoves[];
  /** When the time of whoever is waited for is up, on the clock of `performance.now()`. */
  due: number | null;
  /** What that time is for. */
  deadline: Deadline | null;
  /** The latest ruling on who pressed first. */
  receipt: Receipt | null;
  play: (seat: number, move: unknown) => void;
  /** Register the board's director; gives back a function that takes it away. */
  direct: (director: Director<Fact>) => () => void;
  /** What happened, in words, the newest last. */
  log: { id: number; text: string }[];
  /** Not at a live table: the game is over and seen again. */
  again?: Again;
}

export interface Teller {
  names: string[];
  yours: number[];
  lang: Lang;
}

export interface Screen<View = unknown, Fact = unknown> {
  texts: Record<Lang, GameTexts>;
  art: Component;
  board: () => Promise<{ default: Component<BoardProps<View, Fact>> }>;
  howTo: () => Promise<{ default: Component<{ lang: Lang }> }>;
  /**
   * The view after one more fact. Pure, and without rules. It may keep more than the server's view has;
   * a test holds the rest against the server's, for every game that has a screen.
   */
  fold: (view: View, fact: Fact) => View;
  /** The view once a step's facts are folded: whose move it is comes from the server. */
  settle: (view: View, waiting: Waiting | null, facts: Fact[]) => View;
  /** Whether the next fact waits a moment after this one; it does, unless the screen says otherwise. */
  pauses?: (fact: Fact) => boolean;
  /** Whether a seat that may make these moves has its turn; it has, unless the screen says otherwise. */
  isTurn?: (moves: unknown[]) => boolean;
  outcome: (view: View) => Outcome | null;
  /** One fact in words, for the log and the screen reader; `null` when it is not worth a line, or not to be kept. */
  tell: (fact: Fact, teller: Teller) => string | null;
}

/** A game's title where no screen tells a better one. */
export function plainTitle(game: string): string {
  return game.charAt(0).toUpperCase() + game.slice(1).replaceAll('_', ' ');
}

/** Ties a screen's own types to the shell, which treats them as unknown. */
export function defineScreen<View, Fact>(screen: Screen<View, Fact>): Screen {
  return screen as unknown as Screen;
}
