/** What of the board's state is seen around the canvas. The page makes it reactive (`shown.svelte.ts`). */
import type { Hand } from '../hand';
import type { Film } from '../net/film';
import type { Sling } from '../sling';
import type { KaboumView } from '../wire';

/** Words that float over the table for a moment, at a point in percent of the canvas. */
export interface Pop {
  id: number;
  text: string;
  x: number;
  y: number;
  kaboum: boolean;
}

/** A stored turn on the canvas; `live` at a table that goes on behind it. */
export interface Showing {
  turn: number;
  film: Film;
  live: boolean;
}

export interface Shown {
  hand: Hand | null;
  sling: Sling | null;
  /** The piece that would be taken. */
  chosen: number | null;
  /** The place of a tile that is pointed at. */
  place: number | null;
  /** The piece is in the hand. */
  holding: boolean;
  /** A finger or the mouse holds it. */
  dragging: boolean;
  /** The large die is in the catapult. */
  big: boolean;
  reloading: boolean;
  /** Seconds left in the hourglass. */
  left: number;
  /** How hard a blow would be now, from 0 to 1. */
  gauge: number;
  showing: Showing | null;
  filmTick: number | null;
  /** In a game seen again a fact is shown once the film has come to it; until then things stand like this. */
  frozen: KaboumView | null;
  notice: string;
  pops: readonly Pop[];
}

export const nothingShown = (): Shown => ({
  hand: null,
  sling: null,
  chosen: null,
  place: null,
  holding: false,
  dragging: false,
  big: false,
  reloading: false,
  left: 0,
  gauge: 0,
  showing: null,
  filmTick: null,
  frozen: null,
  notice: '',
  pops: [],
});
