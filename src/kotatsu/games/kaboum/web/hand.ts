/** The builder's hand: one piece, carried over whatever is below it, turned, tipped and put down gently. */
import { HAND_SPEED, MAX_REACH } from './constants';
import type { Playback, Pose } from './net/frames';
import type { World } from './net/world';
import { halfBox, supportUnder } from './solid';
import { times, upright, type Quaternion } from './turning';

const HOVER = 0.014;
const LIFT = 0.03;
const HIGHEST = 0.12;
/** A little slower than the world's own hand, which has to follow. */
const SPEED = HAND_SPEED - 0.05;
const LOWERING = 0.22;
const SETTLE_S = 0.22;
const SHOWN_AFTER_S = 0.25;
/** Neighbours that just touch do not carry each other. */
const FOOTPRINT = 0.92;
const THERE = 0.0015;
/** So far around a piece that is carried there must be room. */
const AROUND = 0.004;
/** Keys run ahead of the piece by so much at most. */
const AHEAD = 0.05;
/** As near as this the piece itself counts as having followed; it need not, after a while. */
const FOLLOWED = 0.004;
const LATEST_S = 3;
const STEP_S = 0.03;
const SAMPLE = 0.02;

interface Spot {
  x: number;
  y: number;
}

export class Hand {
  piece: number | null = null;
  /** Where the held piece is shown: where it is wanted, at the hand's own speed. */
  shown: { piece: number; pose: Pose } | null = null;
  #goal = { x: 0, y: 0 };
  #turn: Quaternion = [1, 0, 0, 0];
  /** How much higher than usual the piece is held. */
  #raised = 0;
  #puttingDown = false;
  #putDownAt = Infinity;
  #downSince: number | null = null;
  #letGoAt = 0;

  constructor(
    readonly seat: number,
    readonly world: World,
    readonly playback: Playback,
  ) {}

  get holding(): boolean {
    return this.piece !== null && !this.#puttingDown;
  }

  /** Whether it could: before the world's first frame nothing is there. */
  grab(piece: number): boolean {
    const pose = this.playback.newest[piece];
    if (!pose) return false;
    this.piece = piece;
    this.#puttingDown = false;
    this.#putDownAt = Infinity;
    this.#downSince = null;
    this.#raised = 0;
    this.#goal = { x: pose.x, y: pose.y };
    this.#turn = upright([pose.qw, pose.qx, pose.qy, pose.qz]);
    this.shown = { piece, pose: { ...pose } };
    this.world.act(this.seat, { move: 'grab', piece });
    return true;
  }

  moveTo(x: number, y: number): void {
    if (!this.holding) return;
    const within = (value: number, most: number) => Math.max(-most, Math.min(most, value));
    this.#goal = { x: within(x, MAX_REACH.x), y: within(y, MAX_REACH.y) };
  }

