/** The pieces and the dice. Copies of a shape are one draw call, and all dice are one. */
import {
  Group,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  Sphere,
  Vector3,
  type BufferGeometry,
  type Raycaster,
} from 'three';
import { edgeOf, PIECES, SHAPES } from '../box';
import { BODIES, DICE, FIRST_DIE, FLOOR } from '../constants';
import type { Pose } from '../net/frames';
import { dieGeometry, geometryOf } from './shapes';
import { dieFaces, grain } from './wood';

const GONE = new Matrix4().makeScale(0, 0, 0);
/** A die that lies on the floor is not in play. */
const ON_FLOOR = FLOOR + 0.02;
const COPIES = PIECES.length / SHAPES.length;
const whole = new Sphere(new Vector3(), 3);

export class Bodies {
  readonly group = new Group();
  readonly dieShape = dieGeometry();
  readonly dieLook = new MeshLambertMaterial({ map: dieFaces() });
  readonly #pieces: InstancedMesh[];
  readonly #dice: InstancedMesh;
  readonly #shown: (Pose | null)[] = Array<Pose | null>(BODIES).fill(null);
  readonly #matrix = new Matrix4();
  readonly #at = new Vector3();
  readonly #turn = new Quaternion();
  readonly #size = new Vector3();

  constructor() {
    const wood = new MeshLambertMaterial({ map: grain() });
    this.#pieces = SHAPES.map(({ name, colour }) => {
      const mesh = new InstancedMesh(geometryOf(name), wood.clone(), COPIES);
      mesh.material.color.set(colour);
      return mesh;
    });
    this.#dice = new InstancedMesh(this.dieShape, this.dieLook, DICE);
    for (const mesh of [...this.#pieces, this.#dice]) {
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      mesh.boundingSphere = whole;
      for (let copy = 0; copy < mesh.count; copy++) mesh.setMatrixAt(copy, GONE);
      this.group.add(mesh);
    }
  }

  poseOf(body: number): Pose | null {
    return this.#shown[body] ?? null;
  }

  shapeOf(piece: number): BufferGeometry | null {
    return this.#pieces[Math.floor(piece / COPIES)]?.geometry ?? null;
  }

  /** Put every body where it is; whether anything moved. */
  place(poses: readonly (Pose | null)[]): boolean {
    let moved = false;
    for (let body = 0; body < BODIES; body++) {
      const pose = poses[body] ?? null;
      if (alike(pose, this.#shown[body] ?? null)) continue;
      this.#shown[body] = pose;
      moved = true;
      this.#put(body, pose);
    }
    return moved;
  }

  /** The piece a ray meets first. */
  pieceOn(ray: Raycaster): number | null {
    const hit = ray.intersectObjects(this.#pieces, false)[0];
    if (hit?.instanceId === undefined) return null;
    return this.#pieces.indexOf(hit.object as InstancedMesh) * COPIES + hit.instanceId;
  }

  #put(body: number, pose: Pose | null): void {
    const die = body - FIRST_DIE;
    const mesh = die < 0 ? this.#pieces[Math.floor(body / COPIES)] : this.#dice;
    if (!mesh) return;
    const hidden = !pose || (die >= 0 && pose.z < ON_FLOOR);
    const matrix = hidden ? GONE : this.#matrix.compose(...this.#parts(pose, die < 0 ? 1 : edgeOf(die)));
    mesh.setMatrixAt(die < 0 ? body % COPIES : die, matrix);
    mesh.instanceMatrix.needsUpdate = true;
  }

  #parts({ x, y, z, qx, qy, qz, qw }: Pose, size: number): [Vector3, Quaternion, Vector3] {
    return [this.#at.set(x, y, z), this.#turn.set(qx, qy, qz, qw), this.#size.setScalar(size)];
  }
}

function alike(a: Pose | null, b: Pose | null): boolean {
  if (a === b || !a || !b) return a === b;
  const places = a.x === b.x && a.y === b.y && a.z === b.z;
  return places && a.qw === b.qw && a.qx === b.qx && a.qy === b.qy && a.qz === b.qz;
}
