/** Kimono's board without a page: what is offered and looked at, and which move a click or a key makes. */
import { language } from '$web/i18n/i18n.svelte';
import { digitOf } from '$web/kit/keys';
import { firstOffer, ownSeat, seatsFrom } from '$web/kit/seats';
import type { BoardProps } from '$web/screens/screens';
import { combinationsOffered, rowsOffered, sizeOf } from './offers';
import type { Combine, Fact, KimonoView, Move } from './wire';
import { statusWords, TEXTS } from './words';

export type BoardInput = Pick<BoardProps<KimonoView, Fact>, 'view' | 'names' | 'yours' | 'moves' | 'play'>;

/** What there is to do: lay one of the combinations, or take a card. */
export type Task = 'combine' | 'take';

/** Where the keyboard's focus is: on nothing, on a card that may be taken, elsewhere on the board, or off it. */
export type FocusPlace = 'nowhere' | 'front' | 'board' | 'elsewhere';

export class KimonoBoard {
  #pointed = $state.raw<Combine | null>(null);
  readonly #input: () => BoardInput;

  /** `input` gives what the shell tells the board, and is asked again whenever it is needed. */
  constructor(input: () => BoardInput) {
    this.#input = input;
  }

  words = $derived(TEXTS[language.lang]);
  #offer = $derived.by(() => firstOffer<Move>(this.#input().moves));
  /** The seat of this browser that may move; `null` for none. */
  acting = $derived(this.#offer.seat);
  takeable = $derived(rowsOffered(this.#offer.moves));
  combinations = $derived(combinationsOffered(this.#offer.moves));
  task = $derived.by<Task | null>(() => {
    if (this.acting === null) return null;
    return this.combinations.length > 0 ? 'combine' : 'take';
  });
  /** The combination shown on the table before it is laid; none once it is no longer offered. */
  preview = $derived.by<Combine | null>(() =>
    this.#pointed !== null && this.combinations.includes(this.#pointed) ? this.#pointed : null,
  );
  /** The cell of the kakemonos that the previewed combination would get a button on. */
  lit = $derived(this.preview && { style: this.preview.style, size: sizeOf(this.preview) });
  /** How many of the last cards of one's hand, and of one's kimono, the previewed combination uses. */
  litHand = $derived(this.preview?.cards ?? 0);
  litKimono = $derived(this.preview?.lead ? 1 : 0);
  /** The seat drawn below; `null` for a spectator. */
  self = $derived.by(() => {
    const { view, yours } = this.#input();
    return ownSeat(view.turn, yours);
  });
  /** The seats drawn above, clockwise from one's left. */
  others = $derived.by(() => {
    const players = this.#input().view.places.length;
    return this.self === null ? seatsFrom(0, players) : seatsFrom(this.self + 1, players, players - 1);
  });
  status = $derived.by(() => {
    const { view, yours, names } = this.#input();
    return statusWords(view, this.task, yours, names, this.words);
  });
  /** What a narrow page scrolls to: one's own place for a choice, the market for the next card. */
  scrollGoal = $derived(this.task && ({ combine: 'self', take: 'market' } as const)[this.task]);

  /** Show a combination on the table; `null` shows none. */
  point(option: Combine | null): void {
    this.#pointed = option;
  }

  take(row: number): void {
    if (this.takeable.includes(row)) this.#play({ move: 'take', row });
  }

  lay(option: Combine): void {
    if (this.combinations.includes(option)) this.#play(option);
  }

  /** Lay nothing this turn. */
  skip(): void {
    if (this.task === 'combine') this.#play({ move: 'skip' });
  }

  /** A key anywhere on the page: digits lay or take what bears them, 0 keeps the cards. */
  press(key: string): void {
    const digit = digitOf(key);
    if (digit === null) return;
    const option = this.combinations[digit - 1];
    if (digit === 0) this.skip();
    else if (option) this.lay(option);
    else this.take(digit - 1);
  }

  /** Keyboard players are led to what they can do next, unless they are there already or elsewhere on the page. */
  focusGoal(at: FocusPlace): Task | null {
    const { task } = this;
    return at === 'elsewhere' || (task === 'take' && at === 'front') ? null : task;
  }

  #play(move: Move): void {
    if (this.acting !== null) this.#input().play(this.acting, move);
  }
}
