/** The catapults on the rail: frames in their owners' colours, arms, and a die in each that is loaded. */
import {
  Color,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  type BufferGeometry,
} from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { edgeOf } from '../box';
import { SEAT_COLOURS } from '../colours';
import { LARGE_DIE } from '../constants';
import type { Aim } from '../net/frames';
import { railPlace } from '../rail';
import { block } from './shapes';

const GONE = new Matrix4().makeScale(0, 0, 0);
const AXLE = 0.03;
const ARM = 0.085;
const THROWN = 1.25;
const REST = -0.18;

export class Catapults {
  readonly group = new Group();
  readonly #frames: InstancedMesh;
  readonly #arms: InstancedMesh;
  readonly #loads: InstancedMesh;
  readonly #angles = SEAT_COLOURS.map(() => REST);
  #before = '';

  constructor(dieShape: BufferGeometry, dieLook: MeshLambertMaterial) {
    const seats = SEAT_COLOURS.length;
    this.#frames = new InstancedMesh(frame(), new MeshLambertMaterial(), seats);
    this.#arms = new InstancedMesh(arm(), new MeshLambertMaterial({ color: '#e9c48a' }), seats);
    this.#loads = new InstancedMesh(dieShape, dieLook, seats);
    SEAT_COLOURS.forEach((colour, seat) => this.#frames.setColorAt(seat, new Color(colour)));
    for (const mesh of [this.#frames, this.#arms, this.#loads]) {
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      for (let seat = 0; seat < seats; seat++) mesh.setMatrixAt(seat, GONE);
      this.group.add(mesh);
    }
  }

  /** `loaded`: the seats that have a die for their next shot. Whether anything changed. */
  show(aims: ReadonlyMap<number, Aim>, loaded: (seat: number, large: boolean) => boolean): boolean {
    for (const [seat, aim] of aims) this.#swing(seat, aim);
    const now = JSON.stringify([...aims, this.#angles.map((angle) => angle.toFixed(3))]);
    if (now === this.#before) return false;
    this.#before = now;
    for (let seat = 0; seat < SEAT_COLOURS.length; seat++) {
      const aim = aims.get(seat);
      if (aim) this.#put(seat, aim, loaded(seat, aim.big));
      else for (const mesh of [this.#frames, this.#arms, this.#loads]) mesh.setMatrixAt(seat, GONE);
    }
    for (const mesh of [this.#frames, this.#arms, this.#loads]) mesh.instanceMatrix.needsUpdate = true;
    return true;
  }

  /** The arm snaps forward, and is drawn back slowly. */
  #swing(seat: number, { loadedIn, power }: Aim): void {
    const wanted = loadedIn > 0.9 ? THROWN : REST - power * 0.42;
    const angle = this.#angles[seat] ?? REST;
    const step = wanted > angle ? 0.5 : -0.09;
    this.#angles[seat] = Math.abs(wanted - angle) <= Math.abs(step) ? wanted : angle + step;
  }

  #put(seat: number, { at, yaw, big, loadedIn }: Aim, loaded: boolean): void {
    const [x, y] = railPlace(at);
    const base = new Matrix4().makeRotationZ(yaw).setPosition(x, y, 0);
    const angle = this.#angles[seat] ?? REST;
    const lever = base
      .clone()
      .multiply(new Matrix4().makeTranslation(0, 0, AXLE))
      .multiply(new Matrix4().makeRotationY(angle));
    this.#frames.setMatrixAt(seat, base);
    this.#arms.setMatrixAt(seat, lever);
    const edge = edgeOf(big ? LARGE_DIE : 0);
    const load = new Matrix4().makeScale(edge, edge, edge).setPosition(-ARM, 0, 0.004 + edge / 2);
    this.#loads.setMatrixAt(seat, loaded && loadedIn <= 0.4 ? lever.multiply(load) : GONE);
  }
}

function frame(): BufferGeometry {
  const parts: BufferGeometry[] = [];
  for (const side of [-1, 1]) {
    parts.push(block(0.12, 0.008, 0.012).translate(-0.03, side * 0.022, 0.008));
    parts.push(block(0.012, 0.008, 0.04).translate(0, side * 0.022, 0.024));
    parts.push(
      block(0.042, 0.006, 0.008)
        .rotateY(0.85)
        .translate(-0.018, side * 0.022, 0.026),
    );
    for (const x of [-0.075, 0.018])
      parts.push(
        new CylinderGeometry(0.011, 0.011, 0.006, 12).toNonIndexed().translate(x, side * 0.03, 0.011),
      );
  }
  parts.push(block(0.01, 0.05, 0.01).translate(0.024, 0, 0.008));
  parts.push(block(0.01, 0.05, 0.01).translate(-0.082, 0, 0.008));
  parts.push(new CylinderGeometry(0.005, 0.005, 0.056, 10).toNonIndexed().translate(0, 0, AXLE));
  return merged(parts);
}

function arm(): BufferGeometry {
  const parts = [block(ARM + 0.03, 0.011, 0.007).translate(-(ARM - 0.01) / 2, 0, 0)];
  parts.push(block(0.03, 0.03, 0.004).translate(-ARM, 0, 0.003));
  for (const side of [-1, 1]) parts.push(block(0.03, 0.003, 0.01).translate(-ARM, side * 0.0145, 0.008));
  parts.push(block(0.003, 0.03, 0.01).translate(-ARM - 0.0145, 0, 0.008));
  parts.push(block(0.02, 0.024, 0.02).translate(0.018, 0, -0.004));
  return merged(parts);
}

function merged(parts: BufferGeometry[]): BufferGeometry {
  for (const part of parts) part.deleteAttribute('uv');
  return mergeGeometries(parts);
}
