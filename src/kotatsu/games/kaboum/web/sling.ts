/** A saboteur's catapult: set on the rail, aimed, pulled, let go. */
import type { Aim } from './net/frames';
import type { World } from './net/world';
import { nearestOnRail, railPlace } from './rail';

/** Metres of pulling back for the strongest shot. */
export const PULL = 0.2;
/** Here a catapult is raised a little less than the world lets it be (`MAX_PITCH` of the constants). */
const STEEP = 1.35;

export class Sling {
  aim: Aim;

  constructor(
    readonly seat: number,
    readonly world: World,
    place: number,
    big: boolean,
  ) {
    const [x, y] = railPlace(place);
    this.aim = {
      at: place,
      yaw: Math.atan2(-y, -x),
      pitch: 0.7,
      power: 0.12,
      big,
      loadedIn: 0,
    };
    this.tell();
  }

  /** Put it on the rail where somebody pointed, looking at the middle. */
  placeAt(x: number, y: number): void {
    this.slide(nearestOnRail(x, y) - this.aim.at);
  }

  slide(by: number): void {
    const [x, y] = railPlace(this.aim.at);
    const off = this.aim.yaw - Math.atan2(-y, -x);
    const at = (((this.aim.at + by) % 1) + 1) % 1;
    const [nx, ny] = railPlace(at);
    this.set({ at, yaw: wrap(Math.atan2(-ny, -nx) + off) });
  }

  /** Pull back from the catapult to a point of the table: it shoots the other way, the stronger the further. */
  pull(x: number, y: number): void {
    const [cx, cy] = railPlace(this.aim.at);
    const length = Math.hypot(cx - x, cy - y);
    if (length < 0.01) return;
    this.set({ yaw: Math.atan2(cy - y, cx - x), power: Math.min(1, length / PULL) });
  }

  turnBy(radians: number): void {
    this.set({ yaw: this.aim.yaw + radians });
  }

  tilt(radians: number): void {
    this.set({ pitch: this.aim.pitch + radians });
  }

  draw(power: number): void {
    this.set({ power: this.aim.power + power });
  }

  set(change: Partial<Aim>): void {
    const within = (value: number, most: number) => Math.max(0, Math.min(most, value));
    const next = { ...this.aim, ...change };
    next.pitch = within(next.pitch, STEEP);
    next.power = within(next.power, 1);
    next.yaw = wrap(next.yaw);
    this.aim = next;
    this.tell();
  }

  tell(): void {
    const { at, yaw, pitch, power, big } = this.aim;
    this.world.state(this.seat, { move: 'aim', at, yaw, pitch, power, big });
  }

  fire(): void {
    this.tell();
    this.world.act(this.seat, { move: 'fire' });
  }
}

const wrap = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));
