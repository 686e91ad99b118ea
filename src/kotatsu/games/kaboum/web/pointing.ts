/** Mouse and fingers on the canvas: taking, carrying and putting down a piece, pulling a catapult, looking at a tile. */
import type { Eye, Point } from './board/eye';
import { PIECES, placeAt } from './box';
import type { Hand } from './hand';
import { railPlace } from './rail';
import type { Sling } from './sling';

/** A finger that moved less than this, in pixels, has tapped. */
const TAP = 7;
const FINGER = 26;
const NEAR_CATAPULT = 0.09;
const NEAR_RAIL = 0.04;
const WEAKEST_PULL = 0.02;
const NOTCH = 45;

/** What of a pointer's event matters. */
export type Pointer = Pick<
  PointerEvent,
  'pointerId' | 'pointerType' | 'button' | 'buttons' | 'clientX' | 'clientY'
>;
/** What the canvas is asked for. */
export type Surface = Pick<
  HTMLCanvasElement,
  'clientWidth' | 'clientHeight' | 'getBoundingClientRect' | 'setPointerCapture'
>;

export interface Table {
  eye: Eye;
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
  #offset: Point = { x: 0, y: 0 };
  #rolled = 0;

  constructor(
    readonly canvas: Surface,
    readonly table: () => Table | null,
  ) {}

  /** Whether the event is ours; else the camera may have it. */
  down(event: Pointer): boolean {
    const table = this.table();
    if (!table || this.#drag || this.#pull) return table !== null;
    const at = this.#point(event);
    if (table.hand?.holding) return this.#downHolding(event, table.hand, at);
    if (event.button !== 0) return false;
    const piece = table.hand ? this.#pieceAt(event, table, table.hand, at) : null;
    const ground = table.eye.tableAt(at, 0.02);
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

  move(event: Pointer): void {
    const table = this.table();
    if (!table) return;
    const at = this.#point(event);
    const { hand, sling, eye } = table;
    if (this.#drag?.pointer === event.pointerId && hand) {
      const [x, y] = this.#drag.from;
      this.#drag.moved ||= Math.hypot(event.clientX - x, event.clientY - y) > TAP;
      if (this.#drag.moved) this.#carry(table, hand, at);
    } else if (this.#pull?.pointer === event.pointerId && sling) {
      const there = eye.tableAt(at, 0.02);
      if (!there) return;
      const [x, y] = railPlace(sling.aim.at);
      this.#pull.far = Math.hypot(there.x - x, there.y - y);
      sling.pull(there.x, there.y);
    } else if (event.pointerType === 'mouse' && !this.#drag && event.buttons === 0) {
      if (hand?.holding) this.#carry(table, hand, at);
      else if (hand) table.choose(eye.pieceAt(at));
      const there = eye.tableAt(at, 0);
      if (!hand?.holding) table.regard(there && placeAt(there.x, there.y));
    }
  }

  up(event: Pointer): void {
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
  otherButton(event: Pick<MouseEvent, 'button' | 'shiftKey'>): void {
    const hand = this.table()?.hand;
    if (event.button !== 2 || !hand?.holding) return;
    if (event.shiftKey) hand.tip();
    else hand.tipForward();
  }

  /** The wheel turns a piece in hand, or raises a pulled catapult, instead of bringing the camera nearer. */
  wheel(event: Pick<WheelEvent, 'deltaX' | 'deltaY'>): boolean {
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
  #pieceAt(event: Pointer, { eye }: Table, hand: Hand, at: Point): number | null {
    const exact = eye.pieceAt(at);
    if (exact !== null || event.pointerType === 'mouse') return exact;
    let [best, least]: [number | null, number] = [null, FINGER];
    hand.playback.newest.slice(0, PIECES.length).forEach((pose, piece) => {
      if (!pose) return;
      const { x, y } = eye.pointOf(pose.x, pose.y, pose.z);
      const { clientWidth: wide, clientHeight: high } = this.canvas;
      const pixels = Math.hypot((x - at.x) * wide, (y - at.y) * high) / 2;
      if (pixels < least) [best, least] = [piece, pixels];
    });
    return best;
  }

  #downHolding(event: Pointer, hand: Hand, at: Point): boolean {
    if (event.pointerType === 'mouse') {
      if (event.button === 0) hand.putDown();
    } else this.#begin(event, at, hand, true);
    return true;
  }

  #tapHolding(table: Table, hand: Hand, at: Point): void {
    if (table.eye.pieceAt(at) === hand.piece) hand.putDown();
    else {
      this.#offset = { x: 0, y: 0 };
      this.#carry(table, hand, at);
    }
  }

  #downOnRail(event: Pointer, sling: Sling, x: number, y: number): boolean {
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

  #begin(event: Pointer, at: Point, hand: Hand, stays: boolean): void {
    this.#drag = {
      pointer: event.pointerId,
      from: [event.clientX, event.clientY],
      moved: false,
      stays,
    };
    this.dragging = true;
    const pose = hand.shown?.pose;
    const there = pose && (this.table()?.eye.pointOf(pose.x, pose.y, pose.z) ?? at);
    if (there) this.#offset = { x: there.x - at.x, y: there.y - at.y };
    this.canvas.setPointerCapture(event.pointerId);
  }

  #carry(table: Table, hand: Hand, at: Point): void {
    const { x, y } = this.#offset;
    const there = under(table.eye, hand, { x: at.x + x, y: at.y + y });
    if (!there) return;
    hand.moveTo(there.x, there.y);
    table.regard(placeAt(there.x, there.y));
  }

  #point(event: Pointer): Point {
    const box = this.canvas.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * 2 - 1,
      y: 1 - ((event.clientY - box.top) / box.height) * 2,
    };
  }
}

/** Where a piece in hand would lie: the first thing its bottom meets along the pointer's ray, or the table. */
function under(eye: Eye, hand: Hand, at: Point): { x: number; y: number } | null {
  for (let z = 0.36; z > 0; z -= 0.004) {
    const there = eye.tableAt(at, z);
    if (there && z <= hand.heightAt(there.x, there.y)) return there;
  }
  return eye.tableAt(at, 0.02);
}
