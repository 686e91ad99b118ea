/** The coach as the table shows it: what was asked, what is still awaited, what came back. */
import { HouseProblem } from '$web/protocol/api';
import { problemWords } from '$web/protocol/problems';
import { askHint, askReview } from './coach';
import { HintReading, ReviewReading } from './reading.svelte';

export class Advice {
  hint = $state.raw<HintReading | null>(null);
  review = $state.raw<ReviewReading | null>(null);
  asking = $state(false);
  problem = $state('');
  #question = 0;

  constructor(private readonly table: string) {}

  askForHint(seat: number): Promise<void> {
    return this.#ask(async (current) => {
      const hint = await askHint(this.table, seat);
      if (current()) this.hint = new HintReading(hint);
    });
  }

  askForReview(): Promise<void> {
    return this.#ask(async (current) => {
      const review = await askReview(this.table);
      if (current()) this.review = new ReviewReading(review);
    });
  }

  /** The position is another: whatever was said about the last one no longer holds. */
  forget(): void {
    this.#question += 1;
    this.hint = null;
    this.asking = false;
    this.problem = '';
  }

  async #ask(question: (current: () => boolean) => Promise<void>): Promise<void> {
    const number = ++this.#question;
    const current = () => number === this.#question;
    this.asking = true;
    this.problem = '';
    try {
      await question(current);
    } catch (error) {
      if (!current()) return;
      this.problem = error instanceof HouseProblem ? problemWords(error) : String(error);
    } finally {
      if (current()) this.asking = false;
    }
  }
}
