/** For tests: a table without a server and without a canvas. */
import type { Eye, Point } from '../board/eye';
import { PIECES } from '../box';
import { STOCK } from '../constants';
import { Playback, type Frame, type Pose } from '../net/frames';
import type { World } from '../net/world';
import type { KaboumView } from '../wire';

export interface Input {
  move: string;
  seat: number;
  to?: number[];
  turn?: number[];
  piece?: number;
  at?: number;
  yaw?: number;
  pitch?: number;
  power?: number;
  big?: boolean;
}

/** Remembers what was said to it. */
export class FakeWorld implements World {
  /** Everything, in order. */
  readonly heard: Input[] = [];
  act = (seat: number, input: unknown) => this.#hear(seat, input);
  state = (seat: number, input: unknown) => this.#hear(seat, input);

  of(move: string): Input[] {
    return this.heard.filter((each) => each.move === move);
  }

  last(move: string): Input {
    const found = this.of(move).at(-1);
    if (!found) throw new Error(`nobody said ${move}`);
    return found;
  }

  #hear(seat: number, input: unknown): void {
    this.heard.push({ seat, ...(input as Omit<Input, 'seat'>) });
  }
}

export const pose = (x: number, y: number, z: number): Pose => ({ x, y, z, qw: 1, qx: 0, qy: 0, qz: 0 });

export const frame = (tick: number, bodies: [number, Pose][] = [], more: Partial<Frame> = {}): Frame => ({
  tick,
  held: null,
  secondsLeft: 60 - tick / 60,
  bodies: new Map(bodies),
  aims: new Map(),
  ghost: undefined,
  ...more,
});

/** All pieces in stock. */
export const stock = (): [number, Pose][] => STOCK.map(({ x, y, z }, piece) => [piece, pose(x, y, z)]);

/** What a browser knows of a world in which all pieces are in stock. */
export function playbackOfStock(): Playback {
  const playback = new Playback();
  playback.take(frame(0, stock()), 0);
  return playback;
}

/** Looks straight down: the canvas is a square metre of the table, and a piece is where its pose is. */
export class FakeEye implements Eye {
  around = 0;
  constructor(readonly playback: Playback) {}

  pieceAt({ x, y }: Point): number | null {
    const near = (each: Pose | null) => each !== null && Math.hypot(each.x - x, each.y - y) < 0.015;
    const found = this.playback.newest.slice(0, PIECES.length).findIndex(near);
    return found < 0 ? null : found;
  }

  tableAt({ x, y }: Point): Point {
    return { x, y };
  }

  pointOf(x: number, y: number): Point {
    return { x, y };
  }
}

/** A canvas of 1000 by 1000 pixels at the window's corner. */
export class FakeCanvas {
  readonly clientWidth = 1000;
  readonly clientHeight = 1000;
  readonly captured: number[] = [];
  getBoundingClientRect = () => ({ left: 0, top: 0, width: 1000, height: 1000 }) as DOMRect;
  setPointerCapture = (pointer: number) => void this.captured.push(pointer);
}

/** Where on such a canvas a point of the table is. */
export const pixels = (x: number, y: number) => ({ clientX: (x + 1) * 500, clientY: (1 - y) * 500 });

/** Three players; seat 0 builds, the hourglass runs, tile number i lies at place i. */
export const view = (changes: Partial<KaboumView> = {}): KaboumView => ({
  phase: 'running',
  turn: 1,
  builder: 0,
  layout: Array.from({ length: 25 }, (_, tile) => tile),
  tiles: Array.from({ length: 26 }, (_, tile) => tile),
  won: [[], [], []],
  points: [0, 0, 0],
  ammo: [0, 4, 4],
  big_die: 1,
  big_left: true,
  shots: [],
  blocked: [],
  standing: [],
  striker: null,
  turns_left: 23,
  capped: false,
  result: null,
  ...changes,
});
