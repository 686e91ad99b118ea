/** Kabuki's board without a page: who may call, place and pass, which keys do it, and what holds the game up. */
import { language } from '$web/i18n/i18n.svelte';
import { isYou } from '$web/kit/seats';
import type { BoardProps } from '$web/screens/screens';
import { edgesOf } from './edges';
import { stopButton, type StopButton } from './stop';
import type { Fact, KabukiView, Move, RoundStarted } from './wire';
import { openWords, statusWords, TEXTS } from './words';

export type BoardInput = Pick<
  BoardProps<KabukiView, Fact>,
  'view' | 'names' | 'yours' | 'moves' | 'deadline' | 'play'
>;

/** The part of a `KeyboardEvent` the board looks at. */
export type BoardKey = Pick<KeyboardEvent, 'key' | 'code' | 'repeat'>;

const CURTAIN_MS = 1300;
const CLOSING_MS = 400;
const LAST_LOOK_MS = 3000;

const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

export class KabukiBoard {
  /** The fan of a check is folding up. */
  closing = $state(false);
  /** The round the curtain announces; `null` while it is open. */
  curtain = $state.raw<RoundStarted | null>(null);
  /** A game that ends with a check leaves a moment to look at it. */
  #lastLook = $state(false);
  /** Who has pressed, and for which placement: the page shows it before the table has ruled. */
  #presses = $state.raw<{ placement: number; seats: number[] }>({ placement: 0, seats: [] });
  readonly #input: () => BoardInput;
  readonly #wide: () => boolean;

  /** `input` gives what the shell tells the board; `wide` says whether there is room at the device's sides. */
  constructor(input: () => BoardInput, wide: () => boolean) {
    this.#input = input;
    this.#wide = wide;
  }

  words = $derived(TEXTS[language.lang]);
  #view = $derived.by(() => this.#input().view);
  #yours = $derived.by(() => this.#input().yours);
  over = $derived(this.#view.result !== null && !this.#lastLook);
  /** The only seat played here; `null` for several, and for a spectator. */
  only = $derived(this.#yours.length === 1 ? (this.#yours[0] ?? null) : null);
  /** Where several seats are played here: each one's “Stop!” at its own edge of the device. */
  edges = $derived.by(() => (this.#yours.length > 1 ? edgesOf(this.#yours, this.#wide()) : []));
  /** A number that is another for every mask that is placed. */
  #placement = $derived(this.#view.stacks.reduce((sum, { height }) => sum + height, 100 * this.#view.round));
  /** The seats that have pressed for the mask placed last. */
  pressed = $derived(
    this.#view.callers.length > 0 && this.#presses.placement === this.#placement ? this.#presses.seats : [],
  );
  /** The seat of this browser that may place the drawn mask. */
  placer = $derived.by<number | null>(() => {
    const may = (move: unknown) => (move as Move).move === 'place';
    return this.#input().moves.find(({ moves }) => moves.some(may))?.seat ?? null;
  });
  /** Whether the status shows a clock. The time to call is on the button, where there is one. */
  clocked = $derived.by(() => {
    const waitsFor = this.#input().deadline?.waits_for;
    return waitsFor === 'place' || (waitsFor === 'window' && this.only === null);
  });
  /** Who holds the drawn mask; `null` for oneself. */
  holder = $derived.by<string | null>(() =>
    isYou(this.#view.turn, this.#yours) ? null : (this.#input().names[this.#view.turn ?? -1] ?? ''),
  );
  status = $derived.by(() => statusWords(this.#view, this.#yours, this.#input().names, this.words));
  /** What lies open, said aloud; it is replaced, never kept. */
  said = $derived.by(() =>
    this.over ? '' : openWords(this.#view, this.#yours, this.#input().names, this.words),
  );

  /** The top mask of this stack is the one that can be called on. */
  isFresh(stack: number): boolean {
    const { placed, callers, check } = this.#view;
    return placed?.stack === stack && callers.length > 0 && check === null;
  }

  buttonOf(seat: number): StopButton {
    return stopButton(this.#view, seat, this.pressed.includes(seat), this.words);
  }

  stop(seat: number): void {
    if (!this.#view.callers.includes(seat) || this.pressed.includes(seat)) return;
    this.#presses = { placement: this.#placement, seats: [...this.pressed, seat] };
    this.#input().play(seat, { move: 'stop' });
  }

  pass(seat: number): void {
    if (this.buttonOf(seat).mayPass) this.#input().play(seat, { move: 'pass' });
  }

  place(stack: number): void {
    if (this.placer !== null) this.#input().play(this.placer, { move: 'place', stack });
  }

  /** A key: the letter of a seat at an edge, 1 to 4 for an actor; with one seat, space calls and P passes. */
  press({ key, code, repeat }: BoardKey): void {
    if (repeat) return;
    const letter = key.toUpperCase();
    const edge = this.edges.find((each) => each.letter === letter);
    if (edge) this.stop(edge.seat);
    else if (/^[1-4]$/.test(key)) this.place(Number(key) - 1);
    else if (this.only === null) return;
    else if (code === 'Space') this.stop(this.only);
    else if (letter === 'P') this.pass(this.only);
  }

  /**
   * What a fact holds up: the curtain before a round, the fan that folds up, a last look at a check. To be
   * asked before the fact is folded; `undefined` for a fact that holds up nothing. `still`: nothing moves.
   */
  stage(fact: Fact, still: boolean): (() => Promise<void>) | undefined {
    if (fact.fact === 'round_started') return () => this.#drawCurtain(fact);
    if (fact.fact === 'check_closed' && !still) return () => this.#foldUp();
    if (fact.fact === 'game_ended' && this.#view.check) {
      this.#lastLook = true;
      return () => this.#lookOnce();
    }
    return undefined;
  }

  async #drawCurtain(round: RoundStarted): Promise<void> {
    this.curtain = round;
    await wait(CURTAIN_MS);
    this.curtain = null;
  }

  /** The game goes on meanwhile. */
  async #foldUp(): Promise<void> {
    this.closing = true;
    setTimeout(() => (this.closing = false), CLOSING_MS);
  }

  async #lookOnce(): Promise<void> {
    await wait(LAST_LOOK_MS);
    this.#lastLook = false;
  }
}
