/** The hand and the catapult of this browser, and what the keys do with them. */
import { PIECES } from '../box';
import { STRIKE_PLACES, STRIKE_POWERS } from '../constants';
import { Hand } from '../hand';
import { builderKeys, saboteurKeys, turningKeys, type Way } from '../keymap';
import type { Actions } from '../keys';
import type { Playback } from '../net/frames';
import type { World } from '../net/world';
import { Sling } from '../sling';
import type { Eye } from './eye';
import type { Roles } from './roles';
import type { Shown } from './shown';

/** The gauge of a blow goes once over in this time. */
const GAUGE_S = 1.1;
/** What lies aside counts so much more than what lies ahead when the next piece is looked for. */
const ASIDE = 3;

/** How hard a blow would be at a moment, from 0 to 1: up and down again. */
export function gaugeAt(now: number): number {
  const swing = (now / GAUGE_S) % 2;
  return swing < 1 ? swing : 2 - swing;
}

export class Controls {
  #builder: number | null = null;
  #shooter: number | null = null;
  #world: World | null = null;

  constructor(
    readonly shown: Shown,
    readonly playback: Playback,
    readonly eye: () => Eye | null,
    readonly roles: () => Roles,
  ) {}

  get hand(): Hand | null {
    return this.shown.hand;
  }

  get sling(): Sling | null {
    return this.shown.sling;
  }

  /**
   * Follow who builds and who shoots. A fact changes the view, but not who has a hand or a catapult: those are made
   * anew only with another turn or another line to the world. `start`: where on the rail a catapult begins.
   */
  settle(world: World | null, start: (seat: number) => number): void {
    const { builder, shooter, small, large } = this.roles();
    const sameWorld = world === this.#world;
    if (!sameWorld || builder !== this.#builder)
      this.shown.hand = builder !== null && world ? new Hand(builder, world, this.playback) : null;
    if (!sameWorld || shooter !== this.#shooter)
      this.shown.sling = shooter !== null && world ? new Sling(shooter, world, start(shooter), false) : null;
    [this.#world, this.#builder, this.#shooter] = [world, builder, shooter];
    // The last small die is gone: what is left is the large one.
    if (!small && large && !this.sling?.aim.big) this.sling?.set({ big: true });
    else if (!large && this.sling?.aim.big) this.sling.set({ big: false });
  }

  /** What each key does now. */
  get actions(): Actions {
    const { hand, sling } = this;
    const strike = () => this.strike();
    const shooting: Actions = sling
      ? saboteurKeys({ sling, changeDie: () => this.changeDie(), strike })
      : this.roles().mayStrike !== null
        ? { k: { once: strike } }
        : {};
    if (!hand) return shooting;
    if (sling) return { ...turningKeys(hand), ...shooting };
    const building = builderKeys({
      hand,
      choose: (way) => this.choose(way),
      take: () => this.take(),
      towards: (way) => this.towards(way),
    });
    return { ...building, ...shooting };
  }

  /** Another turn began: nothing is in the hand, and nobody knows how the catapult is aimed. */
  begin(): void {
    this.hand?.drop();
    this.sling?.tell();
  }

  /** Put the piece in hand down, or take the chosen one. */
  take(): void {
    if (!this.hand) return;
    if (this.hand.holding) this.hand.putDown();
    else if (this.shown.chosen !== null) this.hand.grab(this.shown.chosen);
  }

  /** Choose the nearest piece to that side of the chosen one, as one sees it. */
  choose([right, away]: Way): void {
    const eye = this.eye();
    if (!eye) return;
    const { chosen } = this.shown;
    const poses = this.playback.newest;
    const from = chosen === null ? null : poses[chosen];
    const start = from ? eye.pointOf(from.x, from.y, from.z) : null;
    let best = chosen ?? 0;
    let least = Infinity;
    for (let piece = 0; start && piece < PIECES.length; piece++) {
      const pose = poses[piece];
      if (!pose || piece === chosen) continue;
      const there = eye.pointOf(pose.x, pose.y, pose.z);
      const [x, y] = [there.x - start.x, there.y - start.y];
      const [ahead, aside] = [x * right + y * away, Math.abs(x * away) + Math.abs(y * right)];
      if (ahead > 0.01 && ahead + ASIDE * aside < least) [least, best] = [ahead + ASIDE * aside, piece];
    }
    this.shown.chosen = best;
  }

  /** To the right and away from whoever looks, along the table's axes. */
  towards([right, away]: Way): [number, number] {
    const around = Math.round((this.eye()?.around ?? 0) / (Math.PI / 2)) * (Math.PI / 2);
    const [c, s] = [Math.cos(around), Math.sin(around)];
    return [c * right - s * away, s * right + c * away];
  }

  changeDie(): void {
    const { small, large } = this.roles();
    if (this.sling) this.sling.set({ big: large && (!this.sling.aim.big || !small) });
  }

  /** Strike the table's edge beside the catapult, as hard as the gauge says. */
  strike(): void {
    const { mayStrike } = this.roles();
    if (mayStrike === null) return;
    const at = Math.round((this.sling?.aim.at ?? 0) * STRIKE_PLACES) % STRIKE_PLACES;
    const power = Math.round(this.shown.gauge * (STRIKE_POWERS - 1));
    this.#world?.act(mayStrike, { move: 'strike', at, power });
  }
}
