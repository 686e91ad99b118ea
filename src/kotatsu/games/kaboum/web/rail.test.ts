/** The rail and the flights are the server's: `samples.json` is what Python says of them. */
import { describe, expect, it, test } from 'vitest';
import samples from './testing/samples.json';
import { LAUNCH_HEIGHT, RAIL, MAX_PITCH } from './constants';
import { flight, nearestOnRail, railPlace, speedOf } from './rail';

test.each(samples.rail)('the rail at %d is where the server has it', (at = 0, x = 0, y = 0) => {
  const [here, there] = railPlace(at);
  expect(here).toBeCloseTo(x, 6);
  expect(there).toBeCloseTo(y, 6);
});

describe('nearestOnRail', () => {
  it('finds a place of the rail again', () => {
    for (let at = 0.01; at < 1; at += 0.07) {
      const [x, y] = railPlace(nearestOnRail(...railPlace(at)));
      const [wantedX, wantedY] = railPlace(at);
      expect(Math.hypot(x - wantedX, y - wantedY)).toBeLessThan(0.01);
    }
  });

  it('goes straight out from a point inside', () => {
    const [x, y] = railPlace(nearestOnRail(0.1, RAIL.y - 0.05));
    expect(y).toBeCloseTo(RAIL.y, 6);
    expect(x).toBeCloseTo(0.1, 1);
  });
});

describe('flight', () => {
  it.each(samples.flights)('comes down where the server says: %o', ({ at, yaw, pitch, power, lands }) => {
    const points = flight(at, yaw, pitch, power);
    const [x, y] = railPlace(at);
    const far = (px = 0, py = 0) => Math.hypot(px - x, py - y);
    // The last point shown is the first one that is below the table.
    const [before, after] = [points.at(-2) ?? [], points.at(-1) ?? []];
    expect(far(...lands)).toBeGreaterThanOrEqual(far(...before) - 1e-6);
    expect(far(...lands)).toBeLessThanOrEqual(far(...after) + 1e-6);
    const way = Math.atan2((lands[1] ?? 0) - y, (lands[0] ?? 0) - x);
    expect(Math.cos(way - yaw)).toBeCloseTo(1, 6);
  });

  it('begins at the muzzle, and never goes below the table', () => {
    const points = flight(0.4, 1, 0.5, 0.5);
    expect(points[0]).toEqual([...railPlace(0.4), LAUNCH_HEIGHT]);
    expect(Math.min(...points.map(([, , z]) => z))).toBe(0);
  });

  it('of the strongest shot straight up is 1.14 m high, of the weakest 15 cm', () => {
    const height = (power: number) => Math.max(...flight(0, 0, Math.PI / 2, power).map(([, , z]) => z));
    expect(height(1)).toBeCloseTo(1.138, 2);
    expect(height(0)).toBeCloseTo(0.146, 2);
  });
});

test('a die leaves at 1.3 to 4.6 metres a second', () => {
  expect(speedOf(0)).toBe(1.3);
  expect(speedOf(0.5)).toBeCloseTo(2.95, 6);
  expect(speedOf(1)).toBe(4.6);
  expect(MAX_PITCH).toBeLessThan(Math.PI / 2);
});
