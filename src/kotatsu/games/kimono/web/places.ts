/** What lies before the players, counted. */
import { POINTS_PER_ACCESSORY } from './box';
import type { KimonoPlace, KimonoView, Style } from './wire';

/** How many of the twelve cards are placed: those in the hand are not. */
export const cardsPlaced = ({ kimono, accessories }: KimonoPlace): number =>
  kimono.length + accessories.length;

/** The points that are certain already; what the end of the game adds is not among them. */
export const pointsSoFar = ({ buttons, accessories }: KimonoPlace): number =>
  buttons.reduce((sum, { points }) => sum + points, 0) + accessories.length * POINTS_PER_ACCESSORY;

/** Who has sewn buttons on a cell of the board, and how many. */
export function buttonsOn(
  places: readonly KimonoPlace[],
  style: Style,
  size: number,
): { seat: number; times: number }[] {
  return places.flatMap(({ buttons }, seat) => {
    const times = buttons.filter((button) => button.style === style && button.size === size).length;
    return times > 0 ? [{ seat, times }] : [];
  });
}

/** Whoever has begun a round has turned the girl: the first of this round and those before them. */
export function hasBegun({ round, first, places }: KimonoView, seat: number): boolean {
  return round > (first - seat + places.length) % places.length;
}
