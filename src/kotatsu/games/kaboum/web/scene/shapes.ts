/** The bodies of the world as geometries, with their edges taken off a little, as on toys. Few triangles. */
import {
  BufferAttribute,
  BufferGeometry,
  ExtrudeGeometry,
  LatheGeometry,
  Shape,
  Vector2,
  Vector3,
} from 'three';
import { toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { ARCH_OPENING, MM, SHAPES } from '../box';

const ARC = 14;
const EDGE = 0.0011;
/** Faces that meet at less than this, in radians, look like one round face. */
const SMOOTH = 0.5;
/** How much of a piece one picture of grain covers, in metres. */
const GRAIN = 0.07;

type Profile = [number, number][];

/** A profile in x and z, drawn out along y, the middle of its box being 0. */
function extruded(points: Profile, depth: number, edge = EDGE): BufferGeometry {
  const shape = new Shape(points.map(([x, z]) => new Vector2(x, z)));
  const geometry = new ExtrudeGeometry(shape, {
    depth: depth - 2 * edge,
    bevelEnabled: true,
    bevelSize: edge,
    bevelOffset: -edge,
    bevelThickness: edge,
    bevelSegments: 1,
  });
  return geometry.rotateX(Math.PI / 2).translate(0, depth / 2 - edge, 0);
}

export function block(x: number, y: number, z: number, edge = EDGE): BufferGeometry {
  const [hx, hz] = [x / 2, z / 2];
  const e = edge;
  // Eight corners instead of four: the long edges are taken off too.
  const profile: Profile = [
    [-hx + e, -hz],
    [hx - e, -hz],
    [hx, -hz + e],
    [hx, hz - e],
    [hx - e, hz],
    [-hx + e, hz],
    [-hx, hz - e],
    [-hx, -hz + e],
  ];
  return extruded(profile, y, e);
}

export function geometryOf(name: string): BufferGeometry {
  const size = SHAPES.find((shape) => shape.name === name)?.size ?? [30, 30, 30];
  const [x = 0, y = 0, z = 0] = size.map((each) => each * MM);
  return withGrain(shaped(name, x, y, z));
}

function shaped(name: string, x: number, y: number, z: number): BufferGeometry {
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
    case 'drum': {
      const outline = [
        [0, -hz],
        [hx - EDGE, -hz],
        [hx, EDGE - hz],
        [hx, hz - EDGE],
        [hx - EDGE, hz],
        [0, hz],
      ].map(([radius, height]) => new Vector2(radius, height));
      return new LatheGeometry(outline, 20).rotateX(Math.PI / 2);
    }
    default:
      return block(x, y, z);
  }
}

/** Lay the grain along the longer way of every face. */
function withGrain(plain: BufferGeometry): BufferGeometry {
  const geometry = toCreasedNormals(plain, SMOOTH);
  geometry.computeBoundingBox();
  const size = geometry.boundingBox?.getSize(new Vector3()) ?? new Vector3(1, 1, 1);
  const sizes = [size.x, size.y, size.z];
  const position = geometry.getAttribute('position');
  const normal = geometry.getAttribute('normal');
  const spots = new Float32Array(position.count * 2);
  for (let corner = 0; corner < position.count; corner++) {
    const at = [position.getX(corner), position.getY(corner), position.getZ(corner)];
    const out = [normal.getX(corner), normal.getY(corner), normal.getZ(corner)].map(Math.abs);
    const facing = out.indexOf(Math.max(...out));
    const [a = 0, b = 0] = [0, 1, 2].filter((axis) => axis !== facing);
    const [along, across] = (sizes[a] ?? 0) >= (sizes[b] ?? 0) ? [a, b] : [b, a];
    spots[2 * corner] = (at[along] ?? 0) / GRAIN + facing * 0.31;
    spots[2 * corner + 1] = (at[across] ?? 0) / GRAIN + facing * 0.17;
  }
  geometry.setAttribute('uv', new BufferAttribute(spots, 2));
  return geometry;
}

/** A die of edge 1; the sign KABOUM is on its own +z face, the right half of the picture. */
export function dieGeometry(): BufferGeometry {
  const geometry = toCreasedNormals(block(1, 1, 1, 0.07), SMOOTH);
  const position = geometry.getAttribute('position');
  const normal = geometry.getAttribute('normal');
  const spots = new Float32Array(position.count * 2);
  for (let corner = 0; corner < position.count; corner++) {
    const at = [position.getX(corner), position.getY(corner), position.getZ(corner)];
    const out = [normal.getX(corner), normal.getY(corner), normal.getZ(corner)].map(Math.abs);
    const facing = out.indexOf(Math.max(...out));
    const sign = normal.getZ(corner) > 0.9 ? 0.5 : 0;
    const [a = 0, b = 0] = [0, 1, 2].filter((axis) => axis !== facing);
    spots[2 * corner] = sign + ((at[a] ?? 0) + 0.5) / 2;
    spots[2 * corner + 1] = (at[b] ?? 0) + 0.5;
  }
  geometry.setAttribute('uv', new BufferAttribute(spots, 2));
  return geometry;
}
