/** All tiles as one mesh with one picture: the drawings of the towers, and what has become of them. */
import {
  BufferGeometry,
  CanvasTexture,
  Float32BufferAttribute,
  Mesh,
  MeshLambertMaterial,
  SRGBColorSpace,
} from 'three';
import { GIANT, POINTS, tileAt, TILES } from '../box';
import { PLACES } from '../constants';
import { DRAWINGS } from '../drawings';
import type { KaboumView } from '../wire';

const CELL = 256;
/** Drawings leave room around the tower for its shadow; on a tile it may be cut off. */
const LARGER = 1.1;
const COLUMNS = 6;
const ROWS = Math.ceil(TILES / COLUMNS);

export class Tiles {
  readonly mesh: Mesh;
  readonly #pen: CanvasRenderingContext2D | null;
  readonly #texture: CanvasTexture;
  readonly #drawings: (HTMLImageElement | null)[] = Array<HTMLImageElement | null>(TILES).fill(null);
  #layout = '';
  #shown: string[] = [];
  #view: KaboumView | null = null;

  constructor(changed: () => void) {
    const canvas = document.createElement('canvas');
    canvas.width = COLUMNS * CELL;
    canvas.height = ROWS * CELL;
    this.#pen = canvas.getContext('2d');
    this.#texture = new CanvasTexture(canvas);
    this.#texture.colorSpace = SRGBColorSpace;
    this.#texture.anisotropy = 8;
    this.mesh = new Mesh(new BufferGeometry(), new MeshLambertMaterial({ map: this.#texture }));
    this.mesh.receiveShadow = true;
    for (let tile = 0; tile < TILES; tile++) {
      const image = new Image();
      image.onload = () => {
        this.#drawings[tile] = image;
        this.#shown[tile] = '';
        if (this.#view) this.show(this.#view);
        changed();
      };
      image.src = DRAWINGS[tile] ?? '';
    }
  }

  show(view: KaboumView): void {
    this.#view = view;
    if (this.#layout !== String(view.layout)) {
      this.#layout = String(view.layout);
      this.#lay(view.layout);
    }
    for (let tile = 0; tile < TILES; tile++) {
      const state = !view.tiles.includes(tile)
        ? 'taken'
        : view.standing.includes(tile)
          ? view.blocked.includes(tile)
            ? 'standing blocked'
            : 'standing'
          : view.blocked.includes(tile)
            ? 'blocked'
            : 'free';
      if (this.#shown[tile] !== state) {
        this.#shown[tile] = state;
        this.#draw(tile, state);
        this.#texture.needsUpdate = true;
      }
    }
  }

  #lay(layout: readonly number[]): void {
    const corners: number[] = [];
    const spots: number[] = [];
    const faces: number[] = [];
    PLACES.forEach(({ x, y, side }, index) => {
      const tile = tileAt(layout, index) ?? 0;
      const half = side / 2 - 0.002;
      const [u, v] = [(tile % COLUMNS) / COLUMNS, 1 - Math.floor(tile / COLUMNS) / ROWS];
      const [du, dv] = [1 / COLUMNS, 1 / ROWS];
      corners.push(
        x - half,
        y - half,
        0,
        x + half,
        y - half,
        0,
        x + half,
        y + half,
        0,
        x - half,
        y + half,
        0,
      );
      spots.push(u, v - dv, u + du, v - dv, u + du, v, u, v);
      const first = index * 4;
      faces.push(first, first + 1, first + 2, first, first + 2, first + 3);
    });
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
    geometry.setAttribute('uv', new Float32BufferAttribute(spots, 2));
    geometry.setIndex(faces);
    geometry.computeVertexNormals();
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
  }

  #draw(tile: number, state: string): void {
    const pen = this.#pen;
    if (!pen) return;
    const [left, top] = [(tile % COLUMNS) * CELL, Math.floor(tile / COLUMNS) * CELL];
    pen.save();
    pen.beginPath();
    pen.rect(left, top, CELL, CELL);
    pen.clip();
    pen.translate(left, top);
    pen.fillStyle = state === 'taken' ? '#254a43' : '#fbf1dc';
    pen.fillRect(0, 0, CELL, CELL);
    const drawing = this.#drawings[tile];
    if (drawing && state !== 'taken') {
      const fits = Math.min((CELL - 16) / drawing.width, (CELL - 24) / drawing.height);
      const scale = Math.min(fits * LARGER, (CELL - 24) / drawing.height);
      const [wide, high] = [drawing.width * scale, drawing.height * scale];
      pen.globalAlpha = state.includes('blocked') && !state.includes('standing') ? 0.35 : 1;
      pen.drawImage(drawing, (CELL - wide) / 2, (CELL - high) / 2 + 8, wide, high);
      pen.globalAlpha = 1;
      badge(pen, POINTS[tile] ?? 0, tile === GIANT);
    }
    if (state === 'blocked') {
      pen.strokeStyle = '#b5341f';
      pen.lineWidth = 12;
      pen.beginPath();
      pen.moveTo(30, 30);
      pen.lineTo(CELL - 30, CELL - 30);
      pen.moveTo(CELL - 30, 30);
      pen.lineTo(30, CELL - 30);
      pen.stroke();
    }
    pen.lineWidth = state.includes('standing') ? 14 : 5;
    pen.strokeStyle = state.includes('standing') ? '#3f8f3a' : state === 'blocked' ? '#b5341f' : '#b89b6c';
    if (state !== 'taken') pen.strokeRect(3, 3, CELL - 6, CELL - 6);
    pen.restore();
  }
}

/** What the tower is worth, in the corner. */
function badge(pen: CanvasRenderingContext2D, points: number, giant: boolean): void {
  const radius = giant ? 20 : 26;
  pen.fillStyle = '#8c2413';
  pen.beginPath();
  pen.arc(radius + 12, radius + 12, radius, 0, 7);
  pen.fill();
  pen.fillStyle = '#fff6e2';
  pen.font = `700 ${giant ? 24 : 38}px Georgia, serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(String(points), radius + 12, radius + 14);
}
