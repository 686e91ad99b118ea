/** What is heard and seen for a moment when a fact is told: a sound, a tremor, words over the table. */
import { fill, type Lang } from '$web/i18n/i18n.svelte';
import { middleOf } from '../box';
import { FIRST_DIE } from '../constants';
import type { Pose } from '../net/frames';
import type { Sound } from '../sounds';
import type { Fact, KaboumView } from '../wire';
import { tower, type Words } from '../words';
import type { Eye } from './eye';
import type { Shown } from './shown';

const SOUNDS: Partial<Record<Fact['fact'], Sound>> = {
  turn_started: 'begin',
  fired: 'shot',
  landed: 'knock',
  completed: 'chime',
  toppled: 'fall',
  quake_granted: 'warning',
  quake: 'quake',
  turn_ended: 'end',
};
const POP_MS = 1600;
/** How high over the table words float, in metres. */
const POP_HEIGHT = 0.06;
/** They stay so far from the canvas's edges, in percent. */
const MARGIN = 12;

export interface Scenery {
  view: () => KaboumView;
  /** Where the bodies are now, as far as one knows. */
  poses: () => readonly (Pose | null)[];
  eye: () => Eye | null;
  words: () => Words;
  lang: () => Lang;
  sound: (sound: Sound) => void;
  shake: () => void;
}

export class Happenings {
  #next = 0;

  constructor(
    readonly shown: Shown,
    readonly scenery: Scenery,
  ) {}

  happen(fact: Fact): void {
    const { words, lang, view, poses, sound, shake } = this.scenery;
    const heard = SOUNDS[fact.fact];
    if (heard) sound(heard);
    switch (fact.fact) {
      case 'quake':
        return shake();
      case 'landed': {
        const pose = poses()[FIRST_DIE + fact.die];
        if (fact.kaboum && pose) this.#pop(words().told.kaboum, pose.x, pose.y, true);
        return;
      }
      case 'completed':
      case 'toppled': {
        const { x, y } = middleOf(view().layout, fact.tile);
        this.#pop(fill(words().told[fact.fact], { tower: tower(fact.tile, lang()) }), x, y, false);
      }
    }
  }

  #pop(text: string, x: number, y: number, kaboum: boolean): void {
    const point = this.scenery.eye()?.pointOf(x, y, POP_HEIGHT);
    if (!point) return;
    const id = this.#next++;
    const within = (part: number) => Math.max(MARGIN, Math.min(100 - MARGIN, part));
    const pop = { id, text, x: within((point.x + 1) * 50), y: within((1 - point.y) * 50), kaboum };
    this.shown.pops = [...this.shown.pops, pop];
    setTimeout(() => (this.shown.pops = this.shown.pops.filter((each) => each.id !== id)), POP_MS);
  }
}
