/** Wood, felt, cloth and mats, painted on the spot: no pictures to load. The same every time. */
import { CanvasTexture, RepeatWrapping, SRGBColorSpace } from 'three';
import { TABLE } from '../box';
import { PLACES, RAIL } from '../constants';

type Pen = CanvasRenderingContext2D;

/** A small generator of numbers from 0 to 1, so that a table looks alike in every browser. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function painted(wide: number, high: number, paint: (pen: Pen) => void): CanvasTexture {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [wide, high];
  const pen = canvas.getContext('2d');
  if (pen) paint(pen);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.anisotropy = 8;
  return texture;
}

/** Fine wavy lines along x. */
function streaks(pen: Pen, [left, top, wide, high]: number[], count: number, random: () => number): void {
  if (left === undefined || top === undefined || wide === undefined || high === undefined) return;
  for (let line = 0; line < count; line++) {
    const y = top + random() * high;
    const sway = (random() - 0.5) * high * 0.08;
    pen.strokeStyle =
      random() < 0.7 ? `rgb(60 25 5 / ${0.03 + random() * 0.08})` : `rgb(255 235 200 / ${random() * 0.09})`;
    pen.lineWidth = 0.5 + random() * 1.8;
    pen.beginPath();
    pen.moveTo(left, y);
    pen.bezierCurveTo(left + wide / 3, y + sway, left + (2 * wide) / 3, y - sway, left + wide, y + sway / 2);
    pen.stroke();
  }
}

/** Nearly white grain; a piece's own colour shines through it. */
export function grain(): CanvasTexture {
  const texture = painted(256, 256, (pen) => {
    const random = chance(7);
    pen.fillStyle = '#f7f2ea';
    pen.fillRect(0, 0, 256, 256);
    streaks(pen, [0, 0, 256, 256], 150, random);
  });
  texture.wrapS = texture.wrapT = RepeatWrapping;
  return texture;
}

/** The table's top, seen from above: boards, the rail let into them, and under the tiles a mat of felt, if there is one. */
export function tableTop(felt: boolean): CanvasTexture {
  const size = 1536;
  const scale = size / TABLE;
  const px = (metres: number) => size / 2 + metres * scale;
  return painted(size, size, (pen) => {
    const random = chance(20);
    const boards = 7;
    for (let board = 0; board < boards; board++) {
      const [top, high] = [(board * size) / boards, size / boards];
      const tone = random();
      pen.fillStyle = `hsl(${29 + tone * 4} ${44 + tone * 6}% ${51 + tone * 7}%)`;
      pen.fillRect(0, top, size, high + 1);
      pen.save();
      pen.beginPath();
      pen.rect(0, top, size, high);
      pen.clip();
      streaks(pen, [0, top, size, high], 130, random);
      if (random() < 0.6) knot(pen, random() * size, top + (0.3 + random() * 0.4) * high, random);
      pen.restore();
      pen.fillStyle = 'rgb(50 22 6 / 0.4)';
      pen.fillRect(0, top, size, 2);
      pen.fillStyle = 'rgb(255 230 190 / 0.16)';
      pen.fillRect(0, top + 2, size, 2);
    }
    rail(pen, px, scale);
    mat(pen, px, scale, felt);
    const shade = pen.createRadialGradient(size / 2, size / 2, size * 0.32, size / 2, size / 2, size * 0.75);
    shade.addColorStop(0, 'rgb(40 15 0 / 0)');
    shade.addColorStop(1, 'rgb(40 15 0 / 0.38)');
    pen.fillStyle = shade;
    pen.fillRect(0, 0, size, size);
  });
}

function knot(pen: Pen, x: number, y: number, random: () => number): void {
  for (let ring = 5; ring > 0; ring--) {
    pen.strokeStyle = `rgb(70 30 8 / ${0.34 - ring * 0.05})`;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.ellipse(x, y, ring * (7 + random() * 2), ring * 3.2, 0, 0, 7);
    pen.stroke();
  }
}

function rail(pen: Pen, px: (metres: number) => number, scale: number): void {
  const frame: [number, number, number, number] = [
    px(-RAIL.x),
    px(-RAIL.y),
    2 * RAIL.x * scale,
    2 * RAIL.y * scale,
  ];
  for (const [colour, width] of [
    ['#3f230f', 0.017],
    ['#e2b877', 0.012],
    ['#5f3819', 0.0075],
  ] as const) {
    pen.strokeStyle = colour;
    pen.lineWidth = width * scale;
    pen.lineJoin = 'round';
    pen.strokeRect(...frame);
  }
}

