/** The table in three dimensions: what is on it, the light, the camera, and what is under the pointer. */
import {
  AmbientLight,
  BoxGeometry,
  BufferGeometry,
  Color,
  CylinderGeometry,
  DirectionalLight,
  EdgesGeometry,
  Group,
  Line,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Object3D,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { FIRST_DIE, flight, MM, PIECES, RAIL, railPlace, TABLE } from '../box';
import type { Aim, Pose } from '../net/frames';
import type { View } from '../wire';
import { geometryOf, makeDice, makePieces } from './shapes';
import { Tiles } from './tiles';

export type Preset = 'builder' | 'above' | 'saboteur';
const SEAT_COLOURS = ['#c8452f', '#2f6fb0', '#3f8f4a', '#b07a1f', '#7d4fa0'];

interface Catapult {
  group: Group;
  arm: Group;
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly camera = new PerspectiveCamera(42, 1, 0.02, 12);
  readonly orbit: OrbitControls;
  readonly #scene = new Scene();
  /** The world's own axes: x right, y away from the builder, z up. */
  readonly #world = new Group();
  readonly #pieces = makePieces();
  readonly #dice = makeDice();
  readonly #tiles: Tiles;
  readonly #ghost: Mesh;
  readonly #ghostEdges: LineSegments;
  readonly #halo: LineSegments;
  readonly #arc: Line;
  readonly #catapults = new Map<number, Catapult>();
  readonly #ray = new Raycaster();
  #ghostShape = '';
  #haloPiece = -1;

  constructor(canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: 'low-power' });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.#scene.background = new Color('#20242f');
    this.#world.rotation.x = -Math.PI / 2;
    this.#scene.add(this.#world);
    this.#light();
    this.#furniture();
    this.#tiles = new Tiles(() => undefined);
    this.#tiles.mesh.position.z = 0.0006;
    this.#world.add(this.#tiles.mesh, ...this.#pieces, ...this.#dice);
    for (const body of [...this.#pieces, ...this.#dice]) body.visible = false;
    const glass = new MeshBasicMaterial({
      color: '#ffe08a',
      transparent: true,
      opacity: 0.28,
      depthWrite: false,
    });
    this.#ghost = new Mesh(new BufferGeometry(), glass);
    this.#ghostEdges = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: '#ffd257' }));
    this.#halo = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: '#ffffff' }));
    this.#arc = new Line(new BufferGeometry(), new LineBasicMaterial({ color: '#ffd257' }));
    this.#ghost.visible = this.#ghostEdges.visible = this.#halo.visible = this.#arc.visible = false;
    this.#world.add(this.#ghost, this.#ghostEdges, this.#halo, this.#arc);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = true;
    this.orbit.maxPolarAngle = 1.45;
    this.orbit.minDistance = 0.25;
    this.orbit.maxDistance = 2.6;
    this.orbit.enablePan = true;
    this.look('builder');
  }

  dispose(): void {
    this.orbit.dispose();
    this.renderer.dispose();
    this.#scene.traverse((each) => {
      if (each instanceof Mesh) each.geometry.dispose();
    });
  }

  resize(wide: number, high: number): void {
    this.renderer.setSize(wide, high, false);
    this.camera.aspect = wide / Math.max(1, high);
    this.camera.fov = this.camera.aspect < 1 ? 58 : 42;
    this.camera.updateProjectionMatrix();
  }

  look(preset: Preset, at = 0.6): void {
    if (preset === 'builder') {
      this.orbit.target.set(0, 0, 0.17);
      const far = this.camera.aspect > 1.5 ? 1 : Math.min(1.5, 1.5 / this.camera.aspect);
      this.camera.position.set(0, 0.92 * far, 0.17 + 0.98 * far);
    } else if (preset === 'above') {
      this.camera.position.set(0, 1.5, 0.02);
      this.orbit.target.set(0, 0, 0.05);
    } else {
      const [x, y] = railPlace(at);
      const length = Math.hypot(x, y) || 1;
      this.camera.position.set((x / length) * (length + 0.55), 0.5, (-y / length) * (length + 0.55));
      this.orbit.target.set(x * 0.2, 0.05, -y * 0.2);
    }
    this.orbit.update();
  }

  show(view: View): void {
    this.#tiles.show(view);
  }

  /** Put every body where it is; `own` is shown there instead, at once. */
  place(poses: (Pose | null)[], own: { piece: number; pose: Pose } | null): void {
    poses.forEach((pose, body) => {
      const mesh = body < FIRST_DIE ? this.#pieces[body] : this.#dice[body - FIRST_DIE];
      if (!mesh) return;
      const shown = own?.piece === body ? own.pose : pose;
      mesh.visible = shown !== null && (body < FIRST_DIE || shown.z > -0.38);
      if (shown) put(mesh, shown);
    });
  }

  showGhost(piece: number | null, pose: Pose | null): void {
    const shown = piece !== null && pose !== null;
    this.#ghost.visible = this.#ghostEdges.visible = shown;
    if (!shown) return;
    const shape = PIECES[piece]?.name ?? 'cube';
    if (shape !== this.#ghostShape) {
      this.#ghostShape = shape;
      this.#ghost.geometry.dispose();
      this.#ghostEdges.geometry.dispose();
      this.#ghost.geometry = geometryOf(shape);
      this.#ghostEdges.geometry = new EdgesGeometry(this.#ghost.geometry, 30);
    }
    put(this.#ghost, pose);
    put(this.#ghostEdges, pose);
  }

  /** Outline the piece that is chosen or under the pointer. */
  showHalo(piece: number | null): void {
    const mesh = piece === null ? undefined : this.#pieces[piece];
    this.#halo.visible = mesh?.visible ?? false;
    if (!mesh || piece === null) return;
    if (piece !== this.#haloPiece) {
      this.#haloPiece = piece;
      this.#halo.geometry.dispose();
      this.#halo.geometry = new EdgesGeometry(mesh.geometry, 30);
    }
    this.#halo.position.copy(mesh.position);
    this.#halo.quaternion.copy(mesh.quaternion);
    this.#halo.scale.setScalar(1.03);
  }

  showArc(aim: Aim | null): void {
    this.#arc.visible = aim !== null;
    if (!aim) return;
    const points = flight(aim.at, aim.yaw, aim.pitch, aim.power).map((point) => new Vector3(...point));
    this.#arc.geometry.dispose();
    this.#arc.geometry = new BufferGeometry().setFromPoints(points);
  }

  showCatapults(aims: ReadonlyMap<number, Aim>, builder: number): void {
    for (const [seat, { group }] of this.#catapults) group.visible = aims.has(seat) && seat !== builder;
    for (const [seat, aim] of aims) {
      if (seat === builder) continue;
      const { group, arm } = this.#catapult(seat);
      const [x, y] = railPlace(aim.at);
      group.position.set(x, y, 0);
      group.rotation.z = aim.yaw;
      arm.rotation.y = aim.loadedIn > 0 ? -1.1 : 0.25 + aim.power * 0.7;
    }
  }

  /** The piece under a point of the canvas, given from -1 to 1. */
  pieceAt(point: Vector2): number | null {
    this.#ray.setFromCamera(point, this.camera);
    const hit = this.#ray.intersectObjects(
      this.#pieces.filter((piece) => piece.visible),
      false,
    )[0];
    return hit ? (hit.object.userData['piece'] as number) : null;
  }

  /** Where a point of the canvas is over the table, at a height. */
  tableAt(point: Vector2, height: number): { x: number; y: number } | null {
    this.#ray.setFromCamera(point, this.camera);
    const found = this.#ray.ray.intersectPlane(new Plane(new Vector3(0, 1, 0), -height), new Vector3());
    return found ? { x: found.x, y: -found.z } : null;
  }

  render(): void {
    this.orbit.update();
    this.renderer.render(this.#scene, this.camera);
  }

  get cost(): { calls: number; triangles: number } {
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles };
  }

  #light(): void {
    const sun = new DirectionalLight('#fff1d6', 2.4);
    sun.position.set(0.55, 1.5, 0.7);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    Object.assign(sun.shadow.camera, {
      left: -0.75,
      right: 0.75,
      top: 0.75,
      bottom: -0.75,
      near: 0.5,
      far: 3,
    });
    sun.shadow.bias = -0.0006;
    sun.shadow.normalBias = 0.002;
    this.#scene.add(sun, new AmbientLight('#c9d3ff', 1.15));
  }

  #furniture(): void {
    const wood = new MeshLambertMaterial({ color: '#9c6a41' });
    const dark = new MeshLambertMaterial({ color: '#5d3a22' });
    const top = new Mesh(new BoxGeometry(TABLE, TABLE, 0.04), wood);
    top.position.z = -0.02;
    top.receiveShadow = true;
    this.#world.add(top);
    const rail: [number, number, number, number][] = [
      [0, -RAIL.y, 2 * RAIL.x, 0],
      [0, RAIL.y, 2 * RAIL.x, 0],
      [-RAIL.x, 0, 2 * RAIL.y, 1],
      [RAIL.x, 0, 2 * RAIL.y, 1],
    ];
    for (const [x, y, length, upright] of rail) {
      const bar = new Mesh(new BoxGeometry(upright ? 0.006 : length, upright ? length : 0.006, 0.0016), dark);
      bar.position.set(x, y, 0.0008);
      this.#world.add(bar);
    }
  }

  #catapult(seat: number): Catapult {
    const known = this.#catapults.get(seat);
    if (known) return known;
    const paint = new MeshLambertMaterial({ color: SEAT_COLOURS[seat] ?? '#888888' });
    const group = new Group();
    const base = new Mesh(new BoxGeometry(0.09, 0.036, 0.012), paint);
    base.position.set(-0.02, 0, 0.006);
    const axle = new Mesh(new CylinderGeometry(0.007, 0.007, 0.044, 12), paint);
    axle.position.z = 0.022;
    const arm = new Group();
    arm.position.z = 0.022;
    const beam = new Mesh(new BoxGeometry(0.1, 0.01, 0.006), new MeshLambertMaterial({ color: '#e0b878' }));
    beam.position.x = -0.035;
    const cup = new Mesh(new BoxGeometry(0.024, 0.024, 0.008), paint);
    cup.position.set(-0.08, 0, 0.006);
    arm.add(beam, cup);
    group.add(base, axle, arm);
    group.traverse((each) => (each.castShadow = true));
    this.#world.add(group);
    const made = { group, arm };
    this.#catapults.set(seat, made);
    return made;
  }
}

