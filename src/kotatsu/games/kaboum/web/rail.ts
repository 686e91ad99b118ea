/** The rail around the play area, and the flight of a die in still air: `rail.py` of the server, for the screen. */
import { MAX_SPEED, GRAVITY, LAUNCH_HEIGHT, RAIL, MIN_SPEED } from './constants';

/** So finely a place of the rail is looked for. */
const PARTS = 200;
const FLIGHT_STEP_S = 0.014;
const LONGEST_FLIGHT_S = 1.2;

/** A place of the rail, counter-clockwise from the builder's left corner; `at` from 0 to 1. */
export function railPlace(at: number): [number, number] {
  let along = (((at % 1) + 1) % 1) * 4 * (RAIL.x + RAIL.y);
  if (along < 2 * RAIL.x) return [along - RAIL.x, -RAIL.y];
  along -= 2 * RAIL.x;
  if (along < 2 * RAIL.y) return [RAIL.x, along - RAIL.y];
  along -= 2 * RAIL.y;
  if (along < 2 * RAIL.x) return [RAIL.x - along, RAIL.y];
  along -= 2 * RAIL.x;
  return [-RAIL.x, RAIL.y - along];
}

/** The part of the rail that is nearest to a point of the table. */
export function nearestOnRail(x: number, y: number): number {
  let best = 0;
  let least = Infinity;
  for (let part = 0; part < PARTS; part++) {
    const [rx, ry] = railPlace(part / PARTS);
    const away = Math.hypot(rx - x, ry - y);
    if (away < least) [least, best] = [away, part / PARTS];
  }
  return best;
}

/** How fast a die leaves a catapult that was pulled so far, from 0 to 1; metres a second. */
export const speedOf = (power: number): number => MIN_SPEED + (MAX_SPEED - MIN_SPEED) * power;

/** Points of the flight of a die in still air, until it is down on the table. */
export function flight(at: number, yaw: number, pitch: number, power: number): [number, number, number][] {
  const [x, y] = railPlace(at);
  const fast = speedOf(power);
  const points: [number, number, number][] = [];
  for (let t = 0; t < LONGEST_FLIGHT_S; t += FLIGHT_STEP_S) {
    const along = fast * Math.cos(pitch) * t;
    const z = LAUNCH_HEIGHT + fast * Math.sin(pitch) * t - (GRAVITY / 2) * t * t;
    points.push([x + along * Math.cos(yaw), y + along * Math.sin(yaw), Math.max(0, z)]);
    if (z < 0) break;
  }
  return points;
}
