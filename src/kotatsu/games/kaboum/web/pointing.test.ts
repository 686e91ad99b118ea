/** Mouse and fingers take, carry and put down pieces, pull catapults, and look at tiles. */
import { beforeEach, describe, expect, it } from 'vitest';
import { PLACES, STOCK } from './constants';
import { Hand } from './hand';
import { Playback } from './net/frames';
import { Pointing, type Pointer, type Table } from './pointing';
import { railPlace } from './rail';
import { Sling } from './sling';
import { FakeCanvas, FakeEye, FakeWorld, frame, pixels, playbackOfStock } from './testing/fakes';

const PIECE = 4;
const [PIECE_X, PIECE_Y] = [STOCK[PIECE]?.x ?? 0, STOCK[PIECE]?.y ?? 0];

let playback: Playback;
let world: FakeWorld;
let canvas: FakeCanvas;
let table: Table | null;
let hand: Hand;
let sling: Sling;
let pointing: Pointing;
let chosen: number | null;
let regarded: number | null;
let tick: number;

beforeEach(() => {
  [playback, world, canvas] = [playbackOfStock(), new FakeWorld(), new FakeCanvas()];
  [chosen, regarded, tick] = [null, null, 0];
  hand = new Hand(0, world, playback);
  sling = new Sling(1, world, 0.6, false);
  table = {
    eye: new FakeEye(playback),
    hand,
    sling: null,
    choose: (piece) => (chosen = piece),
    regard: (place) => (regarded = place),
  };
  pointing = new Pointing(canvas, () => table);
});

const at = (x: number, y: number, more: Partial<Pointer> = {}): Pointer => ({
  pointerId: 1,
  pointerType: 'mouse',
  button: 0,
  buttons: 1,
  ...pixels(x, y),
  ...more,
});
const finger = (x: number, y: number): Pointer => at(x, y, { pointerType: 'touch' });
/** Time passes, and the piece follows the hand. */
function settle(): void {
  for (let step = 0; step < 80; step++) {
    tick += 2;
    playback.take(frame(tick, hand.shown ? [[PIECE, hand.shown.pose]] : []), tick / 60);
    hand.step(tick / 60, 2 / 60);
  }
}
const to = () => world.last('carry').to ?? [];

describe('a mouse', () => {
  it('chooses what it is over, and regards the tile', () => {
    pointing.move(at(PIECE_X, PIECE_Y, { buttons: 0 }));
    expect([chosen, regarded]).toEqual([PIECE, null]);
    const { x = 0, y = 0 } = PLACES[7] ?? {};
    pointing.move(at(x, y, { buttons: 0 }));
    expect([chosen, regarded]).toEqual([null, 7]);
  });

  it('drags a piece and puts it down where it is let go', () => {
    expect(pointing.down(at(PIECE_X, PIECE_Y)), 'the camera does not get it').toBe(true);
    expect([world.last('grab').piece, chosen, pointing.dragging]).toEqual([PIECE, PIECE, true]);
    expect(canvas.captured).toEqual([1]);
    pointing.move(at(0.05, -0.3));
    settle();
    expect(hand.holding).toBe(true);
    pointing.up(at(0.05, -0.3));
    expect([hand.holding, pointing.dragging]).toEqual([false, false]);
    expect(to()[0]).toBeCloseTo(0.05, 3);
    expect(to()[1]).toBeCloseTo(-0.3, 3);
  });

  it('keeps the piece under the point it was taken at', () => {
    pointing.down(at(PIECE_X + 0.01, PIECE_Y));
    pointing.move(at(0.01, -0.3));
    settle();
    expect(to()[0]).toBeCloseTo(0, 3);
  });

  it('takes with a click, carries without a button, and puts down with another', () => {
    pointing.down(at(PIECE_X, PIECE_Y));
    pointing.up(at(PIECE_X, PIECE_Y));
    expect(hand.holding).toBe(true);
    pointing.move(at(0.1, -0.3, { buttons: 0 }));
    settle();
    expect(to()[0]).toBeCloseTo(0.1, 3);
    pointing.down(at(0.1, -0.3));
    expect(hand.holding).toBe(false);
  });

  it('tips with its other button, and turns with its wheel, but only what is in hand', () => {
    expect(pointing.wheel({ deltaX: 0, deltaY: 100 })).toBe(false);
    pointing.otherButton({ button: 2, shiftKey: false });
    pointing.down(at(PIECE_X, PIECE_Y));
    expect(pointing.wheel({ deltaX: 0, deltaY: 90 })).toBe(true);
    settle();
    const half = (30 * Math.PI) / 360;
    [Math.cos(half), 0, 0, Math.sin(half)].forEach((part, i) =>
      expect(world.last('carry').turn?.[i]).toBeCloseTo(part, 9),
    );
    const before = world.last('carry').turn;
    pointing.otherButton({ button: 0, shiftKey: false });
    settle();
    expect(world.last('carry').turn).toEqual(before);
    pointing.otherButton({ button: 2, shiftKey: true });
    settle();
    expect(world.last('carry').turn).not.toEqual(before);
  });

  it('rolls less than a notch without effect, until it adds up', () => {
    pointing.down(at(PIECE_X, PIECE_Y));
    pointing.wheel({ deltaX: 0, deltaY: 30 });
    settle();
    expect(world.last('carry').turn).toEqual([1, 0, 0, 0]);
    pointing.wheel({ deltaX: 30, deltaY: 0 });
    settle();
    expect(world.last('carry').turn?.[3]).toBeGreaterThan(0);
  });

  it('leaves the rest to the camera, and shows the tile', () => {
    const { x = 0, y = 0 } = PLACES[3] ?? {};
    expect(pointing.down(at(x, y))).toBe(false);
    expect(regarded).toBe(3);
    expect(pointing.down(at(PIECE_X, PIECE_Y, { button: 2 }))).toBe(false);
    expect(world.of('grab')).toEqual([]);
  });

  it('that is taken away puts down what it dragged', () => {
    pointing.down(at(PIECE_X, PIECE_Y));
    pointing.cancel();
    expect([hand.holding, pointing.dragging]).toEqual([false, false]);
  });
});

