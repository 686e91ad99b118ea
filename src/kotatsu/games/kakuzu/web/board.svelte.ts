/** Kakuzu's board without a page: what may be lifted or named, the aids, and which move a click or a key makes. */
import { language } from '$web/i18n/i18n.svelte';
import { digitOf } from '$web/kit/keys';
import { firstOffer, ownSeat, seatsFrom } from '$web/kit/seats';
import { keep, kept } from '$web/kit/storage';
import type { BoardProps } from '$web/screens/screens';
import { Advice } from './advice.svelte';
import type { Lit } from './coach';
import { cellAt, columnOf, digitAt, rowOf, type Rows } from './grid';
import { cellAfter, GridState, type GridSource } from './gridstate.svelte';
import { Pencil } from './marks.svelte';
import type { Fact, KakuzuView, Lifted, Move } from './wire';
import { statusWords, TEXTS } from './words';

export type BoardInput = Pick<
  BoardProps<KakuzuView, Fact>,
  'view' | 'info' | 'names' | 'yours' | 'moves' | 'play'
>;

/** What there is to do: name a digit, or lift a stone. */
export type Task = 'name' | 'lift';

/** Where the keyboard's focus is: on nothing, on the stones or the digits to name, or elsewhere on the page. */
export type FocusPlace = 'nowhere' | 'play' | 'elsewhere';

const CHECKING = 'kotatsu.kakuzu.conflicts';
const NONE: ReadonlyMap<number, number> = new Map();
const NOWHERE: Lit = new Map();

export class KakuzuBoard implements GridSource {
  pencilling = $state(false);
  /** The digit the pencil writes. */
  penDigit = $state(1);
  checking = $state(kept(CHECKING) === 'yes');
  /** The stone lifted last, by whomever. */
  #last = $state<number | null>(null);
  /** What the latest stone brought to light, until something else happens. */
  #found = $state.raw<Lifted | null>(null);
  /** The stone a finger has chosen, and the position it was chosen in. */
  #armed = $state.raw<{ cell: number; view: KakuzuView } | null>(null);
  readonly #pencils = new Map<number | null, Pencil>();
  readonly #table: string;
  readonly #input: () => BoardInput;
  readonly #coarse: () => boolean;
  readonly advice: Advice;
  readonly grid: GridState;

