/** The table in three dimensions: what is on it, the light, the camera, and what is under the pointer. */
import {
  BufferGeometry,
  DirectionalLight,
  EdgesGeometry,
  Group,
  IcosahedronGeometry,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PCFShadowMap,
  PerspectiveCamera,
  Plane,
  Raycaster,
  RingGeometry,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  type Object3D,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { flight, PIECES } from '../box';
import type { Aim, Pose } from '../net/frames';
import type { KaboumView } from '../wire';
import { Bodies } from './bodies';
import { look, type Insets, type Preset } from './camera';
import { Catapults, SEAT_COLOURS } from './catapults';
import { furnish, light } from './room';
import { geometryOf } from './shapes';
import { Tiles } from './tiles';

/** How finely is drawn, from the best to the quickest: points of the picture for one of the window, and shadows. */
const QUALITIES = [
  { ratio: 2, shadows: true },
  { ratio: 1.5, shadows: true },
  { ratio: 1, shadows: true },
  { ratio: 1, shadows: false },
  { ratio: 0.7, shadows: false },
].filter(({ ratio }, level) => level > 1 || ratio <= devicePixelRatio);
const SLOW_MS = 28;
/** A picture later than this was not drawn slowly: nobody looked at the page. */
const AWAY_MS = 3000;
/** So much slower than it should be, in milliseconds altogether, is too slow. */
const PATIENCE_MS = 1200;
/** After so long without being late a better picture is tried again, this often at most. */
const GOOD_MS = 6000;
const TRIES = 2;
const STILL_MS = 500;
/** Points of a flight that are shown. */
const DOTS = 90;

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly camera = new PerspectiveCamera(34, 1, 0.02, 12);
  readonly orbit: OrbitControls;
  readonly #scene = new Scene();
  /** The world's own axes: x right, y away from the builder, z up. */
  readonly #world = new Group();
  readonly #bodies = new Bodies();
  readonly #catapults: Catapults;
  readonly #tiles: Tiles;
  readonly #lamp: DirectionalLight;
  readonly #ghost: Mesh;
  readonly #ghostEdges: LineSegments;
  readonly #halo: LineSegments;
  readonly #arc: InstancedMesh<IcosahedronGeometry, MeshBasicMaterial>;
  readonly #mark: Mesh<RingGeometry, MeshBasicMaterial>;
  readonly #ray = new Raycaster();
  readonly #size = { wide: 1, high: 1 };
  #insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  #looks: { preset: Preset; at: number } | null = null;
  #ghostShape = '';
  #ghostPose: Pose | null = null;
  #haloPiece = -1;
  #arcAim: Aim | null = null;
  #stale = true;
  #shaken = 0;
  #quality = 0;
  #slow = 0;
  #good = 0;
  #still = 0;
  #fine = false;
  #tries = 0;

  constructor(canvas: HTMLCanvasElement, felt: boolean) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.#world.rotation.x = -Math.PI / 2;
    this.#scene.add(this.#world);
    this.#lamp = light(this.#scene);
    furnish(this.#world, felt);
    this.#tiles = new Tiles(() => (this.#stale = true));
    this.#tiles.mesh.position.z = 0.0006;
    this.#catapults = new Catapults(this.#bodies.dieShape, this.#bodies.dieLook);
    this.#world.add(this.#tiles.mesh, this.#bodies.group, this.#catapults.group);
    const glass = { color: '#fff0b8', transparent: true, opacity: 0.55, depthWrite: false };
    this.#ghost = new Mesh(new BufferGeometry(), new MeshBasicMaterial(glass));
    const line = (color: string) =>
      new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color, depthTest: false }));
    this.#ghostEdges = line('#c98a12');
    this.#halo = line('#ffffff');
    this.#ghostEdges.renderOrder = this.#halo.renderOrder = 1;
    this.#arc = new InstancedMesh(
      new IcosahedronGeometry(0.0034, 0),
      new MeshBasicMaterial({ color: '#fff6d8' }),
      DOTS,
    );
    this.#arc.frustumCulled = false;
    this.#mark = new Mesh(
      new RingGeometry(0.014, 0.021, 28),
      new MeshBasicMaterial({ color: '#fff2c4', transparent: true, opacity: 0.85 }),
    );
    for (const each of [this.#ghost, this.#ghostEdges, this.#halo, this.#arc, this.#mark]) {
      each.visible = false;
      this.#world.add(each);
    }
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = true;
    this.orbit.maxPolarAngle = 1.45;
    this.orbit.minDistance = 0.2;
    this.orbit.maxDistance = 3.2;
    this.orbit.addEventListener('change', () => (this.#stale = true));
    this.orbit.addEventListener('start', () => (this.#looks = null));
    this.#set(QUALITIES[0]);
  }

  dispose(): void {
    this.orbit.dispose();
    this.#scene.traverse((each) => {
      if (!(each instanceof Mesh)) return;
      const { geometry, material } = each as Mesh<BufferGeometry, MeshLambertMaterial>;
      geometry.dispose();
      material.map?.dispose();
      material.dispose();
    });
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  resize(wide: number, high: number, insets: Insets): void {
    if (!wide || !high) return;
    Object.assign(this.#size, { wide, high });
    this.#insets = insets;
    this.renderer.setSize(wide, high, false);
    this.camera.aspect = wide / high;
    this.camera.updateProjectionMatrix();
    this.#stale = true;
    if (this.#looks) this.look(this.#looks.preset, this.#looks.at);
  }

  /** Look from a preset, and keep to it when the window changes, until somebody takes the camera away. */
  look(preset: Preset, at = 0.6): void {
    this.#looks = { preset, at };
    look(this.camera, this.orbit, this.#size, this.#insets, preset, at);
    this.#stale = true;
  }

  show(view: KaboumView): void {
    this.#tiles.show(view);
    this.#stale = true;
  }

  place(poses: readonly (Pose | null)[]): void {
    if (this.#bodies.place(poses)) this.#stale = true;
  }

  showGhost(piece: number | null, pose: Pose | null): void {
    const shown = piece !== null && pose !== null;
    if (shown === this.#ghost.visible && pose === this.#ghostPose) return;
    this.#stale = true;
    this.#ghostPose = pose;
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
    const pose = piece === null ? null : this.#bodies.poseOf(piece);
    if (this.#halo.visible !== (pose !== null) || (pose && piece !== this.#haloPiece)) this.#stale = true;
    this.#halo.visible = pose !== null;
    if (!pose || piece === null) return;
    if (piece !== this.#haloPiece) {
      this.#haloPiece = piece;
      this.#halo.geometry.dispose();
      this.#halo.geometry = new EdgesGeometry(this.#bodies.shapeOf(piece) ?? undefined, 30);
    }
    put(this.#halo, pose);
    this.#halo.scale.setScalar(1.06);
  }

  /** The way a die would fly, and where it would come down. */
  showArc(aim: Aim | null, seat: number): void {
    if (aim === this.#arcAim) return;
    this.#arcAim = aim;
    this.#stale = true;
    this.#arc.visible = this.#mark.visible = aim !== null;
    if (!aim) return;
    const points = flight(aim.at, aim.yaw, aim.pitch, aim.power);
    const spot = new Matrix4();
    this.#arc.count = Math.min(DOTS, points.length);
    points.slice(0, DOTS).forEach((point, dot) => this.#arc.setMatrixAt(dot, spot.setPosition(...point)));
    this.#arc.instanceMatrix.needsUpdate = true;
    const [x, y] = points.at(-1) ?? [0, 0];
    this.#mark.position.set(x, y, 0.002);
    this.#mark.material.color.set(SEAT_COLOURS[seat] ?? '#fff2c4');
  }

  showCatapults(aims: ReadonlyMap<number, Aim>, loaded: (seat: number, large: boolean) => boolean): void {
    if (this.#catapults.show(aims, loaded)) this.#stale = true;
  }

  /** The table trembles for a moment. */
  shake(): void {
    this.#shaken = 1;
  }

  /** The piece under a point of the canvas, given from -1 to 1. */
  pieceAt(point: Vector2): number | null {
    this.#ray.setFromCamera(point, this.camera);
    return this.#bodies.pieceOn(this.#ray);
  }

  /** Where a point of the canvas is over the table, at a height. */
  tableAt(point: Vector2, height: number): { x: number; y: number } | null {
    this.#ray.setFromCamera(point, this.camera);
    const found = this.#ray.ray.intersectPlane(new Plane(new Vector3(0, 1, 0), -height), new Vector3());
    return found ? { x: found.x, y: -found.z } : null;
  }

  /** Where a point of the world is on the canvas, from -1 to 1. */
  pointOf(x: number, y: number, z: number): Vector2 {
    const { x: across, y: up } = new Vector3(x, z, -y).project(this.camera);
    return new Vector2(across, up);
  }

  /** Draw, if anything has changed. `late`: milliseconds since the last picture. */
  render(late: number): void {
    this.orbit.update();
    if (this.#shaken > 0) {
      this.#shaken = Math.max(0, this.#shaken - late / 600);
      const by = Math.sin(this.#shaken * 40) * 0.012 * this.#shaken;
      this.#world.position.set(by, by / 2, 0);
      this.#stale = true;
    }
    if (!this.#stale) {
      this.#still += late;
      if (this.#still > STILL_MS && this.#quality > 0 && !this.#fine) this.#drawFinely();
      return;
    }
    this.#stale = false;
    this.#still = 0;
    if (this.#fine) this.#set(QUALITIES[this.#quality]);
    else this.#keepPace(late);
    this.#fine = false;
    this.renderer.render(this.#scene, this.camera);
  }

  /** Nothing moves: there is time for a good picture. */
  #drawFinely(): void {
    this.#fine = true;
    this.#set(QUALITIES[0]);
    this.renderer.render(this.#scene, this.camera);
    this.#stale = false;
  }

  get cost(): { calls: number; triangles: number } {
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles };
  }

  /** A machine that does not keep up gets less to draw. */
  #keepPace(late: number): void {
    if (late > AWAY_MS) return;
    this.#slow = Math.max(0, this.#slow + late - SLOW_MS);
    this.#good = this.#slow > 0 ? 0 : this.#good + late;
    if (this.#slow > PATIENCE_MS) this.#change(1);
    else if (this.#good > GOOD_MS && this.#quality > 0 && this.#tries < TRIES) {
      this.#tries += 1;
      this.#change(-1);
    }
  }

  #change(by: number): void {
    this.#slow = this.#good = 0;
    const next = QUALITIES[this.#quality + by];
    if (!next) return;
    this.#quality += by;
    this.#set(next);
  }

  #set(quality: (typeof QUALITIES)[number] | undefined): void {
    if (!quality) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, quality.ratio));
    this.#lamp.castShadow = quality.shadows;
    this.#stale = true;
  }
}

function put(object: Object3D, { x, y, z, qw, qx, qy, qz }: Pose): void {
  object.position.set(x, y, z);
  object.quaternion.set(qx, qy, qz, qw);
}
