/** Mouse and fingers on the canvas: taking, carrying and putting down a piece, pulling a catapult, looking at a tile. */
import { Vector2 } from 'three';
import { PIECES, placeAt, railPlace } from './box';
import type { Hand } from './hand';
import type { Stage } from './scene/stage';
import type { Sling } from './sling';

/** A finger that moved less than this, in pixels, has tapped. */
const TAP = 7;
const FINGER = 26;
const NEAR_CATAPULT = 0.09;
const NEAR_RAIL = 0.04;
const WEAKEST_PULL = 0.02;
const NOTCH = 45;

export interface Table {
  stage: Stage;
  hand: Hand | null;
  sling: Sling | null;
  /** The piece that would be taken. */
  choose: (piece: number | null) => void;
  /** A place of a tile is pointed at. */
  regard: (place: number | null) => void;
}

interface Drag {
  pointer: number;
  from: [number, number];
  moved: boolean;
  /** Whether the piece stays in hand when this finger leaves. */
  stays: boolean;
}

export class Pointing {
  dragging = false;
  #drag: Drag | null = null;
  #pull: { pointer: number; far: number } | null = null;
  /** From the pointer to the piece, so that it does not jump when it is taken. */
  #offset = new Vector2();
  #rolled = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly table: () => Table | null,
  ) {}

  /** Whether the event is ours; else the camera may have it. */
  down(event: PointerEvent): boolean {
    const table = this.table();
    if (!table || this.#drag || this.#pull) return table !== null;
    const at = this.#point(event);
    if (table.hand?.holding) return this.#downHolding(event, table.hand, at);
    if (event.button !== 0) return false;
    const piece = table.hand ? this.#pieceAt(event, table, table.hand, at) : null;
    const ground = table.stage.tableAt(at, 0.02);
    if (table.hand && piece !== null && table.hand.grab(piece)) {
      table.choose(piece);
      this.#begin(event, at, table.hand, false);
    } else if (table.sling && ground && this.#downOnRail(event, table.sling, ground.x, ground.y)) {
      this.canvas.setPointerCapture(event.pointerId);
    } else {
      if (ground) table.regard(placeAt(ground.x, ground.y));
      return false;
    }
    return true;
  }

  move(event: PointerEvent): void {
    const table = this.table();
    if (!table) return;
    const at = this.#point(event);
    const { hand, sling, stage } = table;
    if (this.#drag?.pointer === event.pointerId && hand) {
      const [x, y] = this.#drag.from;
      this.#drag.moved ||= Math.hypot(event.clientX - x, event.clientY - y) > TAP;
      if (this.#drag.moved) this.#carry(table, hand, at);
    } else if (this.#pull?.pointer === event.pointerId && sling) {
      const there = stage.tableAt(at, 0.02);
      if (!there) return;
      const [x, y] = railPlace(sling.aim.at);
      this.#pull.far = Math.hypot(there.x - x, there.y - y);
      sling.pull(there.x, there.y);
    } else if (event.pointerType === 'mouse' && !this.#drag && event.buttons === 0) {
      if (hand?.holding) this.#carry(table, hand, at);
      else if (hand) table.choose(stage.pieceAt(at));
      const there = stage.tableAt(at, 0);
      if (!hand?.holding) table.regard(there && placeAt(there.x, there.y));
    }
  }

  up(event: PointerEvent): void {
    const table = this.table();
    if (this.#drag?.pointer === event.pointerId) {
      const { moved, stays } = this.#drag;
      this.#drag = null;
      this.dragging = false;
      if (!table?.hand) return;
      if (stays && !moved) this.#tapHolding(table, table.hand, this.#point(event));
      else if (moved && !stays) table.hand.putDown();
    } else if (this.#pull?.pointer === event.pointerId) {
      if (this.#pull.far > WEAKEST_PULL) table?.sling?.fire();
      this.#pull = null;
    }
  }

  /** Whoever had a finger on the table has gone. */
  cancel(): void {
    if (this.#drag && !this.#drag.stays) this.table()?.hand?.putDown();
    this.#drag = this.#pull = null;
    this.dragging = false;
  }

  /** The other mouse button, while a piece is in hand, tips it. */
  otherButton(event: MouseEvent): void {
    const hand = this.table()?.hand;
    if (event.button !== 2 || !hand?.holding) return;
    if (event.shiftKey) hand.tip();
    else hand.tipForward();
  }

  /** The wheel turns a piece in hand, or raises a pulled catapult, instead of bringing the camera nearer. */
  wheel(event: WheelEvent): boolean {
    const table = this.table();
    const turning = table?.hand?.holding ?? false;
    if (!table || (!turning && !this.#pull)) return false;
    this.#rolled += event.deltaY || event.deltaX;
    while (Math.abs(this.#rolled) >= NOTCH) {
      const way = Math.sign(this.#rolled);
      this.#rolled -= way * NOTCH;
      if (turning) table.hand?.turnBy(way * 15);
      else table.sling?.tilt(-way * 0.05);
    }
    return true;
  }

  /** A finger is wider than a piece is far away: the nearest one will do. */
  #pieceAt(event: PointerEvent, { stage }: Table, hand: Hand, at: Vector2): number | null {
    const exact = stage.pieceAt(at);
    if (exact !== null || event.pointerType === 'mouse') return exact;
    let [best, least]: [number | null, number] = [null, FINGER];
    hand.playback.newest.slice(0, PIECES.length).forEach((pose, piece) => {
      if (!pose) return;
      const away = stage.pointOf(pose.x, pose.y, pose.z).sub(at);
      const pixels = Math.hypot(away.x * this.canvas.clientWidth, away.y * this.canvas.clientHeight) / 2;
      if (pixels < least) [best, least] = [piece, pixels];
    });
    return best;
  }

  #downHolding(event: PointerEvent, hand: Hand, at: Vector2): boolean {
    if (event.pointerType === 'mouse') {
      if (event.button === 0) hand.putDown();
    } else this.#begin(event, at, hand, true);
    return true;
  }

  #tapHolding(table: Table, hand: Hand, at: Vector2): void {
    if (table.stage.pieceAt(at) === hand.piece) hand.putDown();
    else {
      this.#offset.set(0, 0);
      this.#carry(table, hand, at);
    }
  }

  #downOnRail(event: PointerEvent, sling: Sling, x: number, y: number): boolean {
    const [cx, cy] = railPlace(sling.aim.at);
    if (Math.hypot(x - cx, y - cy) < NEAR_CATAPULT) {
      this.#pull = { pointer: event.pointerId, far: 0 };
      return true;
    }
    for (let step = 0; step < 120; step++) {
      const [rx, ry] = railPlace(step / 120);
      if (Math.hypot(rx - x, ry - y) < NEAR_RAIL) {
        sling.placeAt(x, y);
        this.#pull = { pointer: event.pointerId, far: 0 };
        return true;
      }
    }
    return false;
  }

  #begin(event: PointerEvent, at: Vector2, hand: Hand, stays: boolean): void {
    this.#drag = {
      pointer: event.pointerId,
      from: [event.clientX, event.clientY],
      moved: false,
      stays,
    };
    this.dragging = true;
    const pose = hand.shown?.pose;
    if (pose) this.#offset = (this.table()?.stage.pointOf(pose.x, pose.y, pose.z) ?? at).sub(at);
    this.canvas.setPointerCapture(event.pointerId);
  }

  #carry(table: Table, hand: Hand, at: Vector2): void {
    const there = under(table.stage, hand, at.clone().add(this.#offset));
    if (!there) return;
    hand.moveTo(there.x, there.y);
    table.regard(placeAt(there.x, there.y));
  }

  #point(event: PointerEvent): Vector2 {
    const box = this.canvas.getBoundingClientRect();
    return new Vector2(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
  }
}

/** Where a piece in hand would lie: the first thing its bottom meets along the pointer's ray, or the table. */
function under(stage: Stage, hand: Hand, at: Vector2): { x: number; y: number } | null {
  for (let z = 0.36; z > 0; z -= 0.004) {
    const there = stage.tableAt(at, z);
    if (there && z <= hand.heightAt(there.x, there.y)) return there;
  }
  return stage.tableAt(at, 0.02);
}
