/** A stored turn, to be looked at again at any moment and any speed. */
import { BODIES, TICKS_A_SECOND } from '../constants';
import { between, type Aim, type Frame, type Pose } from './frames';

interface Moment {
  tick: number;
  secondsLeft: number;
  poses: (Pose | null)[];
  aims: Map<number, Aim>;
}

export class Film {
  readonly last: number;
  tick = 0;
  speed = 1;
  readonly #moments: Moment[];
  #goal: number | null = null;
  #arrived: (() => void) | null = null;

  constructor(frames: readonly Frame[]) {
    let poses = Array<Pose | null>(BODIES).fill(null);
    let aims = new Map<number, Aim>();
    this.#moments = frames.map(({ tick, secondsLeft, bodies, aims: aimed }) => {
      poses = poses.slice();
      for (const [body, pose] of bodies) poses[body] = pose;
      if (aimed.size) aims = new Map([...aims, ...aimed]);
      return { tick, secondsLeft, poses, aims };
    });
    this.last = this.#moments.at(-1)?.tick ?? 0;
  }

  get running(): boolean {
    return this.#goal !== null;
  }

  /** Show a moment, and stand still there. */
  jump(tick: number): void {
    this.tick = Math.max(0, Math.min(this.last, tick));
    this.#stop();
  }

  /** Run on to a moment; done when it is reached, or when somebody jumped elsewhere. */
  runTo(tick: number): Promise<void> {
    this.#stop();
    const goal = Math.min(tick, this.last);
    if (goal <= this.tick) return Promise.resolve();
    this.#goal = goal;
    return new Promise((done) => (this.#arrived = done));
  }

  /** Time goes on. */
  step(seconds: number): void {
    if (this.#goal === null) return;
    this.tick = Math.min(this.#goal, this.tick + seconds * TICKS_A_SECOND * this.speed);
    if (this.tick >= this.#goal) this.#stop();
  }

  get secondsLeft(): number {
    return this.#moments[this.#before()]?.secondsLeft ?? 0;
  }

  get aims(): ReadonlyMap<number, Aim> {
    return this.#moments[this.#before()]?.aims ?? new Map<number, Aim>();
  }

  get poses(): readonly (Pose | null)[] {
    const before = this.#before();
    const [left, right] = [this.#moments[before], this.#moments[before + 1]];
    if (!left || !right) return left?.poses ?? [];
    const part = Math.max(0, Math.min(1, (this.tick - left.tick) / (right.tick - left.tick)));
    return right.poses.map((end, body) => {
      const start = left.poses[body] ?? null;
      return start && end && start !== end ? between(start, end, part) : (start ?? end);
    });
  }

  /** The newest moment that has been reached. */
  #before(): number {
    let [low, high] = [0, this.#moments.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#moments[middle]?.tick ?? 0) <= this.tick) low = middle;
      else high = middle - 1;
    }
    return Math.max(0, low);
  }

  #stop(): void {
    this.#goal = null;
    const arrived = this.#arrived;
    this.#arrived = null;
    arrived?.();
  }
}
