/** Which key does what. All letters lie at the same place on QWERTY, AZERTY and QWERTZ keyboards. */
import type { Hand } from './hand';
import type { Actions } from './keys';
import type { Sling } from './sling';

const MOVE = 0.01;
const RAISE = 0.004;
const AIM = 0.03;
const DRAW = 0.02;
const SLIDE = 0.008;

export type Way = readonly [right: number, away: number];

export interface Builder {
  hand: Hand;
  /** Choose the next piece to that side. */
  choose: (way: Way) => void;
  take: () => void;
  /** A step to the right and away from whoever looks, along the table's own axes. */
  towards: (way: Way) => [x: number, y: number];
}

/** Turning and tipping; these stay the builder's when a saboteur has the rest of the keyboard. */
export function turningKeys(hand: Hand): Actions {
  return {
    d: { held: (steps) => hand.turnBy(steps * 7.5) },
    f: { held: (steps) => hand.turnBy(-steps * 7.5) },
    t: { once: () => hand.tipForward() },
    g: { once: () => hand.tip() },
    u: { held: (steps) => hand.raise(steps * RAISE) },
    j: { held: (steps) => hand.raise(-steps * RAISE) },
  };
}

export function builderKeys({ hand, choose, take, towards }: Builder): Actions {
  const arrow = (way: Way) => ({
    once: () => {
      if (!hand.holding) choose(way);
    },
    held: (steps: number) => {
      const [x, y] = towards(way);
      if (hand.holding) hand.moveBy(x * steps * MOVE, y * steps * MOVE);
    },
  });
  return {
    ...turningKeys(hand),
    arrowleft: arrow([-1, 0]),
    arrowright: arrow([1, 0]),
    arrowup: arrow([0, 1]),
    arrowdown: arrow([0, -1]),
    enter: { once: take },
    space: { once: take },
  };
}

export interface Saboteur {
  sling: Sling;
  changeDie: () => void;
  strike: () => void;
}

export function saboteurKeys({ sling, changeDie, strike }: Saboteur): Actions {
  return {
    arrowleft: { held: (steps) => sling.turnBy(steps * AIM) },
    arrowright: { held: (steps) => sling.turnBy(-steps * AIM) },
    arrowup: { held: (steps) => sling.draw(steps * DRAW) },
    arrowdown: { held: (steps) => sling.draw(-steps * DRAW) },
    o: { held: (steps) => sling.tilt(steps * AIM) },
    l: { held: (steps) => sling.tilt(-steps * AIM) },
    c: { held: (steps) => sling.slide(-steps * SLIDE) },
    v: { held: (steps) => sling.slide(steps * SLIDE) },
    b: { once: changeDie },
    k: { once: strike },
    space: { once: () => sling.fire() },
  };
}
