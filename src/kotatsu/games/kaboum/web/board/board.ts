/**
 * Kaboum's board without a browser: what is chosen, held, aimed and offered, and what a picture of it shows. Whoever
 * draws it gives it an eye, a socket to the world, and the time.
 */
import type { Lang } from '$web/i18n/i18n.svelte';
import type { Again } from '$web/screens/screens';
import { PIECES, tileAt } from '../box';
import { STOCK } from '../constants';
import { Keys, type KeyPress } from '../keys';
import { Playback, type Aim, type Frame, type Pose } from '../net/frames';
import type { World } from '../net/world';
import { Pointing, type Surface } from '../pointing';
import type { Sound } from '../sounds';
import type { Fact, KaboumView } from '../wire';
import type { Words } from '../words';
import { Controls, gaugeAt } from './controls';
import type { Eye } from './eye';
import { Films } from './films';
import { Happenings } from './happenings';
import { startOf, type Roles } from './roles';
import type { Shown } from './shown';

const NOTICE_MS = 2500;
const IN_STOCK: Pose[] = PIECES.map((_, piece) => {
  const { x, y, z } = STOCK[piece] ?? { x: 0, y: 0, z: 0 };
  return { x, y, z, qw: 1, qx: 0, qy: 0, qz: 0 };
});

/** What the page knows, as it is now. */
export interface Page {
  /** The view the server's facts lead to. */
  told: () => KaboumView;
  roles: () => Roles;
  again: () => Again | undefined;
  players: () => number;
  words: () => Words;
  lang: () => Lang;
  /** The frames of a stored turn; `null` if there are none. */
  frames: (turn: number) => Promise<Frame[] | null>;
  sound: (sound: Sound) => void;
  shake: () => void;
}

/** What is to be drawn. */
export interface Picture {
  poses: readonly (Pose | null)[];
  /** Where the piece in hand belongs. */
  ghost: { piece: number; pose: Pose } | null;
  /** The piece that would be taken. */
  halo: number | null;
  /** The way a die would fly. */
  arc: { aim: Aim; seat: number } | null;
  aims: ReadonlyMap<number, Aim>;
  /** Whether a seat has a die of that kind for its next shot. */
  loaded: (seat: number, big: boolean) => boolean;
}

export class Board {
  readonly playback = new Playback();
  readonly keys = new Keys();
  readonly controls: Controls;
  readonly films: Films;
  readonly #happenings: Happenings;
  #world: World | null = null;
  #eye: Eye | null = null;
  #pointing: Pointing | null = null;

  constructor(
    readonly shown: Shown,
    readonly page: Page,
  ) {
    const eye = () => this.#eye;
    this.controls = new Controls(shown, this.playback, eye, page.roles);
    this.films = new Films(shown, { ...page, missing: () => this.say(page.words().noFilm) });
    const poses = () => (shown.showing ? shown.showing.film.poses : this.playback.newest);
    this.#happenings = new Happenings(shown, { ...page, eye, poses, view: () => this.view });
  }

  /** What is on the table, as it is shown. */
  get view(): KaboumView {
    return this.shown.frozen ?? this.page.told();
  }

  /** Mouse and fingers, once there is a canvas. */
  get pointing(): Pointing | null {
    return this.#pointing;
  }

  /** There is something to look with, and a canvas to point at. Gives back what takes it away. */
  attach(eye: Eye, surface: Surface): () => void {
    const { shown } = this;
    this.#eye = eye;
    this.#pointing = new Pointing(surface, () =>
      shown.showing || !this.page.roles().live
        ? null
        : {
            eye,
            hand: shown.hand,
            sling: shown.sling,
            choose: (piece) => (shown.chosen = piece),
            regard: (place) => (shown.place = place),
          },
    );
    return () => (this.#eye = this.#pointing = null);
  }

  /** The line to the world, or none. */
  connect(world: World | null): void {
    this.#world = world;
    this.settle();
  }

