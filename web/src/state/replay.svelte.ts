/**
 * A finished game as the page shows it again. Each step comes with the view after it, so that any
 * moment can be looked at directly; one step forward is shown fact by fact, as it was at the table.
 */
import { tick } from 'svelte';
import { tellPlainly } from '../screens/generic';
import { language, t } from '../i18n/i18n.svelte';
import { pauseBetweenFacts, still } from '../kit/motion';
import { seatNames } from './people.svelte';
import type { Director, Screen } from '../screens/screens';
import type { Replay, SeatMoves, TableInfo } from '../protocol/wire';

export const SPEEDS = [0.5, 1, 2, 4] as const;
/** Faster than this nothing travels: the eye could not follow. */
const FASTEST_MOTION = 2;
const BETWEEN_STEPS = 900;
const LONGEST_LOG = 200;

export interface Line {
  id: number;
  /** The step it belongs to, counted from 0. */
  step: number;
  text: string;
}

export class Rerun {
  replay = $state.raw() as Replay;
  view = $state.raw<unknown>(null);
  at = $state(0);
  playing = $state(false);
  speed = $state<number>(1);
  #director: Director<unknown> | null = null;
  #generation = 0;

  constructor(
    replay: Replay,
    readonly screen: Screen | null,
    step = 0,
  ) {
    this.replay = replay;
    this.jump(step);
  }

  readonly moves: SeatMoves[] = [];
  readonly due = null;
  /** The table while it was played: whoever played was there. */
  info = $derived.by<TableInfo>(() => {
    const { table } = this.replay;
    return { ...table, seats: table.seats.map((seat) => ({ ...seat, here: true, away: null })) };
  });
  names = $derived(seatNames(this.info.seats));
  yours = $derived(this.replay.viewpoint === null ? [] : [this.replay.viewpoint]);
  last = $derived(this.replay.steps.length - 1);
  atEnd = $derived(this.at >= this.last);
  /** Whoever makes the next move. */
  acting = $derived.by(() => {
    const seat = this.replay.steps[this.at + 1]?.seat ?? null;
    return seat === null ? [] : [seat];
  });
  lines = $derived.by<Line[]>(() =>
    this.replay.steps
      .flatMap(({ facts }, step) => facts.map((fact) => ({ step, text: this.#tell(fact) })))
      .filter((line): line is Omit<Line, 'id'> => line.text !== null)
      .map((line, id) => ({ id, ...line })),
  );
  log = $derived(this.lines.filter(({ step }) => step <= this.at).slice(-LONGEST_LOG));
  /** What the step on screen brought about, in words. */
  words = $derived.by(() => {
    const told = this.lines.filter(({ step }) => step === this.at).map(({ text }) => text);
    return told.join(' ') || (this.at === 0 ? t('replay.beginning') : '');
  });

  play = (): void => undefined;

  direct = (director: Director<unknown>): (() => void) => {
    this.#director = director;
    return () => {
      if (this.#director === director) this.#director = null;
    };
  };

  /** Look at a moment directly. */
  jump(step: number): void {
    this.#stop();
    this.#show(step);
  }

  /** One step on, as it happened. */
  async forward(): Promise<void> {
    this.#stop();
    await this.#advance(this.#generation);
  }

  toggle(): void {
    if (this.playing) return this.#stop();
    if (this.atEnd) this.#show(0);
    this.#stop();
    this.playing = true;
    void this.#run(this.#generation);
  }

  /** The same moment through other eyes. */
  look(replay: Replay): void {
    this.#stop();
    this.replay = replay;
    this.#show(this.at);
  }

  close(): void {
    this.#stop();
  }

  #stop(): void {
    this.#generation += 1;
    // Whatever was on its way has happened.
    this.#show(this.at);
    this.playing = false;
  }

  #show(step: number): void {
    this.at = Math.max(0, Math.min(this.last, Math.trunc(step) || 0));
    this.view = this.replay.steps[this.at]?.view ?? null;
  }

  async #run(generation: number): Promise<void> {
    while (generation === this.#generation && !this.atEnd) {
      await this.#advance(generation);
      if (generation !== this.#generation) return;
      await pause(this.#hurries() ? 0 : BETWEEN_STEPS / this.speed);
    }
    if (generation === this.#generation) this.playing = false;
  }

  async #advance(generation: number): Promise<void> {
    if (this.atEnd) return;
    const next = this.at + 1;
    this.at = next;
    if (this.screen && this.#moves)
      for (const fact of this.replay.steps[next]?.facts ?? []) {
        const move = this.#director?.(fact);
        this.view = this.screen.fold(this.view, fact);
        await tick();
        await move?.();
        if (generation !== this.#generation) return;
        if (this.screen.pauses?.(fact) ?? true) await pauseBetweenFacts(0);
        if (generation !== this.#generation) return;
      }
    this.#show(next);
  }

  /** Whether it goes on by itself, with motion. */
  get flows(): boolean {
    return this.playing && this.#moves;
  }

  get #moves(): boolean {
    return this.speed <= FASTEST_MOTION && !still();
  }

  /** Whether the next step follows at once: the screen keeps the time itself. */
  #hurries(): boolean {
    const { pauses } = this.screen ?? {};
    const facts = this.replay.steps[this.at]?.facts ?? [];
    return this.#moves && pauses !== undefined && facts.every((fact) => !pauses(fact));
  }

  #tell(fact: unknown): string | null {
    if (!this.screen) return tellPlainly(fact, this.names);
    // By name, whoever's eyes: a link to a replay is shared.
    return this.screen.tell(fact, { names: this.names, yours: [], lang: language.lang });
  }
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
