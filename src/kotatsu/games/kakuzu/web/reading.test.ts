import { describe, expect, test } from 'vitest';
import { gridsWords, hintTitle, liftWords } from './coach';
import { HintReading, ReviewReading } from './reading.svelte';
import { chance, deduction, hint, lift, rows, step } from './testing';
import type { SeatReview } from './wire';
import { TEXTS } from './words';

const { en } = TEXTS;

describe('a hint', () => {
  const first = step({ digits: [2], cells: [[1, 1]], unit: { kind: 'row', index: 1 } });
  const last = step();
  const two = deduction({ steps: [first, last] });

  test('shows its first certain stone, and of several thoughts what they lead to', () => {
    const reading = new HintReading(hint({ certain: [two, deduction({ cell: [8, 8] })] }));
    expect(reading.deduction).toBe(two);
    expect(reading.step).toBe(last);
    expect(reading.lit.get(33)).toBe('certain');
    expect([...reading.placed]).toEqual([[10, 2]]);
  });

  test('shows the thought that is pointed at', () => {
    const reading = new HintReading(hint({ certain: [two] }));
    reading.point(first);
    expect(reading.step).toBe(first);
    expect(reading.lit.get(10)).toBe('about');
    expect(reading.placed.size).toBe(0);
  });

  test('shows another stone from its conclusion', () => {
    const other = deduction({ cell: [8, 8] });
    const reading = new HintReading(hint({ certain: [two, other] }));
    reading.point(first);
    reading.choose(1);
    expect([reading.chosen, reading.deduction, reading.step]).toEqual([1, other, other.steps[0]]);
    expect(reading.lit.get(80)).toBe('certain');
  });

  test('without anything certain shows the best chance, or the one chosen', () => {
    const reading = new HintReading(hint({ best: [chance(), chance({ cell: [7, 7] })] }));
    expect([...reading.lit]).toEqual([[80, 'chance']]);
    reading.choose(1);
    expect([...reading.lit]).toEqual([[70, 'chance']]);
    expect([reading.deduction, reading.step, reading.placed.size]).toEqual([null, null, 0]);
  });

  test('with nothing to say lights nothing', () => {
    expect(new HintReading(hint()).lit.size).toBe(0);
  });

  test.each([
    ['one certain stone', hint({ certain: [deduction()] }), 'A 5 for certain'],
    ['several for a digit', hint({ certain: [deduction(), deduction()] }), 'A 5 for certain'],
    [
      'several for any digit',
      hint({ wanted: null, certain: [deduction(), deduction()] }),
      '2 stones are certain',
    ],
    ['chances', hint({ best: [chance()] }), 'Nothing is certain. The best chances for a 5:'],
    [
      'chances for any',
      hint({ wanted: null, best: [chance()] }),
      'Nothing is certain. The best chance for each digit:',
    ],
    ['the opening', hint({ wanted: null }), 'In the opening every stone is as good as any other.'],
    ['nothing', hint(), 'There is nothing to look for right now.'],
  ])('is titled after %s', (_, said, title) => {
    expect(hintTitle(said, en)).toBe(title);
  });

  test('says how many grids fit', () => {
    expect(gridsWords(hint({ remaining: 12_000 }), en)).toBe('12,000 grids still fit what is visible.');
    expect(gridsWords(hint({ remaining: 1 }), en)).toBe('Only one grid fits what is visible.');
    expect(gridsWords(hint({ remaining: 1_234_567, exact: false }), en)).toMatch(
      /^About 1\.2m grids still fit what is visible\.$/i,
    );
    expect(gridsWords(hint({ remaining: null }), en)).toBe('');
  });
});

describe('a review', () => {
  const seat = (number: number): SeatReview => ({ seat: number }) as SeatReview;
  const review = (seats: number[]) => ({
    lifts: [lift(), lift({ cell: [0, 1], digit: 7 }), lift({ cell: [0, 2], digit: 2 })],
    seats: seats.map(seat),
  });

  test('begins at the end and goes to any lift and back', () => {
    const reading = new ReviewReading(review([0, 1]));
    expect([reading.lift, reading.at, reading.looked]).toEqual([null, 3, null]);
    reading.go(1);
    expect([reading.lift, reading.at, reading.looked?.digit]).toEqual([1, 1, 7]);
    reading.go(-1);
    expect(reading.at).toBe(0);
    reading.go(3);
    expect(reading.lift).toBeNull();
  });

  test('shows the board as it was before a lift', () => {
    const reading = new ReviewReading(review([0, 1]));
    const end = rows({ '00': 5, '01': 7, '02': 2, '44': 1 });
    expect(reading.visible(end)).toBe(end);
    expect(reading.lit.size).toBe(0);
    reading.go(1);
    expect(reading.visible(end)).toEqual(rows({ '00': 5, '44': 1 }));
    expect(reading.lit.get(1)).toBe('chosen');
  });

  test('draws two lines in full, of more only one’s own, of a stranger’s game all', () => {
    expect([...new ReviewReading(review([0, 1])).shown([0])]).toEqual([0, 1]);
    expect([...new ReviewReading(review([0, 1, 2])).shown([1])]).toEqual([1]);
    expect([...new ReviewReading(review([0, 1, 2])).shown([])]).toEqual([0, 1, 2]);
  });

  test('draws what is asked for', () => {
    const reading = new ReviewReading(review([0, 1, 2]));
    reading.toggle(2, [1]);
    expect([...reading.shown([1])]).toEqual([1, 2]);
    reading.toggle(1, [1]);
    expect([...reading.shown([1])]).toEqual([2]);
    reading.toggle(2, [1]); // nothing is left: one's own line again
    expect([...reading.shown([1])]).toEqual([1]);
  });

  test('says what came of a lift and whether there was a better one', () => {
    expect(liftWords(lift(), 'Ana', en)).toEqual({
      hit: true,
      outcome: 'Ana looked for 5 at row 1, column 1: found.',
      odds: 'Chance: 40%.',
      better: 'Better: row 9, column 9, 60%.',
    });
    expect(liftWords(lift({ digit: 2 }), 'Ana', en)).toMatchObject({
      hit: false,
      outcome: 'Ana looked for 5 at row 1, column 1: it was 2.',
    });
    expect(liftWords(lift({ best_odds: 0.404 }), 'Ana', en).better).toBe('No stone was better.');
    expect(liftWords(lift({ missed: deduction() }), 'Ana', en).better).toBe('Certain was row 4, column 7:');
  });
});
