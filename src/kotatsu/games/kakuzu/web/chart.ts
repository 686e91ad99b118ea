/** The chart of the review, measured: where each number of stones after each lift is drawn. */
import type { SeatReview } from './wire';

export const HEIGHT = 200;
export const LEFT = 26;
export const RIGHT = 8;
export const TOP = 10;
export const BOTTOM = 22;

/** However few stones were won, the chart reaches so high. */
const LEAST = 5;

export interface Scale {
  /** Where lift number `lift` is, from the left; the chart begins before the first, at 0. */
  x: (lift: number) => number;
  /** Where so many stones are, from the top. */
  y: (stones: number) => number;
  /** The numbers of stones that have a line of their own. */
  levels: number[];
  /** The lifts that are marked below, and how their number is aligned. */
  ticks: { lift: number; anchor: 'start' | 'middle' | 'end' }[];
}

/** How a chart of these seats is drawn that is `width` wide. */
export function scaleOf(seats: readonly SeatReview[], width: number): Scale {
  const lifts = Math.max(1, ...seats.map(({ actual }) => actual.length - 1));
  const most = Math.max(LEAST, ...seats.flatMap(({ actual, expected }) => [...actual, ...expected]));
  const step = most > 40 ? 20 : most > 16 ? 10 : 5;
  return {
    x: (lift) => LEFT + (lift / lifts) * (width - LEFT - RIGHT),
    y: (stones) => HEIGHT - BOTTOM - (stones / most) * (HEIGHT - TOP - BOTTOM),
    levels: Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step),
    ticks: [0, 0.25, 0.5, 0.75, 1].map((part) => ({
      lift: Math.round(part * lifts),
      anchor: part === 0 ? 'start' : part === 1 ? 'end' : 'middle',
    })),
  };
}

/** A line through one value for each lift, as the `d` of a path. */
export function lineThrough(values: readonly number[], { x, y }: Scale): string {
  return values
    .map((value, lift) => `${lift === 0 ? 'M' : 'L'}${x(lift).toFixed(1)} ${y(value).toFixed(1)}`)
    .join('');
}
