/** Kimono's screen, as the shell finds it. */
import { defineScreen } from '$web/screens/screens';
import Shelf from './art/Shelf.svelte';
import { fold, settle } from './fold';
import type { Fact, KimonoView } from './wire';
import { TEXTS, tell } from './words';

export default defineScreen<KimonoView, Fact>({
  texts: TEXTS,
  art: Shelf,
  board: () => import('./Board.svelte'),
  howTo: () => import('./HowTo.svelte'),
  fold,
  settle,
  outcome: (view) => view.result,
  tell,
});
