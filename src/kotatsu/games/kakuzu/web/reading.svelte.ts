/** What the coach said, as a player reads it: which of it they look at, and where on the board that is. */
import { before, litChance, litDeduction, litLift, placedBefore, type Lit } from './coach';
import type { Rows } from './grid';
import type { Deduction, DeductionStep, Hint, Review, ReviewedLift } from './wire';

const NOWHERE: Lit = new Map();

/** A hint: one of its certain stones or best chances is chosen, and one thought of its deduction. */
export class HintReading {
  chosen = $state(0);
  #picked = $state.raw<DeductionStep | null>(null);

  constructor(readonly hint: Hint) {}

  deduction = $derived.by<Deduction | null>(() => this.hint.certain[this.chosen] ?? null);
  /** Of one thought the board shows all; of several, one at a time, and first what they lead to. */
  step = $derived.by<DeductionStep | null>(() => this.#picked ?? this.deduction?.steps.at(-1) ?? null);
  /** What the hint lights on the board. */
  lit = $derived.by<Lit>(() => {
    if (this.deduction) return litDeduction(this.deduction, this.step);
    const chance = this.hint.best[this.chosen];
    return chance ? litChance(chance.cell) : NOWHERE;
  });
  /** Digits to imagine on their stones. */
  placed = $derived.by<ReadonlyMap<number, number>>(() =>
    this.deduction ? placedBefore(this.deduction, this.step) : new Map(),
  );

  choose(index: number): void {
    this.chosen = index;
    this.#picked = null;
  }

  /** Look at one thought of the deduction. */
  point(step: DeductionStep): void {
    this.#picked = step;
  }
}

/** A review: the board stands before one of the lifts, or at the end. */
export class ReviewReading {
  /** The lift the board stands before; `null` at the end of the game. */
  lift = $state<number | null>(null);
  #shown = $state.raw<ReadonlySet<number>>(new Set());

  constructor(readonly review: Review) {}

  count = $derived.by(() => this.review.lifts.length);
  /** How many lifts are over where the board stands. */
  at = $derived(this.lift ?? this.count);
  looked = $derived.by<ReviewedLift | null>(() =>
    this.lift === null ? null : (this.review.lifts[this.lift] ?? null),
  );
  lit = $derived.by<Lit>(() => (this.looked ? litLift(this.looked) : NOWHERE));

  /** Stand before a lift; from the number of lifts on, at the end. */
  go(to: number): void {
    this.lift = to >= this.count ? null : Math.max(0, to);
  }

  /** What lay open then, of what lies open at the end. */
  visible(end: Rows): Rows {
    return this.lift === null ? end : before(this.review, end, this.lift);
  }

  /** The seats whose lines are drawn in full. Two are easily told apart; of more, one's own line comes first. */
  shown(yours: readonly number[]): ReadonlySet<number> {
    if (this.#shown.size > 0) return this.#shown;
    const seats = this.review.seats.map(({ seat }) => seat);
    const own = seats.filter((seat) => yours.includes(seat));
    return new Set(seats.length <= 2 || own.length === 0 ? seats : own);
  }

  /** Draw a seat's lines in full, or faintly. */
  toggle(seat: number, yours: readonly number[]): void {
    const next = new Set(this.shown(yours));
    if (!next.delete(seat)) next.add(seat);
    this.#shown = next;
  }
}
