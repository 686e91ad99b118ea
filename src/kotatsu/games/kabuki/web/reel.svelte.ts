/** The memory film as it is wound: which placement is on screen, and whether it goes on by itself. */
import { ask, recordAddress } from '$web/protocol/api';
import { ACTORS } from './box';
import { scenesOf, type Scene } from './film';

const EVERY_MS = 900;

export class Reel {
  scenes = $state.raw<Scene[]>([]);
  /** The record could not be had. */
  failed = $state(false);
  at = $state(0);
  playing = $state(false);

  /** The placement on screen; none before the record has come. */
  scene = $derived(this.scenes[this.at]);
  rounds = $derived([...new Set(this.scenes.map(({ round }) => round))]);

  /** Fetch the record of a finished game. */
  async load(table: string): Promise<void> {
    try {
      const { log } = await ask<{ log: unknown[] }>(recordAddress(table));
      this.scenes = scenesOf(log, ACTORS);
    } catch {
      this.failed = true;
    }
  }

  /** The placements of a round, each with its number in the whole game. */
  inRound(round: number): (Scene & { index: number })[] {
    return this.scenes.map((scene, index) => ({ ...scene, index })).filter((scene) => scene.round === round);
  }

  /** Look at a placement; the film stands still then. */
  goTo(index: number): void {
    this.playing = false;
    this.at = Math.min(this.scenes.length - 1, Math.max(0, index));
  }

  step(by: number): void {
    this.goTo(this.at + by);
  }

  toggle(): void {
    this.playing = !this.playing;
  }

  /** Wind on while it plays; gives back what stops that. At the last placement it stops by itself. */
  run(): () => void {
    const winding = setInterval(() => {
      if (this.at < this.scenes.length - 1) this.at += 1;
      else this.playing = false;
    }, EVERY_MS);
    return () => clearInterval(winding);
  }
}
