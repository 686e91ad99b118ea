/** What does not move: the table, its quilt, the floor, the light of the lamp above. */
import {
  BoxGeometry,
  BufferGeometry,
  Color,
  DirectionalLight,
  Float32BufferAttribute,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  PlaneGeometry,
  type Scene,
} from 'three';
import { TABLE } from '../box';
import { FLOOR } from '../constants';
import { floor, quilt, tableTop } from './wood';

export const NIGHT = '#131a2f';
const THICK = 0.035;
/** Drawn a little below the world's floor. */
const GROUND = FLOOR - 0.02;
/** How far the quilt hangs out at the floor. */
const SPREAD = 0.3;

export function furnish(world: Group, felt: boolean): void {
  const top = new Mesh(new PlaneGeometry(TABLE, TABLE), new MeshLambertMaterial({ map: tableTop(felt) }));
  top.receiveShadow = true;
  const body = new Mesh(new BoxGeometry(TABLE, TABLE, THICK), new MeshLambertMaterial({ color: '#7a4724' }));
  body.position.z = -THICK / 2 - 0.0004;
  const ground = new Mesh(new PlaneGeometry(7, 7), new MeshBasicMaterial({ map: floor() }));
  ground.position.z = GROUND;
  world.add(top, body, skirt(), ground);
}

/** Cloth from below the table's edge down to the floor on all four sides, in folds. */
function skirt(): Mesh {
  const half = TABLE / 2 - 0.012;
  const folds = 18;
  const corners: number[] = [];
  const spots: number[] = [];
  const faces: number[] = [];
  for (let side = 0; side < 4; side++) {
    const [c, s] = [Math.cos((side * Math.PI) / 2), Math.sin((side * Math.PI) / 2)];
    for (let fold = 0; fold <= folds; fold++) {
      const along = (fold / folds) * 2 - 1;
      const wave = fold % 2 && fold !== folds ? 0.025 : 0;
      for (const [far, z, v] of [
        [half, -THICK, 1],
        [half + SPREAD - wave, GROUND, 0],
      ] as const) {
        const [x, y] = [along * far, -far];
        corners.push(c * x - s * y, s * x + c * y, z);
        spots.push(along * 3, v * 1.6);
      }
      if (fold < folds) {
        const first = (side * (folds + 1) + fold) * 2;
        faces.push(first, first + 1, first + 3, first, first + 3, first + 2);
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(corners, 3));
  geometry.setAttribute('uv', new Float32BufferAttribute(spots, 2));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  return new Mesh(geometry, new MeshLambertMaterial({ map: quilt(), side: 2 }));
}

export function light(scene: Scene): DirectionalLight {
  scene.background = new Color(NIGHT);
  const lamp = new DirectionalLight('#fff0d8', 2.35);
  lamp.position.set(-0.45, 1.5, 0.35);
  lamp.castShadow = true;
  lamp.shadow.mapSize.set(1024, 1024);
  const reach = 0.72;
  Object.assign(lamp.shadow.camera, {
    left: -reach,
    right: reach,
    top: reach,
    bottom: -reach,
    near: 0.6,
    far: 2.6,
  });
  lamp.shadow.bias = -0.0005;
  lamp.shadow.normalBias = 0.0015;
  lamp.shadow.radius = 2.5;
  scene.add(lamp, new HemisphereLight('#fff6ea', '#a08a78', 1.45));
  return lamp;
}
