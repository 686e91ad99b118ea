/** What is drawn over the table to help: where a piece belongs, which one is chosen, how a die would fly. */
import {
  BufferGeometry,
  EdgesGeometry,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  type Object3D,
} from 'three';
import type { Picture } from '../board/board';
import { PIECES } from '../box';
import { SEAT_COLOURS } from '../colours';
import type { Aim, Pose } from '../net/frames';
import { flight } from '../rail';
import type { Bodies } from './bodies';
import { geometryOf } from './shapes';

/** Points of a flight that are shown. */
const DOTS = 90;
const GLASS = { color: '#fff0b8', transparent: true, opacity: 0.55, depthWrite: false };

export class Marks {
  readonly group = new Group();
  readonly #ghost = new Mesh(new BufferGeometry(), new MeshBasicMaterial(GLASS));
  readonly #ghostEdges = line('#c98a12');
  readonly #halo = line('#ffffff');
  readonly #arc = new InstancedMesh(
    new IcosahedronGeometry(0.0034, 0),
    new MeshBasicMaterial({ color: '#fff6d8' }),
    DOTS,
  );
  readonly #mark = new Mesh(
    new RingGeometry(0.014, 0.021, 28),
    new MeshBasicMaterial({ color: '#fff2c4', transparent: true, opacity: 0.85 }),
  );
  #ghostShape = '';
  #ghostPose: Pose | null = null;
  #haloPiece = -1;
  #arcAim: Aim | null = null;

  constructor(readonly bodies: Bodies) {
    this.#arc.frustumCulled = false;
    for (const each of [this.#ghost, this.#ghostEdges, this.#halo, this.#arc, this.#mark]) {
      each.visible = false;
      this.group.add(each);
    }
  }

  /** Whether anything changed. */
  show({ ghost, halo, arc }: Picture): boolean {
    const changed = [
      this.#showGhost(ghost),
      this.#showHalo(halo),
      this.#showArc(arc?.aim ?? null, arc?.seat ?? 0),
    ];
    return changed.includes(true);
  }

  #showGhost(ghost: Picture['ghost']): boolean {
    const pose = ghost?.pose ?? null;
    if ((pose !== null) === this.#ghost.visible && pose === this.#ghostPose) return false;
    this.#ghostPose = pose;
    this.#ghost.visible = this.#ghostEdges.visible = pose !== null;
    if (!ghost) return true;
    const shape = PIECES[ghost.piece]?.name ?? 'cube';
    if (shape !== this.#ghostShape) {
      this.#ghostShape = shape;
      this.#ghost.geometry.dispose();
      this.#ghostEdges.geometry.dispose();
      this.#ghost.geometry = geometryOf(shape);
      this.#ghostEdges.geometry = new EdgesGeometry(this.#ghost.geometry, 30);
    }
    put(this.#ghost, ghost.pose);
    put(this.#ghostEdges, ghost.pose);
    return true;
  }

  /** Outline the piece that is chosen or under the pointer. */
  #showHalo(piece: number | null): boolean {
    const pose = piece === null ? null : this.bodies.poseOf(piece);
    const changed = this.#halo.visible !== (pose !== null) || (pose !== null && piece !== this.#haloPiece);
    this.#halo.visible = pose !== null;
    if (!pose || piece === null) return changed;
    if (piece !== this.#haloPiece) {
      this.#haloPiece = piece;
      this.#halo.geometry.dispose();
      this.#halo.geometry = new EdgesGeometry(this.bodies.shapeOf(piece) ?? undefined, 30);
    }
    put(this.#halo, pose);
    this.#halo.scale.setScalar(1.06);
    return changed;
  }

  /** The way a die would fly, and where it would come down. */
  #showArc(aim: Aim | null, seat: number): boolean {
    if (aim === this.#arcAim) return false;
    this.#arcAim = aim;
    this.#arc.visible = this.#mark.visible = aim !== null;
    if (!aim) return true;
    const points = flight(aim.at, aim.yaw, aim.pitch, aim.power);
    const spot = new Matrix4();
    this.#arc.count = Math.min(DOTS, points.length);
    points.slice(0, DOTS).forEach((point, dot) => this.#arc.setMatrixAt(dot, spot.setPosition(...point)));
    this.#arc.instanceMatrix.needsUpdate = true;
    const [x, y] = points.at(-1) ?? [0, 0];
    this.#mark.position.set(x, y, 0.002);
    this.#mark.material.color.set(SEAT_COLOURS[seat] ?? '#fff2c4');
    return true;
  }
}

/** Lines that are seen through everything. */
function line(color: string): LineSegments {
  const lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color, depthTest: false }));
  lines.renderOrder = 1;
  return lines;
}

function put(object: Object3D, { x, y, z, qw, qx, qy, qz }: Pose): void {
  object.position.set(x, y, z);
  object.quaternion.set(qx, qy, qz, qw);
}