function mat(pen: Pen, px: (metres: number) => number, scale: number, felt: boolean): void {
  const [x, y] = [
    Math.max(...PLACES.map((p) => p.x + p.side / 2)),
    Math.max(...PLACES.map((p) => p.y + p.side / 2)),
  ];
  const rim = 0.022;
  pen.beginPath();
  pen.roundRect(px(-x - rim), px(-y - rim), 2 * (x + rim) * scale, 2 * (y + rim) * scale, 0.02 * scale);
  pen.fillStyle = felt ? '#2f5a52' : '#7a4a26';
  pen.shadowColor = 'rgb(30 12 0 / 0.55)';
  pen.shadowBlur = felt ? 14 : 6;
  pen.fill();
  pen.shadowBlur = 0;
  if (!felt) return;
  pen.save();
  pen.clip();
  const random = chance(3);
  for (let fluff = 0; fluff < 9000; fluff++) {
    pen.fillStyle = random() < 0.5 ? 'rgb(255 255 255 / 0.05)' : 'rgb(0 20 15 / 0.09)';
    pen.fillRect(px((random() * 2 - 1) * 0.3), px((random() * 2 - 1) * 0.26), 2, 2);
  }
  pen.restore();
  pen.beginPath();
  const seam = rim - 0.007;
  pen.roundRect(px(-x - seam), px(-y - seam), 2 * (x + seam) * scale, 2 * (y + seam) * scale, 0.014 * scale);
  pen.setLineDash([9, 7]);
  pen.strokeStyle = 'rgb(255 226 160 / 0.6)';
  pen.lineWidth = 2.5;
  pen.stroke();
  pen.setLineDash([]);
}

/** The quilt around a kotatsu. */
export function quilt(): CanvasTexture {
  const texture = painted(256, 256, (pen) => {
    pen.fillStyle = '#7d2b25';
    pen.fillRect(0, 0, 256, 256);
    for (let row = 0; row < 2; row++)
      for (let column = 0; column < 2; column++) {
        const [x, y] = [64 + column * 128, 64 + row * 128];
        if ((row + column) % 2) {
          pen.fillStyle = '#8d352c';
          pen.fillRect(x - 64, y - 64, 128, 128);
        }
        pen.strokeStyle = 'rgb(255 214 150 / 0.55)';
        pen.lineWidth = 4;
        for (const reach of [18, 34, 50]) {
          pen.beginPath();
          pen.arc(x, y + 26, reach, Math.PI, 0);
          pen.stroke();
        }
      }
    pen.strokeStyle = 'rgb(40 5 5 / 0.5)';
    pen.setLineDash([8, 6]);
    pen.lineWidth = 2;
    pen.strokeRect(0, 0, 128, 128);
    pen.strokeRect(128, 128, 128, 128);
  });
  texture.wrapS = texture.wrapT = RepeatWrapping;
  return texture;
}

/** Straw mats in the light of one lamp: bright below it, and night further out. */
export function floor(): CanvasTexture {
  const size = 512;
  return painted(size, size, (pen) => {
    const random = chance(11);
    pen.fillStyle = '#a3935f';
    pen.fillRect(0, 0, size, size);
    for (let line = 0; line < size; line += 2) {
      pen.fillStyle = `rgb(30 25 5 / ${random() * 0.16})`;
      pen.fillRect(0, line, size, 1);
    }
    pen.fillStyle = '#232d24';
    for (let row = 0; row <= 4; row++) pen.fillRect(0, (row * size) / 4 - 2, size, 5);
    for (let row = 0; row < 4; row++)
      for (const column of row % 2 ? [0.5] : [0.25, 0.75])
        pen.fillRect(column * size - 2, (row * size) / 4, 5, size / 4);
    const dark = pen.createRadialGradient(size / 2, size / 2, size * 0.12, size / 2, size / 2, size * 0.5);
    dark.addColorStop(0, 'rgb(19 26 47 / 0.25)');
    dark.addColorStop(0.6, 'rgb(19 26 47 / 0.82)');
    dark.addColorStop(1, 'rgb(19 26 47 / 1)');
    pen.fillStyle = dark;
    pen.fillRect(0, 0, size, size);
  });
}

/** Two pictures side by side: a blank face of a die, and the sign. */
export function dieFaces(): CanvasTexture {
  const size = 128;
  return painted(2 * size, size, (pen) => {
    pen.fillStyle = '#fdf6e6';
    pen.fillRect(0, 0, 2 * size, size);
    pen.strokeStyle = 'rgb(120 85 40 / 0.55)';
    pen.lineWidth = 5;
    for (const left of [0, size]) pen.strokeRect(left + 3, 3, size - 6, size - 6);
    pen.fillStyle = '#8a6b3f';
    pen.beginPath();
    pen.arc(size / 2, size / 2, 13, 0, 7);
    pen.fill();
    burst(pen, size * 1.5, size / 2, 60, '#c4281b');
    burst(pen, size * 1.5, size / 2, 41, '#ffc93c');
    pen.fillStyle = '#4a0f08';
    pen.font = '900 62px Georgia, serif';
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.fillText('K', size * 1.5, size / 2 + 3);
  });
}

function burst(pen: Pen, x: number, y: number, reach: number, colour: string): void {
  pen.fillStyle = colour;
  pen.beginPath();
  for (let ray = 0; ray < 22; ray++) {
    const [angle, far] = [(ray * Math.PI) / 11, ray % 2 ? reach * 0.68 : reach];
    pen.lineTo(x + Math.cos(angle) * far, y + Math.sin(angle) * far);
  }
  pen.fill();
}
