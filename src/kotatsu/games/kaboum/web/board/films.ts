/** Stored turns on the canvas: the last one at the table, and every one in a game that is seen again. */
import type { Again } from '$web/screens/screens';
import { TICKS_A_SECOND } from '../constants';
import { Film } from '../net/film';
import type { Frame } from '../net/frames';
import type { Fact, KaboumView } from '../wire';
import type { Shown } from './shown';

export interface FilmSource {
  /** The frames of a turn; `null` if there is no film of it. */
  frames: (turn: number) => Promise<Frame[] | null>;
  /** The view on screen, as the page has it now. */
  told: () => KaboumView;
  /** The game that is seen again, if it is one. */
  again: () => Again | undefined;
  /** There is no film of a turn. */
  missing: () => void;
}

export class Films {
  constructor(
    readonly shown: Shown,
    readonly source: FilmSource,
  ) {}

  /** Show a turn that was just played, from its beginning. */
  async watch(turn: number, speed: number): Promise<void> {
    await this.#load(turn, true);
    const showing = this.shown.showing;
    if (!showing) return;
    showing.film.speed = speed;
    void showing.film.runTo(Infinity);
  }

  /** Back to the table. */
  stop(): void {
    this.shown.showing = null;
  }

  /** Time goes on; a film at a table ends by itself. */
  step(seconds: number): void {
    const { showing } = this.shown;
    if (!showing) return;
    const again = this.source.again();
    if (again) showing.film.speed = again.speed;
    showing.film.step(seconds);
    if (showing.live && !showing.film.running) this.stop();
  }

  /** In a game seen again: show what was on the table at the step on screen. */
  seek(): void {
    const again = this.source.again();
    const told = this.source.told();
    if (!again || told !== again.steps[again.at]?.view) return;
    const { turn } = told;
    const tick = tickOf(again, again.at);
    // Steps that tell nothing pass while the film runs on to the next that does.
    if (again.flows && this.shown.showing?.turn === turn) return;
    this.shown.frozen = null;
    if (this.shown.showing?.turn === turn) this.shown.showing.film.jump(tick);
    else if (turn > 0) void this.#load(turn, false).then(() => this.#jump(turn, tick));
    else this.stop();
  }

  /** In a game seen again: run on to a fact as it was played, and then let it happen. */
  rerun(fact: Fact, happen: (fact: Fact) => void): () => Promise<void> {
    this.shown.frozen = this.source.told();
    return async () => {
      const again = this.source.again();
      if (!again) return;
      if (fact.fact === 'turn_started') {
        await this.#load(fact.turn, false);
        this.shown.showing?.film.jump(0);
      } else await this.shown.showing?.film.runTo(tickOf(again, again.at));
      this.shown.frozen = null;
      happen(fact);
    };
  }

  #jump(turn: number, tick: number): void {
    if (this.shown.showing?.turn === turn) this.shown.showing.film.jump(tick);
  }

  async #load(turn: number, live: boolean): Promise<void> {
    if (this.shown.showing?.turn === turn) return;
    const frames = await this.source.frames(turn);
    this.shown.showing = frames && { turn, film: new Film(frames), live };
    if (!frames) this.source.missing();
  }
}

/** When in its turn a step of a game happened, in ticks. */
export function tickOf({ steps }: Pick<Again, 'steps'>, step: number): number {
  const at = (each: number) => steps[each]?.at ?? 0;
  if ((steps[step]?.view as KaboumView | undefined)?.phase !== 'running') return Infinity;
  for (let start = step; start >= 0; start--)
    if (steps[start]?.facts.some((fact) => (fact as Fact).fact === 'turn_started'))
      return (at(step) - at(start)) * TICKS_A_SECOND;
  return 0;
}
