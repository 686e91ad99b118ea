/** The bodies of the world as meshes. Few triangles, one material for each shape. */
import {
  BoxGeometry,
  BufferGeometry,
  CanvasTexture,
  CylinderGeometry,
  ExtrudeGeometry,
  Mesh,
  MeshLambertMaterial,
  Shape,
  SRGBColorSpace,
} from 'three';
import { ARCH_OPENING, DICE, LARGE_DIE, MM, PIECES, SHAPES } from '../box';

const ARC = 20;

/** A profile in x and z, drawn out along y, the middle of its box being 0. */
function extruded(points: [number, number][], depth: number): BufferGeometry {
  const shape = new Shape();
  points.forEach(([x, z], index) => (index ? shape.lineTo(x, z) : shape.moveTo(x, z)));
  const geometry = new ExtrudeGeometry(shape, { depth, bevelEnabled: false });
  return geometry.rotateX(Math.PI / 2).translate(0, depth / 2, 0);
}

export function geometryOf(name: string): BufferGeometry {
  const size = SHAPES.find((shape) => shape.name === name)?.size ?? [30, 30, 30];
  const [x = 0, y = 0, z = 0] = size.map((each) => each * MM);
  const [hx, hz] = [x / 2, z / 2];
  switch (name) {
    case 'arch': {
      const [wide, high] = [(ARCH_OPENING[0] * MM) / 2, ARCH_OPENING[1] * MM];
      return extruded(
        [
          [-hx, -hz],
          [-wide, -hz],
          [-wide, high - hz],
          [wide, high - hz],
          [wide, -hz],
          [hx, -hz],
          [hx, hz],
          [-hx, hz],
        ],
        y,
      );
    }
    case 'roof':
      return extruded(
        [
          [-hx, -hz],
          [hx, -hz],
          [0, hz],
        ],
        y,
      );
    case 'half': {
      const round = Array.from({ length: ARC + 1 }, (_, step): [number, number] => {
        const angle = (Math.PI * step) / ARC;
        return [hx * Math.cos(angle), z * Math.sin(angle) - hz];
      });
      return extruded(round, y);
    }
    case 'drum':
      return new CylinderGeometry(hx, hx, z, 24).rotateX(Math.PI / 2);
    default:
      return new BoxGeometry(x, y, z);
  }
}

export function makePieces(): Mesh[] {
  const parts = new Map(
    SHAPES.map(({ name, colour }) => [
      name,
      { geometry: geometryOf(name), material: new MeshLambertMaterial({ color: colour }) },
    ]),
  );
  return PIECES.map(({ name }, piece) => {
    const part = parts.get(name);
    const mesh = new Mesh(part?.geometry, part?.material);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.userData['piece'] = piece;
    return mesh;
  });
}

function face(sign: boolean, colour: string): MeshLambertMaterial {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d');
  if (pen) {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 64, 64);
    if (sign) {
      pen.translate(32, 32);
      pen.fillStyle = '#d32f14';
      pen.beginPath();
      for (let ray = 0; ray < 18; ray++) {
        const [angle, reach] = [(ray * Math.PI) / 9, ray % 2 ? 14 : 29];
        pen.lineTo(Math.cos(angle) * reach, Math.sin(angle) * reach);
      }
      pen.fill();
      pen.fillStyle = '#fff3cf';
      pen.font = '900 24px sans-serif';
      pen.textAlign = 'center';
      pen.fillText('!', 0, 9);
    }
  }
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return new MeshLambertMaterial({ map: texture });
}

/** The sign KABOUM is on the die's own +z face. */
export function makeDice(): Mesh[] {
  const plain = face(false, '#f3ead6');
  const sign = face(true, '#f3ead6');
  const materials = [plain, plain, plain, plain, sign, plain];
  return Array.from({ length: DICE }, (_, die) => {
    const edge = (die === LARGE_DIE ? 25 : 16) * MM;
    const mesh = new Mesh(new BoxGeometry(edge, edge, edge), materials);
    mesh.castShadow = true;
    return mesh;
  });
}
