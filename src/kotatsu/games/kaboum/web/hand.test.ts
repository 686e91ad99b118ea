/** The hand does not sweep towers away, however late the piece follows it. */
import { describe, expect, it } from 'vitest';
import { Hand } from './hand';
import { Playback, type Frame, type Pose } from './net/frames';
import type { WorldSocket } from './net/world';

const CUBE = 0;
const PILLAR = 2;
const OVER_PILLAR = 0.06 + 0.015;
interface Sent {
  move: string;
  to?: number[];
}
const pose = (x: number, z: number): Pose => ({ x, y: 0, z, qw: 1, qx: 0, qy: 0, qz: 0 });

/** A cube at 0 and a pillar at 100 mm, and a hand that takes the cube. What it sends is in `sent`. */
function scene() {
  const playback = new Playback();
  let tick = 0;
  const see = (cube: Pose) => {
    const frame: Frame = {
      tick: (tick += 2),
      held: CUBE,
      secondsLeft: 60,
      bodies: new Map([
        [CUBE, cube],
        [PILLAR, pose(0.1, 0.03)],
      ]),
      aims: new Map(),
      ghost: undefined,
    };
    playback.take(frame, tick / 60);
  };
  see(pose(0, 0.015));
  const sent: Sent[] = [];
  const world = {
    act: (_: number, input: Sent) => sent.push(input),
    state: (_: number, input: Sent) => sent.push(input),
  };
  const hand = new Hand(0, world as unknown as WorldSocket, playback);
  hand.grab(CUBE);
  return { hand, see, sent };
}

const shown = (hand: Hand): Pose => hand.shown?.pose ?? pose(NaN, NaN);

describe('Hand', () => {
  it('goes up first, and waits there for the piece', () => {
    const { hand, see } = scene();
    hand.moveTo(0.2, 0);
    hand.step(1, 1);
    expect(shown(hand).x).toBe(0);
    expect(shown(hand).z).toBeGreaterThan(OVER_PILLAR);
    see(pose(0, 0.1));
    hand.step(2, 1);
    expect(shown(hand).x).toBeCloseTo(0.2);
  });

  it('stays up until the piece itself has passed', () => {
    const { hand, see, sent } = scene();
    hand.moveTo(0.2, 0);
    hand.step(1, 1);
    see(pose(0.02, 0.1));
    hand.step(2, 1);
    hand.putDown();
    hand.step(3, 1);
    expect(shown(hand).z).toBeGreaterThan(OVER_PILLAR);
    see(pose(0.2, 0.09));
    for (let now = 4; now < 8; now += 0.03) {
      see(shown(hand));
      hand.step(now, 0.03);
    }
    expect(sent.at(-1)).toEqual({ move: 'release' });
    const [x = NaN, , z = NaN] = sent.at(-2)?.to ?? [];
    expect(x).toBeCloseTo(0.2);
    expect(z).toBeCloseTo(0.0154, 3);
  });
});
