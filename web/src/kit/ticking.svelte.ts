/** The clock of `performance.now()`, read again and again while something on the page shows the time. */
export class Ticking {
  now = $state(performance.now());

  /** Read it every so many milliseconds; gives back what stops that. Made for `$effect(() => ticking.every(250))`. */
  every(ms: number): () => void {
    this.now = performance.now();
    const timer = setInterval(() => (this.now = performance.now()), ms);
    return () => clearInterval(timer);
  }
}
