/** What the board asks whoever draws it: where things are on the canvas. */

/** A point of the canvas, each way from -1 to 1 and upwards; or a point of the table in metres. */
export interface Point {
  x: number;
  y: number;
}

export interface Eye {
  /** The piece under a point of the canvas. */
  pieceAt: (point: Point) => number | null;
  /** Where a point of the canvas is over the table, at a height. */
  tableAt: (point: Point, height: number) => Point | null;
  /** Where a point of the world is on the canvas. */
  pointOf: (x: number, y: number, z: number) => Point;
  /** How far around the table one looks from, in radians; 0 is the builder's side. */
  readonly around: number;
}
