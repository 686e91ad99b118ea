/** Frames of a world: reading them, and showing them smoothly however unevenly they arrive. */
import {
  AIM,
  BODIES,
  BODY_STRIDE,
  CHUNK,
  FRAME,
  GHOST,
  GHOST_STRIDE,
  HEADER_SIZE,
  MAGIC,
  NO_PIECE,
  NOWHERE_BELOW,
  STEP_M,
  TICKS_A_LOOK,
  TICKS_A_SECOND,
} from '../constants';

export interface Pose {
  x: number;
  y: number;
  z: number;
  qw: number;
  qx: number;
  qy: number;
  qz: number;
}

export interface Aim {
  at: number;
  yaw: number;
  pitch: number;
  power: number;
  big: boolean;
  /** Seconds until the catapult may shoot again. */
  loadedIn: number;
}

export interface Frame {
  tick: number;
  held: number | null;
  secondsLeft: number;
  bodies: Map<number, Pose>;
  aims: Map<number, Aim>;
  /** Where the piece in hand belongs; `undefined` if the frame does not say, `null` for nowhere. */
  ghost: Pose | null | undefined;
}

/** The largest numbers of two bytes, without and with a sign. */
const U16 = 65535;
const I16 = 32767;
/** So many moments are kept for showing, three seconds of them. */
const MOMENTS = 90;

function pose(view: DataView, at: number, largest: number): Pose {
  const parts = [view.getInt16(at + 7, true), view.getInt16(at + 9, true), view.getInt16(at + 11, true)].map(
    (part) => part / I16 / Math.SQRT2,
  );
  const rest = Math.sqrt(Math.max(0, 1 - parts.reduce((sum, part) => sum + part * part, 0)));
  parts.splice(largest, 0, rest);
  const [qw = 1, qx = 0, qy = 0, qz = 0] = parts;
  return {
    x: view.getInt16(at + 1, true) * STEP_M,
    y: view.getInt16(at + 3, true) * STEP_M,
    z: view.getInt16(at + 5, true) * STEP_M,
    qw,
    qx,
    qy,
    qz,
  };
}

/** `null` if these bytes are no frame. */
export function readFrame(bytes: ArrayBuffer | Uint8Array): Frame | null {
  const view =
    bytes instanceof Uint8Array
      ? new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new DataView(bytes);
  if (view.byteLength < HEADER_SIZE || (view.byteLength - HEADER_SIZE) % CHUNK) return null;
  if (view.getUint8(0) !== FRAME) return null;
  const held = view.getUint8(1);
  const frame: Frame = {
    tick: view.getUint32(4, true),
    held: held === NO_PIECE ? null : held,
    secondsLeft: view.getUint16(2, true) / 100,
    bodies: new Map(),
    aims: new Map(),
    ghost: undefined,
  };
  for (let at = HEADER_SIZE; at < view.byteLength; at += CHUNK) {
    const who = view.getUint8(at);
    if (who >= GHOST) {
      const there = pose(view, at, Math.floor((who - GHOST) / GHOST_STRIDE));
      frame.ghost = there.z < NOWHERE_BELOW ? null : there;
    } else if (who >= AIM)
      frame.aims.set(who - AIM, {
        at: view.getUint16(at + 1, true) / U16,
        yaw: (view.getInt16(at + 3, true) / I16) * Math.PI,
        pitch: (view.getInt16(at + 5, true) / I16) * Math.PI,
        power: view.getUint16(at + 7, true) / U16,
        big: view.getUint8(at + 9) > 0,
        loadedIn: view.getUint16(at + 11, true) / 1000,
      });
    else frame.bodies.set(who % BODY_STRIDE, pose(view, at, Math.floor(who / BODY_STRIDE)));
  }
  return frame;
}

interface Moment {
  tick: number;
  poses: (Pose | null)[];
}

/**
 * The world a moment ago. Frames are put on a line by their ticks; the clock that runs along it is `DELAY` behind the
 * newest, and gains or loses a little when the link's delay changes, so nothing jumps.
 */
export class Playback {
  static readonly DELAY = 0.15;
  held: number | null = null;
  secondsLeft = 0;
  ghost: Pose | null = null;
  readonly aims = new Map<number, Aim>();
  #moments: Moment[] = [];
  /** Server seconds minus local seconds, as the quickest recent frames say. */
  #offset: number | null = null;

