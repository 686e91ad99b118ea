/** Who sits where, as every board asks it. */
import { t } from '../i18n/i18n.svelte';
import type { SeatInfo, SeatMoves } from '../protocol/wire';

/** The seat this browser plays next and what it may do; no seat while it may do nothing. */
export interface Offer<Move> {
  seat: number | null;
  moves: Move[];
}

/** The first seat of this browser that may move. `Move` is the game's own type: the wire does not know it. */
export function firstOffer<Move>(moves: readonly SeatMoves[]): Offer<Move> {
  return { seat: moves[0]?.seat ?? null, moves: (moves[0]?.moves ?? []) as Move[] };
}

/** The seat drawn as one's own: the one to move if it is played here, else the first; `null` for a spectator. */
export function ownSeat(turn: number | null, yours: readonly number[]): number | null {
  return turn !== null && yours.includes(turn) ? turn : (yours[0] ?? null);
}

/** Whether `seat` is the only one this browser plays, so that it may be called “you”. */
export function isYou(seat: number | null, yours: readonly number[]): boolean {
  return yours.length === 1 && yours[0] === seat;
}

/** `count` seats clockwise from `first`, at a table of so many players; all of them unless said. */
export function seatsFrom(first: number, players: number, count = players): number[] {
  return Array.from({ length: count }, (_, step) => (first + step) % players);
}

/**
 * What is said behind a player's name: how well a bot plays (`level`, in words), whether it is oneself,
 * whether somebody is away.
 */
export function seatRemarks(player: SeatInfo | undefined, you: boolean, level: string | null): string[] {
  const away = player?.kind === 'person' && !player.here;
  return [
    ...(level === null ? [] : [level]),
    ...(you ? [t('seat.you')] : []),
    ...(away ? [t('seat.away')] : []),
  ];
}
