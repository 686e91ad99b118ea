/** What a seat's legal moves offer on Kimono's table. */
import { pointsOf } from './box';
import type { Combine, Move } from './wire';

/** How many cards a combination counts, the leading one included. */
export const sizeOf = ({ cards, lead }: Combine): number => cards + Number(lead);

/** What a combination brings. */
export const worthOf = (option: Combine): number => pointsOf(option.style, sizeOf(option));

/** The rows whose front card may be taken. */
export const rowsOffered = (moves: readonly Move[]): number[] =>
  moves.flatMap((move) => (move.move === 'take' ? [move.row] : []));

/** The combinations that may be laid, the best first. */
export const combinationsOffered = (moves: readonly Move[]): Combine[] =>
  moves.filter((move) => move.move === 'combine').toSorted((a, b) => worthOf(b) - worthOf(a));