  /** Whether this frame is the first of another turn. */
  isNewTurn(frame: Frame): boolean {
    const last = this.#moments.at(-1);
    return last === undefined || frame.tick < last.tick;
  }

  take(frame: Frame, now: number): void {
    if (this.isNewTurn(frame)) {
      this.#moments = [];
      this.#offset = null;
      this.aims.clear();
      this.ghost = null;
    }
    const before = this.#moments.at(-1)?.poses ?? Array<Pose | null>(BODIES).fill(null);
    const poses = before.slice();
    for (const [body, pose] of frame.bodies) poses[body] = pose;
    // A body that has not moved for a while must not glide towards its next pose from long ago.
    const last = this.#moments.at(-1);
    if (last && frame.tick - last.tick > 2 * TICKS_A_LOOK)
      this.#moments.push({ tick: frame.tick - TICKS_A_LOOK, poses: before });
    this.#moments.push({ tick: frame.tick, poses });
    if (this.#moments.length > MOMENTS) this.#moments.splice(0, this.#moments.length - MOMENTS);
    this.held = frame.held;
    this.secondsLeft = frame.secondsLeft;
    if (frame.ghost !== undefined) this.ghost = frame.ghost;
    for (const [seat, aim] of frame.aims) this.aims.set(seat, aim);
    const offset = frame.tick / TICKS_A_SECOND - now;
    this.#offset = this.#offset === null ? offset : Math.max(offset, this.#offset - 0.002);
  }

  get newest(): (Pose | null)[] {
    return this.#moments.at(-1)?.poses ?? [];
  }

  /** Every body at local time `now`; `null` where nothing is known yet. */
  at(now: number): (Pose | null)[] {
    const latest = this.#moments.at(-1);
    if (!latest || this.#offset === null) return [];
    const tick = (now + this.#offset - Playback.DELAY) * TICKS_A_SECOND;
    let after = this.#moments.length - 1;
    while (after > 0 && (this.#moments[after - 1]?.tick ?? 0) >= tick) after--;
    const right = this.#moments[after] ?? latest;
    const left = this.#moments[after - 1] ?? right;
    if (tick >= right.tick || left === right) return right.poses;
    const part = (tick - left.tick) / (right.tick - left.tick);
    return right.poses.map((end, body) => {
      const start = left.poses[body] ?? null;
      return start && end && start !== end ? between(start, end, part) : end;
    });
  }
}

/** Along the line, and along the sphere. What is thrown further than it can fly was put there. */
export function between(a: Pose, b: Pose, part: number): Pose {
  if (Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z) > 0.5) return b;
  const sign = a.qw * b.qw + a.qx * b.qx + a.qy * b.qy + a.qz * b.qz < 0 ? -1 : 1;
  const mix = (p: number, q: number) => p + (q - p) * part;
  const q = [mix(a.qw, sign * b.qw), mix(a.qx, sign * b.qx), mix(a.qy, sign * b.qy), mix(a.qz, sign * b.qz)];
  const length = Math.hypot(...q) || 1;
  const [qw = 1, qx = 0, qy = 0, qz = 0] = q.map((each) => each / length);
  return { x: mix(a.x, b.x), y: mix(a.y, b.y), z: mix(a.z, b.z), qw, qx, qy, qz };
}

/** The frames of a stored turn. */
export async function readMotion(bytes: ArrayBuffer): Promise<Frame[]> {
  const magic = new TextDecoder().decode(bytes.slice(0, MAGIC.length));
  if (magic !== MAGIC) throw new Error('this is no motion of Kaboum');
  const stream = new Blob([bytes.slice(MAGIC.length)])
    .stream()
    .pipeThrough(new DecompressionStream('deflate'));
  const body = new Uint8Array(await new Response(stream).arrayBuffer());
  const view = new DataView(body.buffer);
  const frames: Frame[] = [];
  for (let at = 0; at + 2 <= body.length;) {
    const size = view.getUint16(at, true);
    const frame = readFrame(body.subarray(at + 2, at + 2 + size));
    if (frame) frames.push(frame);
    at += 2 + size;
  }
  return frames;
}