  /** Who does what may have changed. */
  settle(): void {
    const start = (seat: number) => startOf(seat, this.view.builder, this.page.players());
    this.controls.settle(this.#world, start);
  }

  /** A frame of the world came. */
  take(frame: Frame, now: number): void {
    if (this.playback.isNewTurn(frame)) this.controls.begin();
    this.playback.take(frame, now);
  }

  /** The world did not do what a seat asked for. */
  refused(seat: number, clause: string, message: string): void {
    if (seat === this.shown.hand?.seat) this.shown.hand.drop();
    if (clause === 'turn') return; // its world is just being set up; what is wanted is said again in a moment
    this.say((this.page.words().refusals as Record<string, string>)[clause] ?? message);
  }

  /** A fact is about to be shown. */
  direct(fact: Fact): (() => Promise<void>) | undefined {
    if (this.page.again()) return this.films.rerun(fact, (shown) => this.#happenings.happen(shown));
    this.#happenings.happen(fact);
    return undefined;
  }

  /** Something for whoever plays here to read, for a moment. */
  say(text: string): void {
    this.shown.notice = text;
    setTimeout(() => {
      if (this.shown.notice === text) this.shown.notice = '';
    }, NOTICE_MS);
  }

  /** Whether a key means something here. */
  press(key: KeyPress, now: number): boolean {
    return this.keys.press(key, this.controls.actions, now);
  }

  /** Whoever was here has gone: nothing is pressed any more. */
  leave(): void {
    this.keys.clear();
    this.#pointing?.cancel();
  }

  /** Once a picture: time goes on. Seconds, on the clock of the frames. */
  step(now: number, seconds: number): void {
    const { shown, playback } = this;
    const { running, mayStrike } = this.page.roles();
    this.keys.step(now, seconds, this.controls.actions);
    shown.hand?.step(now, seconds);
    this.films.step(seconds);
    const film = shown.showing?.film;
    shown.left = film ? film.secondsLeft : running ? playback.secondsLeft : 0;
    shown.filmTick = film ? Math.floor(film.tick) : null;
    shown.holding = shown.hand?.holding ?? false;
    shown.dragging = this.#pointing?.dragging ?? false;
    shown.big = shown.sling?.aim.big ?? false;
    shown.reloading = shown.sling !== null && (playback.aims.get(shown.sling.seat)?.loadedIn ?? 0) > 0;
    if (mayStrike !== null) shown.gauge = gaugeAt(now);
  }

  /** What a picture at a moment shows. */
  picture(now: number): Picture {
    const { hand, sling, showing, chosen } = this.shown;
    const { small, large } = this.page.roles();
    const armed = small > 0 || large;
    const ghost = hand?.holding ? this.playback.ghost : null;
    return {
      poses: this.#poses(now),
      ghost: ghost && hand && hand.piece !== null ? { piece: hand.piece, pose: ghost } : null,
      halo: hand && !hand.holding && !showing ? chosen : null,
      arc: sling && armed && !showing ? { aim: sling.aim, seat: sling.seat } : null,
      aims: this.#aims(),
      loaded: (seat, big) => {
        const { big_die, big_left, ammo } = this.view;
        return big ? big_die === seat && big_left : (ammo[seat] ?? 0) > 0;
      },
    };
  }

  /** The tile that is pointed at, if it is still in play. */
  get regarded(): number | null {
    const { place } = this.shown;
    const tile = place === null ? null : tileAt(this.view.layout, place);
    return tile !== null && this.view.tiles.includes(tile) ? tile : null;
  }

  #poses(now: number): readonly (Pose | null)[] {
    const { showing, hand } = this.shown;
    const seen = showing ? showing.film.poses : this.playback.at(now);
    const poses = seen.length ? seen : IN_STOCK;
    const own = showing ? null : (hand?.shown ?? null);
    return own ? poses.map((pose, body) => (body === own.piece ? own.pose : pose)) : poses;
  }

  /** How every catapult is aimed: the others' as the world says, one's own as it is wanted. */
  #aims(): ReadonlyMap<number, Aim> {
    const { showing, sling } = this.shown;
    if (showing) return showing.film.aims;
    if (!this.page.roles().running) return new Map();
    const known = new Map(this.playback.aims);
    known.delete(this.view.builder);
    if (sling) known.set(sling.seat, { ...sling.aim, loadedIn: known.get(sling.seat)?.loadedIn ?? 0 });
    return known;
  }
}