  /**
   * `input` gives what the shell tells the board. `coarse`: fingers are wider than stones; with them a stone
   * is chosen first and lifted by a second touch.
   */
  constructor(input: () => BoardInput, coarse: () => boolean) {
    this.#input = input;
    this.#coarse = coarse;
    this.#table = input().info.id;
    this.advice = new Advice(this.#table);
    this.grid = new GridState(this);
  }

  words = $derived(TEXTS[language.lang]);
  #view = $derived.by(() => this.#input().view);
  #yours = $derived.by(() => this.#input().yours);
  #offer = $derived.by(() => firstOffer<Move>(this.#input().moves));
  /** The seat of this browser that may move; `null` for none. */
  acting = $derived(this.#offer.seat);
  /** The seat the pencil and the coach are for; `null` for a spectator. */
  self = $derived(ownSeat(this.#view.turn, this.#yours));
  /** The players in the order they are drawn: oneself first. */
  order = $derived(seatsFrom(this.#yours[0] ?? 0, this.#view.stones.length));
  over = $derived(this.#view.phase === 'over');
  liftable = $derived(
    new Set(this.#offer.moves.flatMap((move) => (move.move === 'announce' ? [] : [cellAt(...move.cell)]))),
  );
  nameable = $derived(
    new Set(this.#offer.moves.flatMap((move) => (move.move === 'announce' ? [move.digit] : []))),
  );
  task = $derived.by<Task | null>(() => {
    if (this.nameable.size > 0) return 'name';
    return this.liftable.size > 0 ? 'lift' : null;
  });
  /** A finger that meant another position must not lift a stone in this one. */
  armed = $derived(this.#armed?.view === this.#view ? this.#armed.cell : null);

  #pencil = $derived.by(() => this.#pencilOf(this.self));
  /** There is something to erase. */
  marked = $derived(this.#pencil.any);
  /** Whether the coach gives hints before the game is over; at which tables it does, the server says. */
  coached = $derived.by(() => this.self !== null && !this.over && this.#input().info.hints);
  /** What the coach shows: what went wrong, the review, a hint, or that it is still thinking. */
  coachShows = $derived.by<'problem' | 'review' | 'hint' | 'thinking' | null>(() => {
    if (this.advice.problem !== '') return 'problem';
    if (this.advice.review) return 'review';
    if (this.advice.hint) return 'hint';
    return this.advice.asking ? 'thinking' : null;
  });
  /** The hint on screen. */
  #hint = $derived.by(() => (this.coachShows === 'hint' ? this.advice.hint : null));
  #review = $derived.by(() => this.advice.review);
  /** The lift the review stands before; `null` at the end, and while the game goes on. */
  lift = $derived(this.#review?.lift ?? null);
  looked = $derived(this.#review?.looked ?? null);
  visible = $derived<Rows>(this.#review?.visible(this.#view.visible) ?? this.#view.visible);
  wanted = $derived(this.looked ? this.looked.wanted : this.#view.wanted);
  lit = $derived<Lit>((this.looked ? this.#review?.lit : this.#hint?.lit) ?? NOWHERE);
  /** Digits a hint asks to imagine on their stones. */
  placed = $derived(this.#hint?.placed ?? NONE);
  last = $derived(this.lift === null ? this.#last : null);
  /** What was under the stones nobody lifted, once the game is over. */
  leftover = $derived<Rows>(this.lift === null ? this.#view.grid : []);
  /** A hint is about one position: this text is another for every one. */
  position = $derived(`${this.#view.visible.flat().join('')} ${this.#view.wanted} ${this.#view.phase}`);
  status = $derived.by(() => {
    const { view, names } = this.#input();
    const { looked, acting, armed } = this;
    const pencil = this.pencilling ? this.penDigit : null;
    return statusWords(view, { looked, pencil, acting, armed, found: this.#found }, names, this.words);
  });

  marksOn = (cell: number): readonly number[] => this.#pencil.on(cell);

  /** A stone is pressed: it is marked, chosen, or lifted. */
  act(cell: number): void {
    const { phase } = this.#view;
    if (this.pencilling && !this.over) return this.mark(cell, this.penDigit);
    if (this.acting === null || !this.liftable.has(cell)) return;
    if (phase === 'play' && this.armed !== cell && this.#coarse()) {
      this.#armed = { cell, view: this.#view };
      return;
    }
    const move = phase === 'opening' ? 'open' : 'lift';
    this.#input().play(this.acting, { move, cell: [rowOf(cell), columnOf(cell)] });
  }

  /** Say which digit one looks for, where there is no bag. */
  name(digit: number): void {
    if (this.acting !== null && this.nameable.has(digit))
      this.#input().play(this.acting, { move: 'announce', digit });
  }

  /** Write a digit on a stone, or take it away again. */
  mark(cell: number, digit: number): void {
    if (digitAt(this.#view.visible, cell) === 0) this.#pencil.toggle(cell, digit);
  }

  eraseMarks(): void {
    this.#pencil.eraseAll();
  }

  /** Once all is revealed, marks are no use to anyone. */
  forgetMarks(): void {
    for (const seat of [null, ...this.#yours]) this.#pencilOf(seat).eraseAll();
  }

  /** Show conflicts or not; this browser remembers it. */
  check(on: boolean): void {
    this.checking = on;
    keep(CHECKING, on ? 'yes' : 'no');
  }

  askForHint(): void {
    if (this.self !== null && this.coached) void this.advice.askForHint(this.self);
  }

  /** Ask the coach once more for what it could not say. */
  askAgain(): void {
    if (this.over) void this.advice.askForReview();
    else this.askForHint();
  }

  /** The position is another: a hint no longer holds, and at the end the review is asked for. */
  positionChanged(): void {
    if (this.over) void this.advice.askForReview();
    else this.advice.forget();
  }

  /** A fact that is about to be shown. */
  hear(fact: Fact): void {
    if (fact.fact === 'lifted' || fact.fact === 'opened') this.#last = cellAt(...fact.cell);
    if (fact.fact === 'lifted') this.#found = fact;
    else if (fact.fact === 'drew' || fact.fact === 'announced') this.#found = null;
  }

  /**
   * A key on a cell: arrows, Home and End move, digits mark, Delete erases.
   * Gives the cell the focus goes to or stays on; `null` for a key that means nothing there.
   */
  keyOn(cell: number, key: string): number | null {
    const goal = cellAfter(key, cell);
    const digit = digitOf(key);
    if (goal !== null) return goal;
    if (digit !== null && digit > 0) this.mark(cell, digit);
    else if (key === 'Delete' || key === 'Backspace') this.#pencil.erase(cell);
    else return null;
    return cell;
  }

  /** Keyboard players are led to what they can do next, unless they are there already or elsewhere on the page. */
  focusGoal(at: FocusPlace): Task | null {
    const { task } = this;
    return at === 'elsewhere' || (task === 'lift' && at === 'play') ? null : task;
  }

  #pencilOf(seat: number | null): Pencil {
    const known = this.#pencils.get(seat) ?? new Pencil(this.#table, seat);
    this.#pencils.set(seat, known);
    return known;
  }
}