function put(object: Object3D, { x, y, z, qw, qx, qy, qz }: Pose): void {
  object.position.set(x, y, z);
  object.quaternion.set(qx, qy, qz, qw);
}

/** How far a point is above the table's top once it is on something: the highest body under a footprint. */
export function supportUnder(
  poses: (Pose | null)[],
  but: number,
  x: number,
  y: number,
  reach: number,
): number {
  let top = 0;
  poses.forEach((pose, body) => {
    if (!pose || body === but || pose.z < 0) return;
    const [hx, hy, hz] = halfBox(body, pose);
    if (Math.abs(pose.x - x) < hx + reach && Math.abs(pose.y - y) < hy + reach)
      top = Math.max(top, pose.z + hz);
  });
  return top;
}

/** Half the box around a body as it lies, along the world's axes. */
export function halfBox(body: number, { qw, qx, qy, qz }: Pose): [number, number, number] {
  const size =
    body < FIRST_DIE
      ? (PIECES[body]?.size ?? [30, 30, 30])
      : body === FIRST_DIE + 9
        ? [25, 25, 25]
        : [16, 16, 16];
  const [a = 0, b = 0, c = 0] = size.map((each) => (each / 2) * MM);
  const rows: [number, number, number][] = [
    [1 - 2 * (qy * qy + qz * qz), 2 * (qx * qy - qw * qz), 2 * (qx * qz + qw * qy)],
    [2 * (qx * qy + qw * qz), 1 - 2 * (qx * qx + qz * qz), 2 * (qy * qz - qw * qx)],
    [2 * (qx * qz - qw * qy), 2 * (qy * qz + qw * qx), 1 - 2 * (qx * qx + qy * qy)],
  ];
  const reach = ([i, j, k]: [number, number, number]) => Math.abs(i) * a + Math.abs(j) * b + Math.abs(k) * c;
  return [reach(rows[0] ?? [0, 0, 0]), reach(rows[1] ?? [0, 0, 0]), reach(rows[2] ?? [0, 0, 0])];
}
