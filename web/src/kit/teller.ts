/** Whom a line of the log is about. */
import { isYou } from './seats';

export interface SeatWords {
  /** The name of whoever sits there; the seat's number, counted from 1, where it has none. */
  name: (seat: number) => string;
  /** Whether the line is about the reader alone and says “you”. */
  mine: (seat: number) => boolean;
  /** One figure for each seat: `Ana 12, Bo 9`. */
  figures: (values: readonly number[]) => string;
}

export function seatWords(names: readonly string[], yours: readonly number[]): SeatWords {
  const name = (seat: number) => names[seat] ?? String(seat + 1);
  return {
    name,
    mine: (seat) => isYou(seat, yours),
    figures: (values) => values.map((value, seat) => `${name(seat)} ${value}`).join(', '),
  };
}
