/** The scoreboard, seat by seat. */
import { t } from '$web/i18n/i18n.svelte';
import type { SeatInfo } from '$web/protocol/wire';
import type { KabukiView } from './wire';
import type { Words } from './words';

/** The tokens of all rounds that are over. */
export const totalOf = ({ scores }: KabukiView, seat: number): number =>
  scores.reduce((sum, tokens) => sum + (tokens[seat] ?? 0), 0);

/** Whether the seat holds the drawn mask; nobody does once the game is over. */
export const holdsMask = ({ turn, result }: KabukiView, seat: number): boolean =>
  turn === seat && result === null;

/** Whether the seat has let the mask that was placed last pass. */
export const hasPassed = ({ phase, placed, callers }: KabukiView, seat: number): boolean =>
  phase === 'window' && seat !== placed?.seat && !callers.includes(seat);

/**
 * The one thing said below a name, the most pressing first: that they let the mask pass, are away, are
 * oneself (`you`), or how well a bot plays (`level`, in words).
 */
export function remarkOn(
  view: KabukiView,
  seat: number,
  player: SeatInfo | undefined,
  { you, level }: { you: boolean; level: string | null },
  words: Words,
): string {
  if (hasPassed(view, seat)) return words.passed;
  if (player?.kind === 'person' && !player.here) return t('seat.away');
  return you ? t('seat.you') : (level ?? '');
}