  moveBy(x: number, y: number): void {
    const [toX, toY] = [this.#goal.x + x, this.#goal.y + y];
    const pose = this.shown?.pose;
    if (pose && Math.hypot(toX - pose.x, toY - pose.y) < AHEAD) this.moveTo(toX, toY);
  }

  /** About the vertical, in degrees. */
  turnBy(degrees: number): void {
    const half = (degrees * Math.PI) / 360;
    this.#turn = times([Math.cos(half), 0, 0, Math.sin(half)], this.#turn);
  }

  /** A quarter over to the side. */
  tip(): void {
    this.#turn = times([Math.SQRT1_2, 0, Math.SQRT1_2, 0], this.#turn);
  }

  /** A quarter over, away from the builder. */
  tipForward(): void {
    this.#turn = times([Math.SQRT1_2, -Math.SQRT1_2, 0, 0], this.#turn);
  }

  raise(by: number): void {
    this.#raised = Math.max(0, Math.min(HIGHEST, this.#raised + by));
  }

  /** Bring the piece to where it is wanted, lower it and let go of it. */
  putDown(): void {
    if (this.holding) this.#puttingDown = true;
  }

  drop(): void {
    this.piece = null;
    this.shown = null;
    this.#puttingDown = false;
    this.#downSince = null;
  }

  /** How high the middle of the held piece hovers over a place of the table. */
  heightAt(x: number, y: number): number {
    if (this.piece === null || !this.shown) return 0;
    const [hx, hy, hz] = halfBox(this.piece, this.shown.pose);
    return this.#support(x, y, hx, hy) + hz + HOVER;
  }

  /** Once a picture: move on, and tell the world. */
  step(now: number, seconds: number): void {
    if (this.piece === null || !this.shown) {
      if (this.shown && now > this.#letGoAt + SHOWN_AFTER_S) this.shown = null;
      return;
    }
    if (this.#puttingDown) this.#putDownAt = Math.min(now, this.#putDownAt);
    // Small steps, however rarely there is a picture.
    for (let todo = seconds; todo > 0; todo -= STEP_S)
      if (this.#move(this.piece, now, Math.min(STEP_S, todo))) break;
    const { x, y, z } = this.shown.pose;
    this.world.state(this.seat, { move: 'carry', to: [x, y, z], turn: this.#turn });
    if (this.#downSince !== null && now > this.#downSince + SETTLE_S) this.#letGo(now);
  }

  /** Whether it goes down: then gently, a little for each picture. */
  #move(piece: number, now: number, seconds: number): boolean {
    const pose = this.shown?.pose;
    if (!pose) return true;
    const [qw, qx, qy, qz] = this.#turn;
    const turned = { ...pose, qw, qx, qy, qz };
    const [hx, hy, hz] = halfBox(piece, turned);
    const [dx, dy] = [this.#goal.x - pose.x, this.#goal.y - pose.y];
    const far = Math.hypot(dx, dy);
    // The piece itself follows later, the more so on a slow line: until it has passed, nothing is passed.
    const real = this.playback.newest[piece] ?? pose;
    const late = now > this.#putDownAt + LATEST_S;
    const followed = late || Math.hypot(real.x - this.#goal.x, real.y - this.#goal.y) < FOLLOWED;
    const lowering = this.#puttingDown && far < THERE && followed;
    const below = this.#support(pose.x, pose.y, hx, hy);
    const beside = this.#near(pose.x, pose.y, hx, hy);
    const ahead = Math.max(
      beside,
      this.#highest(real, pose, hx, hy),
      this.#highest(pose, this.#goal, hx, hy),
    );
    const height = lowering
      ? below + hz + 0.0004
      : ahead + hz + (far > 0.02 ? LIFT : HOVER) + (this.#puttingDown ? 0 : this.#raised);
    // It goes up before it goes across, so that it does not sweep away what it is carried over.
    const over = ahead + hz + HOVER / 3;
    const clear = far < 0.004 || (pose.z > over && (ahead < below + 0.002 || real.z > over));
    const step = clear && far > 0 ? Math.min(1, (SPEED * seconds) / far) : 0;
    const most = (lowering ? LOWERING : SPEED) * seconds;
    const moved = {
      ...turned,
      x: pose.x + dx * step,
      y: pose.y + dy * step,
      z: pose.z + Math.max(-most, Math.min(most, height - pose.z)),
    };
    this.shown = { piece, pose: moved };
    const down = lowering && Math.abs(height - moved.z) < 0.0008 && (late || real.z - height < FOLLOWED);
    this.#downSince = down ? (this.#downSince ?? now) : null;
    return lowering;
  }

  #letGo(now: number): void {
    this.world.act(this.seat, { move: 'release' });
    this.#letGoAt = now;
    this.piece = null;
    this.#puttingDown = false;
    this.#downSince = null;
  }

  /** The highest thing on the way from one place to another. */
  #highest(from: Spot, to: Spot, hx: number, hy: number): number {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const steps = Math.ceil(Math.hypot(dx, dy) / SAMPLE);
    let top = 0;
    for (let step = 0; step < steps; step++)
      top = Math.max(top, this.#near(to.x - (dx * step) / steps, to.y - (dy * step) / steps, hx, hy));
    return top;
  }

  /** What a piece would touch, or nearly, if it were moved there. */
  #near(x: number, y: number, hx: number, hy: number): number {
    return supportUnder(this.playback.newest, this.piece ?? -1, x, y, [hx + AROUND, hy + AROUND]);
  }

  /** What a piece would be put on. */
  #support(x: number, y: number, hx: number, hy: number): number {
    const footprint = [hx * FOOTPRINT, hy * FOOTPRINT] as const;
    return supportUnder(this.playback.newest, this.piece ?? -1, x, y, footprint);
  }
}
