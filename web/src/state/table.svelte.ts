/**
 * A table as the page shows it. Steps arrive faster than people can follow, so their facts wait
 * in a queue and are shown one after another; moves are offered only once all have been shown.
 */
import { tick } from 'svelte';
import { socketAddress } from '../protocol/api';
import { genericOutcome, tellPlainly } from '../screens/generic';
import { nextViewpoint } from './handover';
import { language, maybe } from '../i18n/i18n.svelte';
import { pauseBetweenFacts } from '../kit/motion';
import { seatNames } from './people.svelte';
import type { Director, Outcome, Screen } from '../screens/screens';
import { TableSocket, type Ask, type Connection, type Line } from '../protocol/socket';
import type {
  PeopleChanged,
  Reacted,
  Receipt,
  CommandRefused,
  Said,
  SeatMoves,
  StepMessage,
  TableInfo,
  Waiting,
  Welcome,
} from '../protocol/wire';

export interface Told {
  id: number;
  text: string;
}

interface Manner {
  /** On a television: as a spectator sees it, whatever seats this browser holds. */
  spectator?: boolean;
  /** Seats of this game see different things. */
  secretive?: boolean;
}

const LONGEST_LOG = 200;
const REACTION_MS = 4000;

export class LiveTable {
  info = $state.raw<TableInfo | null>(null);
  yours = $state.raw<number[]>([]);
  host = $state(false);
  /** Seats of this browser that a bot plays meanwhile; coming back anew would end that. */
  lent = $state.raw<number[]>([]);
  /** When we last heard who is here, on the clock of `performance.now()`. */
  heardAt = $state(0);
  sayings = $state.raw<Said[]>([]);
  reactions = $state.raw<{ id: number; event: Reacted }[]>([]);
  connection = $state<Connection>('connecting');
  view = $state.raw<unknown>(null);
  waiting = $state.raw<Waiting | null>(null);
  /** When the deadline passes, on the clock of `performance.now()`. */
  due = $state<number | null>(null);
  receipt = $state.raw<Receipt | null>(null);
  facts = $state.raw<{ id: number; fact: unknown }[]>([]);
  notice = $state('');
  /** Where seats have secrets and several are played here: the one before the screen, once they said so. */
  viewpoint = $state<number | null>(null);
  readonly secretive: boolean;
  #showing = $state(false);
  #answerDue = $state(false);
  #queue: { step: StepMessage; due: number | null }[] = [];
  #shown = 0;
  #generation = 0;
  #nextFact = 0;
  #nextReaction = 0;
  #director: Director<unknown> | null = null;
  readonly #socket: TableSocket;

