/** Kabuki's screen, as the shell finds it. */
import { defineScreen } from '$web/screens/screens';
import Shelf from './art/Shelf.svelte';
import { fold, settle } from './fold';
import type { Fact, Move, KabukiView } from './wire';
import { TEXTS, tell } from './words';

export default defineScreen<KabukiView, Fact>({
  texts: TEXTS,
  art: Shelf,
  board: () => import('./Board.svelte'),
  howTo: () => import('./HowTo.svelte'),
  fold,
  settle,
  // Calls are a matter of tenths of a second: only what interrupts the game may hold it up.
  pauses: ({ fact }) => fact === 'stopped' || fact === 'round_ended',
  // Who may call is told by the board; being told “your turn” would drown what was placed.
  isTurn: (moves) => (moves as Move[]).some(({ move }) => move === 'place'),
  outcome: (view) => view.result,
  tell,
});
