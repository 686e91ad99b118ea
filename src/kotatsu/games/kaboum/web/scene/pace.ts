/** How finely is drawn: a machine that does not keep up gets less to draw, and a good picture once nothing moves. */

/** Points of the picture for one of the window, and shadows. */
export interface Quality {
  ratio: number;
  shadows: boolean;
}

/** From the best to the quickest. */
const QUALITIES: Quality[] = [
  { ratio: 2, shadows: true },
  { ratio: 1.5, shadows: true },
  { ratio: 1, shadows: true },
  { ratio: 1, shadows: false },
  { ratio: 0.7, shadows: false },
];
const SLOW_MS = 28;
/** A picture later than this was not drawn slowly: nobody looked at the page. */
const AWAY_MS = 3000;
/** So much slower than it should be, in milliseconds altogether, is too slow. */
const PATIENCE_MS = 1200;
/** After so long without being late a better picture is tried again, this often at most. */
const GOOD_MS = 6000;
const TRIES = 2;
const STILL_MS = 500;

export class Pace {
  readonly #levels: Quality[];
  #level = 0;
  #slow = 0;
  #good = 0;
  #still = 0;
  #fine = false;
  #tries = 0;

  /** `density`: points of the screen for one of the window. */
  constructor(density: number) {
    this.#levels = QUALITIES.filter(({ ratio }, level) => level > 1 || ratio <= density);
  }

  get best(): Quality {
    return this.#levels[0] ?? { ratio: 1, shadows: true };
  }

  /** A picture is drawn, so many milliseconds after the last. The quality it changes to, or `null`. */
  busy(late: number): Quality | null {
    this.#still = 0;
    if (!this.#fine) return this.#keepUp(late);
    this.#fine = false;
    return this.#levels[this.#level] ?? null;
  }

  /** There is nothing to draw. The best quality when there is time for one good picture, else `null`. */
  idle(late: number): Quality | null {
    this.#still += late;
    if (this.#still <= STILL_MS || this.#level === 0 || this.#fine) return null;
    this.#fine = true;
    return this.best;
  }

  #keepUp(late: number): Quality | null {
    if (late > AWAY_MS) return null;
    this.#slow = Math.max(0, this.#slow + late - SLOW_MS);
    this.#good = this.#slow > 0 ? 0 : this.#good + late;
    if (this.#slow > PATIENCE_MS) return this.#change(1);
    if (this.#good <= GOOD_MS || this.#level === 0 || this.#tries >= TRIES) return null;
    this.#tries += 1;
    return this.#change(-1);
  }

  #change(by: number): Quality | null {
    this.#slow = this.#good = 0;
    const next = this.#levels[this.#level + by];
    if (!next) return null;
    this.#level += by;
    return next;
  }
}
