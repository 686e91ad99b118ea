/** Kaboum's screen, as the shell finds it. */
import { defineScreen } from '$web/screens/screens';
import Shelf from './art/Shelf.svelte';
import { fold, settle } from './fold';
import type { Fact, KaboumView } from './wire';
import { TEXTS, tell } from './words';

export default defineScreen<KaboumView, Fact>({
  texts: TEXTS,
  art: Shelf,
  board: () => import('./Board.svelte'),
  howTo: () => import('./HowTo.svelte'),
  fold,
  settle,
  pauses: () => false,
  isTurn: (moves) => moves.some((move) => (move as { move: string }).move === 'flip'),
  outcome: (view) => view.result && { ...view.result, ...(view.capped && { ending: 'capped' }) },
  tell,
});