describe('a finger', () => {
  it('takes the nearest piece, within its own width', () => {
    pointing.down(finger(PIECE_X, PIECE_Y + 0.04));
    expect(world.last('grab').piece).toBe(PIECE);
  });

  it('takes nothing that is far', () => {
    expect(pointing.down(finger(0, 0.3))).toBe(false);
    expect(world.of('grab')).toEqual([]);
  });

  it('keeps a tapped piece in hand, and moves it by dragging anywhere', () => {
    pointing.down(finger(PIECE_X, PIECE_Y));
    pointing.up(finger(PIECE_X, PIECE_Y));
    expect(hand.holding).toBe(true);
    pointing.down(finger(0.4, 0.4));
    pointing.move(finger(0.5, 0.4));
    pointing.up(finger(0.5, 0.4));
    settle();
    expect(hand.holding).toBe(true);
    expect(to()[0]).toBeCloseTo(PIECE_X + 0.1, 3);
    expect(to()[1]).toBeCloseTo(PIECE_Y, 3);
  });

  it('brings the piece where it taps, and puts it down by tapping it', () => {
    pointing.down(finger(PIECE_X, PIECE_Y));
    pointing.up(finger(PIECE_X, PIECE_Y));
    pointing.down(finger(0.05, -0.3));
    pointing.up(finger(0.05, -0.3));
    settle();
    expect(to()[0]).toBeCloseTo(0.05, 3);
    expect(hand.holding).toBe(true);
    pointing.down(finger(0.05, -0.3));
    pointing.up(finger(0.05, -0.3));
    expect(hand.holding).toBe(false);
  });

  it('does not let go of a piece that stays in hand when the call comes in', () => {
    pointing.down(finger(PIECE_X, PIECE_Y));
    pointing.up(finger(PIECE_X, PIECE_Y));
    pointing.down(finger(0.1, 0.1));
    pointing.cancel();
    expect(hand.holding).toBe(true);
  });

  it('is not disturbed by a second one', () => {
    pointing.down(finger(PIECE_X, PIECE_Y));
    expect(pointing.down({ ...finger(0, 0), pointerId: 2 })).toBe(true);
    pointing.move({ ...finger(0.3, 0.3), pointerId: 2 });
    pointing.up({ ...finger(0.3, 0.3), pointerId: 2 });
    expect([hand.holding, pointing.dragging]).toEqual([true, true]);
  });
});

describe('a catapult', () => {
  const [x, y] = railPlace(0.6);

  beforeEach(() => {
    if (table) [table.hand, table.sling] = [null, sling];
  });

  it('is pulled back and let go', () => {
    expect(pointing.down(at(x, y))).toBe(true);
    pointing.move(at(x, y + 0.1));
    expect(sling.aim.yaw).toBeCloseTo(-Math.PI / 2, 6);
    expect(sling.aim.power).toBeCloseTo(0.5, 6);
    pointing.up(at(x, y + 0.1));
    expect(world.of('fire')).toHaveLength(1);
  });

  it('does not fire when it was only touched', () => {
    pointing.down(at(x, y));
    pointing.move(at(x, y + 0.015));
    pointing.up(at(x, y + 0.015));
    expect(world.of('fire')).toEqual([]);
  });

  it('is raised by the wheel while it is pulled', () => {
    const before = sling.aim.pitch;
    expect(pointing.wheel({ deltaX: 0, deltaY: -90 })).toBe(false);
    pointing.down(at(x, y));
    expect(pointing.wheel({ deltaX: 0, deltaY: -90 })).toBe(true);
    expect(sling.aim.pitch).toBeCloseTo(before + 0.1, 6);
  });

  it('is put elsewhere on the rail, and pulled from there', () => {
    const [there, away] = railPlace(0.1);
    expect(pointing.down(at(there, away))).toBe(true);
    const [sx, sy] = railPlace(sling.aim.at);
    expect(Math.hypot(sx - there, sy - away)).toBeLessThan(0.01);
    pointing.move(at(there, away - 0.1));
    pointing.up(at(there, away - 0.1));
    expect(world.of('fire')).toHaveLength(1);
  });

  it('is left alone by whoever points into the middle', () => {
    expect(pointing.down(at(0, 0))).toBe(false);
    expect(sling.aim.at).toBe(0.6);
  });
});

describe('where nothing may be done', () => {
  it('nothing is', () => {
    table = null;
    expect(pointing.down(at(PIECE_X, PIECE_Y))).toBe(false);
    pointing.move(at(0, 0));
    pointing.up(at(0, 0));
    pointing.cancel();
    expect(pointing.wheel({ deltaX: 0, deltaY: 90 })).toBe(false);
    expect(world.of('grab')).toEqual([]);
  });
});