  constructor(
    readonly id: string,
    readonly screen: Screen | null,
    { spectator = false, secretive = false }: Manner = {},
  ) {
    this.secretive = secretive;
    const sight = () => ({ views: screen === null, seat: this.viewpoint, spectator });
    const dial = () => new WebSocket(socketAddress(id, sight())) as unknown as Line;
    this.#socket = new TableSocket(dial, {
      connection: (state) => (this.connection = state),
      welcome: (event) => this.#welcome(event),
      step: (event) => this.#enqueue(event),
      people: (event) => this.#people(event),
      talk: (event) => this.#talk(event),
      refused: (event) => this.#refused(event),
    });
  }

  names = $derived(seatNames(this.info?.seats ?? []));
  acting = $derived(this.waiting?.acting ?? []);
  /** Several people with secrets share this device. */
  shared = $derived.by(() => this.secretive && this.yours.length > 1 && this.info?.status === 'playing');
  /** The seats of whoever is before the screen. */
  played = $derived(this.shared ? this.yours.filter((seat) => seat === this.viewpoint) : this.yours);
  #offered = $derived.by<SeatMoves[]>(() => {
    const ready = !this.#showing && !this.#answerDue && this.connection === 'open';
    return ready ? (this.waiting?.moves.filter((seat) => seat.moves.length > 0) ?? []) : [];
  });
  moves = $derived(this.#offered.filter(({ seat }) => this.played.includes(seat)));
  /** Whom the device is to be handed to; `null` while it is in the right hands. */
  handTo = $derived.by<number | null>(() => {
    const movers = this.#offered.map(({ seat }) => seat);
    return this.shared ? nextViewpoint(this.yours, movers, this.viewpoint) : null;
  });
  outcome = $derived.by<Outcome | null>(() => {
    if (this.#showing || this.view === null) return null;
    if (this.screen) return this.screen.outcome(this.view);
    return genericOutcome(this.view, this.facts.at(-1)?.fact);
  });
  log = $derived.by<Told[]>(() =>
    this.facts.flatMap(({ id, fact }) => {
      const text = this.#tell(fact);
      return text === null ? [] : [{ id, text }];
    }),
  );

  /** Connect, and give back what disconnects. */
  open(): () => void {
    const probe = () => this.#socket.probe();
    const seen = () => document.visibilityState === 'visible' && probe();
    addEventListener('online', probe);
    addEventListener('offline', probe);
    document.addEventListener('visibilitychange', seen);
    this.#socket.open();
    return () => {
      removeEventListener('online', probe);
      removeEventListener('offline', probe);
      document.removeEventListener('visibilitychange', seen);
      this.#generation += 1;
      this.#socket.close();
    };
  }

  play = (seat: number, move: unknown): void => {
    this.notice = '';
    this.#answerDue = true;
    this.ask({ type: 'play', seat, seen: this.#shown, move });
  };

  /** Another player of this device is before it: what the last one was told is taken away first. */
  lookAs(seat: number): void {
    this.#generation += 1;
    this.#queue = [];
    this.#showing = false;
    this.viewpoint = seat;
    this.view = null;
    this.waiting = null;
    this.facts = [];
    this.notice = '';
    this.#socket.redial();
  }

  ask(command: Ask): void {
    this.#socket.send(command);
  }

  direct = (director: Director<unknown>): (() => void) => {
    this.#director = director;
    return () => {
      if (this.#director === director) this.#director = null;
    };
  };

  #welcome(welcome: Welcome): void {
    this.#generation += 1;
    this.#queue = [];
    this.#showing = false;
    this.#answerDue = false;
    this.#shown = welcome.seq;
    this.#people({ ...welcome, type: 'people' });
    this.view = welcome.view ?? null;
    this.waiting = welcome.waiting;
    this.due = dueAt(welcome.waiting);
    this.receipt = welcome.receipt;
  }

  #people(people: PeopleChanged): void {
    const mine = [...this.yours, ...this.lent];
    this.lent = mine.filter((seat) => people.table.seats[seat]?.stands_in && !people.yours.includes(seat));
    this.heardAt = performance.now();
    this.info = people.table;
    this.yours = people.yours;
    this.host = people.host;
    if (this.viewpoint !== null && !people.yours.includes(this.viewpoint)) this.viewpoint = null;
  }

  #talk(event: Said | Reacted): void {
    if (event.type === 'said') {
      const known = this.sayings.at(-1)?.number ?? 0;
      if (event.number > known) this.sayings = [...this.sayings.slice(1 - LONGEST_LOG), event];
      return;
    }
    const reaction = { id: this.#nextReaction++, event };
    this.reactions = [...this.reactions, reaction];
    setTimeout(() => (this.reactions = this.reactions.filter((each) => each !== reaction)), REACTION_MS);
  }

  #refused(refused: CommandRefused): void {
    this.#answerDue = false;
    const clause = refused.clause ?? '';
    const told = this.screen?.texts[language.lang].refusals[clause];
    this.notice = told ?? (clause === '' ? maybe(`refused.${refused.code}`) : null) ?? refused.message;
  }

  #enqueue(step: StepMessage): void {
    this.#queue.push({ step, due: dueAt(step.waiting) });
    if (!this.#showing) void this.#show();
  }

  async #show(): Promise<void> {
    this.#showing = true;
    const generation = this.#generation;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      this.receipt = next.step.receipt ?? this.receipt;
      for (const fact of next.step.facts) {
        await this.#showFact(fact);
        if (generation !== this.#generation) return;
      }
      this.#settle(next.step);
      this.due = next.due;
    }
    this.#showing = false;
    if (this.outcome && this.info) this.info = { ...this.info, status: 'over' };
  }

  async #showFact(fact: unknown): Promise<void> {
    const move = this.#director?.(fact);
    if (this.screen) this.view = this.screen.fold(this.view, fact);
    // What is not told is not kept either: a game may be about remembering it.
    if (!this.screen || this.#tell(fact) !== null)
      this.facts = [...this.facts.slice(1 - LONGEST_LOG), { id: this.#nextFact++, fact }];
    await tick();
    await move?.();
    if (this.screen?.pauses?.(fact) ?? true) await pauseBetweenFacts(this.#queue.length);
  }

  #tell(fact: unknown): string | null {
    if (!this.screen) return tellPlainly(fact, this.names);
    return this.screen.tell(fact, { names: this.names, yours: this.played, lang: language.lang });
  }

  #settle(step: StepMessage): void {
    this.#shown = step.seq;
    this.#answerDue = false;
    this.notice = '';
    this.view = this.screen ? this.screen.settle(this.view, step.waiting, step.facts) : step.view;
    this.waiting = step.waiting;
  }
}

/** Counted from when the message came, for its facts may take a while to be shown. */
function dueAt(waiting: Waiting | null): number | null {
  const left = waiting?.left ?? null;
  return left === null ? null : performance.now() + left * 1000;
}
