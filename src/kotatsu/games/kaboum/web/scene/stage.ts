/** The table in three dimensions: what is on it, the light, the camera, and what is under the pointer. */
import {
  Group,
  Mesh,
  PCFShadowMap,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
  type BufferGeometry,
  type DirectionalLight,
  type MeshLambertMaterial,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Picture } from '../board/board';
import type { Eye, Point } from '../board/eye';
import type { KaboumView } from '../wire';
import { Bodies } from './bodies';
import { look, type Insets, type Preset } from './camera';
import { Catapults } from './catapults';
import { Marks } from './marks';
import { Pace, type Quality } from './pace';
import { furnish, light } from './room';
import { Tiles } from './tiles';

const SHAKE_MS = 600;

export class Stage implements Eye {
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
  readonly #marks = new Marks(this.#bodies);
  readonly #pace = new Pace(devicePixelRatio);
  readonly #ray = new Raycaster();
  readonly #size = { wide: 1, high: 1 };
  #insets: Insets = { top: 0, right: 0, bottom: 0, left: 0 };
  #looks: { preset: Preset; at: number } | null = null;
  #stale = true;
  #shaken = 0;

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
    this.#world.add(this.#tiles.mesh, this.#bodies.group, this.#catapults.group, this.#marks.group);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = true;
    this.orbit.maxPolarAngle = 1.45;
    this.orbit.minDistance = 0.2;
    this.orbit.maxDistance = 3.2;
    this.orbit.addEventListener('change', () => (this.#stale = true));
    this.orbit.addEventListener('start', () => (this.#looks = null));
    this.#set(this.#pace.best);
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

  /** What has become of the tiles. */
  show(view: KaboumView): void {
    this.#tiles.show(view);
    this.#stale = true;
  }

  /** What is to be seen in the next picture. */
  place(picture: Picture): void {
    const changed = [
      this.#bodies.place(picture.poses),
      this.#marks.show(picture),
      this.#catapults.show(picture.aims, picture.loaded),
    ];
    if (changed.includes(true)) this.#stale = true;
  }

  /** The table trembles for a moment. */
  shake(): void {
    this.#shaken = 1;
  }

  pieceAt(point: Point): number | null {
    this.#aim(point);
    return this.#bodies.pieceOn(this.#ray);
  }

  tableAt(point: Point, height: number): Point | null {
    this.#aim(point);
    const found = this.#ray.ray.intersectPlane(new Plane(new Vector3(0, 1, 0), -height), new Vector3());
    return found ? { x: found.x, y: -found.z } : null;
  }

  pointOf(x: number, y: number, z: number): Point {
    const { x: across, y: up } = new Vector3(x, z, -y).project(this.camera);
    return { x: across, y: up };
  }

  get around(): number {
    return this.orbit.getAzimuthalAngle();
  }

  /** Draw, if anything has changed. `late`: milliseconds since the last picture. */
  render(late: number): void {
    this.orbit.update();
    if (this.#shaken > 0) {
      this.#shaken = Math.max(0, this.#shaken - late / SHAKE_MS);
      const by = Math.sin(this.#shaken * 40) * 0.012 * this.#shaken;
      this.#world.position.set(by, by / 2, 0);
      this.#stale = true;
    }
    if (!this.#stale) {
      const fine = this.#pace.idle(late);
      if (fine) this.#drawFinely(fine);
      return;
    }
    this.#stale = false;
    const quality = this.#pace.busy(late);
    if (quality) this.#set(quality);
    this.renderer.render(this.#scene, this.camera);
  }

  get cost(): { calls: number; triangles: number } {
    const { calls, triangles } = this.renderer.info.render;
    return { calls, triangles };
  }

  /** Nothing moves: there is time for a good picture. */
  #drawFinely(quality: Quality): void {
    this.#set(quality);
    this.renderer.render(this.#scene, this.camera);
    this.#stale = false;
  }

  #set(quality: Quality): void {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, quality.ratio));
    this.#lamp.castShadow = quality.shadows;
    this.#stale = true;
  }

  #aim({ x, y }: Point): void {
    this.#ray.setFromCamera(new Vector2(x, y), this.camera);
  }
}
