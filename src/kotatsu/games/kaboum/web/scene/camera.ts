/** Where one looks from: a preset for each role, fitted into whatever part of the window is free. */
import { Vector3, type PerspectiveCamera } from 'three';
import type { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { RAIL } from '../constants';
import { railPlace } from '../rail';

export type Preset = 'builder' | 'above' | 'saboteur';

/** Pixels along the edges of the picture that are covered by something else. */
export interface Insets {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

type Point = [x: number, y: number, z: number];

const BUILDERS: Point[] = [
  [-0.51, -0.575, 0],
  [0.51, -0.575, 0],
  [-RAIL.x, RAIL.y + 0.01, 0.03],
  [RAIL.x, RAIL.y + 0.01, 0.03],
  [-0.15, 0.2, 0.16],
];
const ALL: Point[] = [
  [-0.52, -0.585, 0],
  [0.52, -0.585, 0],
  [-0.46, 0.46, 0],
  [0.46, 0.46, 0],
];
const TILES: Point[] = [-1, 1].flatMap((x) => [-1, 1].map((y): Point => [x * 0.28, y * 0.235, 0.05]));

/** What must be seen, and from where: how far up in degrees, and how far around, 0 being the builder's side. */
function wanted(preset: Preset, at: number): { points: Point[]; up: number; around: number } {
  if (preset === 'builder') return { points: BUILDERS, up: 50, around: 0 };
  if (preset === 'above') return { points: ALL, up: 89, around: 0 };
  const [x, y] = railPlace(at);
  const length = Math.hypot(x, y) || 1;
  // Half towards the middle of the table, half straight across from this side of it.
  const straight = Math.abs(y) >= RAIL.y ? Math.atan2(0, -y) : Math.atan2(x, 0);
  const behind = (far: number, aside: number): Point => [
    x + (x / length) * far - (y / length) * aside,
    y + (y / length) * far + (x / length) * aside,
    0,
  ];
  return {
    points: [...TILES, behind(0.13, 0), behind(0.05, 0.16), behind(0.05, -0.16)],
    up: 38,
    around: straight + wrapped(Math.atan2(x, -y) - straight) / 2,
  };
}

const wrapped = (angle: number): number => Math.atan2(Math.sin(angle), Math.cos(angle));

export function look(
  camera: PerspectiveCamera,
  orbit: OrbitControls,
  size: { wide: number; high: number },
  insets: Insets,
  preset: Preset,
  at: number,
): void {
  const { points, up, around } = wanted(preset, at);
  // A narrow window sees the table from further up, a low one from further down: its depth becomes height.
  const more = preset === 'above' ? 0 : camera.aspect < 1.1 ? 20 : camera.aspect > 2 ? -11 : 0;
  const steep = up + more;
  const elevation = (steep * Math.PI) / 180;
  const way = new Vector3(
    Math.cos(elevation) * Math.sin(around),
    Math.sin(elevation),
    Math.cos(elevation) * Math.cos(around),
  );
  const free = {
    left: (insets.left / size.wide) * 2 - 1,
    right: 1 - (insets.right / size.wide) * 2,
    bottom: (insets.bottom / size.high) * 2 - 1,
    top: 1 - (insets.top / size.high) * 2,
  };
  const world = points.map(([x, y, z]) => new Vector3(x, z, -y));
  const target = new Vector3();
  const right = new Vector3();
  const upwards = new Vector3();
  let distance = 1.4;
  for (let round = 0; round < 40; round++) {
    camera.position.copy(target).addScaledVector(way, distance);
    camera.lookAt(target);
    camera.updateMatrixWorld();
    const seen = world.map((point) => point.clone().project(camera));
    const [xs, ys] = [seen.map(({ x }) => x), seen.map(({ y }) => y)];
    const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const reach = Math.tan((camera.fov * Math.PI) / 360) * distance;
    camera.matrixWorld.extractBasis(right, upwards, new Vector3());
    target.addScaledVector(right, ((x0 + x1 - free.left - free.right) / 2) * reach * camera.aspect * 0.8);
    target.addScaledVector(upwards, ((y0 + y1 - free.bottom - free.top) / 2) * reach * 0.8);
    const full = Math.max((x1 - x0) / (free.right - free.left), (y1 - y0) / (free.top - free.bottom));
    distance *= Math.min(1.4, Math.max(0.7, full));
  }
  // The camera turns about the point of the table in the middle of the picture.
  const ray = target.clone().sub(camera.position).normalize();
  const onTable = camera.position.clone().addScaledVector(ray, -camera.position.y / ray.y);
  orbit.target.copy(onTable);
  orbit.update();
}
