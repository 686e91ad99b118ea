/** The board's state as the page reads it: every field by itself makes what depends on it follow. */
import type { Hand } from '../hand';
import type { Sling } from '../sling';
import type { KaboumView } from '../wire';
import type { Pop, Showing, Shown } from './shown';

export class ReactiveShown implements Shown {
  hand = $state.raw<Hand | null>(null);
  sling = $state.raw<Sling | null>(null);
  chosen = $state.raw<number | null>(null);
  place = $state.raw<number | null>(null);
  holding = $state.raw(false);
  dragging = $state.raw(false);
  big = $state.raw(false);
  reloading = $state.raw(false);
  left = $state.raw(0);
  gauge = $state.raw(0);
  showing = $state.raw<Showing | null>(null);
  filmTick = $state.raw<number | null>(null);
  frozen = $state.raw<KaboumView | null>(null);
  notice = $state.raw('');
  pops = $state.raw<readonly Pop[]>([]);
}
