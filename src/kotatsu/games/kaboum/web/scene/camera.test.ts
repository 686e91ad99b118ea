/** Every preset shows what its role must see, in whatever part of the window is free. */
import { PerspectiveCamera, Vector3 } from 'three';
import type { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { describe, expect, it } from 'vitest';
import { insetsOf } from '../board/insets';
import { PLACES, RAIL, STOCK } from '../constants';
import { railPlace } from '../rail';
import { look, type Insets, type Preset } from './camera';

const WINDOWS = [
  [1440, 844],
  [390, 788],
  [844, 334],
] as const;

interface Seen {
  camera: PerspectiveCamera;
  /** Where a point of the world is in the window, in pixels. */
  pixel: (x: number, y: number, z: number) => [number, number];
  target: Vector3;
}

function seen(wide: number, high: number, insets: Insets, preset: Preset, at: number): Seen {
  const camera = new PerspectiveCamera(34, wide / high, 0.02, 12);
  const target = new Vector3();
  // As `OrbitControls` does it: the camera looks at the target.
  const orbit = { target, update: () => camera.lookAt(target) } as unknown as OrbitControls;
  look(camera, orbit, { wide, high }, insets, preset, at);
  camera.updateMatrixWorld();
  const pixel = (x: number, y: number, z: number): [number, number] => {
    const { x: across, y: up } = new Vector3(x, z, -y).project(camera);
    return [((across + 1) / 2) * wide, ((1 - up) / 2) * high];
  };
  return { camera, pixel, target };
}

describe.each(WINDOWS)('in a window of %d by %d', (wide, high) => {
  const insets = insetsOf({ wide, high, fingers: false, shared: false, again: false });
  const inside = ([x, y]: [number, number]) => {
    expect(x).toBeGreaterThan(insets.left - 2);
    expect(x).toBeLessThan(wide - insets.right + 2);
    expect(y).toBeGreaterThan(insets.top - 2);
    expect(y).toBeLessThan(high - insets.bottom + 2);
  };

  it('a builder sees the stock and every tile', () => {
    const { pixel } = seen(wide, high, insets, 'builder', 0);
    for (const { x, y } of [...STOCK, ...PLACES]) inside(pixel(x, y, 0));
    for (const x of [-RAIL.x, RAIL.x]) inside(pixel(x, RAIL.y, 0));
    const [left, right] = [pixel(-0.4, -0.5, 0), pixel(0.4, -0.5, 0)];
    expect(left[0]).toBeLessThan(right[0]);
    expect(left[1], 'from the middle of the own side').toBeCloseTo(right[1], 3);
    expect(left[1], 'the stock in front').toBeGreaterThan(pixel(0, 0, 0)[1]);
  });

  it('from above one sees the whole rail and the stock, the builder below', () => {
    const { pixel } = seen(wide, high, insets, 'above', 0);
    for (let at = 0; at < 1; at += 0.05) inside(pixel(...railPlace(at), 0));
    for (const { x, y } of STOCK) inside(pixel(x, y, 0));
    const [[x0, y0], [x1, y1]] = [pixel(0, 0, 0), pixel(0, -0.5, 0)];
    expect(x1).toBeCloseTo(x0, 0);
    expect(y1).toBeGreaterThan(y0);
  });

  it.each([0.05, 0.3, 0.52, 0.62, 0.72, 0.95])(
    'a saboteur at %d sees the tiles behind the catapult',
    (at) => {
      const { pixel, camera } = seen(wide, high, insets, 'saboteur', at);
      for (const { x, y } of PLACES) inside(pixel(x, y, 0));
      const [x, y] = railPlace(at);
      inside(pixel(x, y, 0));
      // The catapult is nearer than the middle of the table.
      const from = new Vector3(camera.position.x, -camera.position.z, camera.position.y);
      expect(Math.hypot(from.x - x, from.y - y)).toBeLessThan(Math.hypot(from.x, from.y));
    },
  );

  it('the camera turns about a point of the table in the middle of the picture', () => {
    const { target, pixel } = seen(wide, high, insets, 'builder', 0);
    expect(target.y).toBeCloseTo(0, 6);
    const [x, y] = pixel(target.x, -target.z, 0);
    expect(x).toBeCloseTo(wide / 2, 3);
    expect(y).toBeCloseTo(high / 2, 3);
  });
});

it('more that lies over the picture means a smaller table', () => {
  const width = (insets: Insets) => {
    const { pixel } = seen(1000, 700, insets, 'builder', 0);
    return pixel(RAIL.x, 0, 0)[0] - pixel(-RAIL.x, 0, 0)[0];
  };
  const none = { top: 0, right: 0, bottom: 0, left: 0 };
  expect(width({ ...none, top: 100, bottom: 200 })).toBeLessThan(0.8 * width(none));
});
