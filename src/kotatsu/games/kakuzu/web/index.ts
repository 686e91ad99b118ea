/** Kakuzu's screen, as the shell finds it. */
import { defineScreen } from '$web/screens/screens';
import Shelf from './art/Shelf.svelte';
import { fold, settle } from './fold';
import type { Fact, KakuzuView } from './wire';
import { TEXTS, tell } from './words';

export default defineScreen<KakuzuView, Fact>({
  texts: TEXTS,
  art: Shelf,
  board: () => import('./Board.svelte'),
  howTo: () => import('./HowTo.svelte'),
  fold,
  settle,
  pauses: (fact) => fact.fact !== 'time_spent' && !(fact.fact === 'turn_ended' && fact.cause === 'miss'),
  outcome: (view) => view.result,
  tell,
});
