/** How much of the window the board takes, and what of the canvas lies free. */
import type { Insets } from '../scene/camera';

export interface Canvas {
  wide: number;
  high: number;
  /** Played by fingers. */
  fingers: boolean;
  /** Builder and saboteur share this device. */
  shared: boolean;
  /** A finished game is seen again. */
  again: boolean;
}

/** Pixels along the edges of the picture that must be left free for what lies over it. */
export function insetsOf({ wide, high, fingers, shared, again }: Canvas): Insets {
  if (high < 430 && wide > high)
    return { top: 30, right: 112, bottom: 10, left: shared && fingers ? 112 : 4 };
  if (wide < 620) return { top: 150, right: 4, bottom: 205, left: 4 };
  return { top: 66, right: 12, bottom: again ? 16 : 72, left: 12 };
}

/** The board takes what is left of the window below whatever is above it; a replay's bar lies below it. */
export function heightOf(windowHeight: number, above: number, again: boolean): number {
  return Math.max(260, windowHeight - above - (again ? 170 : 8));
}
