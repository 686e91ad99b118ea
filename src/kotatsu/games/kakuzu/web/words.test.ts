import { describe, expect, test } from 'vitest';
import { digitState, digitWords, foundWords, rackDigits } from './rack';
import { lift, rows, viewOf } from './testing';
import type { Fact, Lifted } from './wire';
import { statusWords, tell, TEXTS, variantWords, type Doing } from './words';

const { en, fr } = TEXTS;
const names = ['Ana', 'Bo'];
const IDLE: Doing = { looked: null, pencil: null, acting: null, armed: null, found: null };

describe('the status', () => {
  const status = (view = viewOf(), doing: Partial<Doing> = {}) =>
    statusWords(view, { ...IDLE, ...doing }, names, en);

  test('says what one may do, or for whom one waits', () => {
    expect(status()).toBe('Ana looks for a 5…');
    expect(status(viewOf(), { acting: 0 })).toBe('Your turn: where is a 5?');
    const opening = viewOf({ phase: 'opening', wanted: null });
    expect(status(opening)).toBe('Ana opens a square…');
    expect(status(opening, { acting: 0 })).toBe('Open a square: lift a stone in it.');
    const naming = viewOf({ wanted: null, options: { announce: true } });
    expect(status(naming)).toBe('Ana chooses a digit…');
    expect(status(naming, { acting: 0 })).toBe('Your turn: name a digit.');
    expect(status(viewOf({ wanted: null }))).toBe('One moment…');
  });

  test('says that a zero ends the turn', () => {
    expect(status(viewOf({ wanted: 0 }), { acting: 0 })).toBe('A zero! Ana’s turn is over.');
  });

  test('says who has won', () => {
    const over = (winners: number[]) =>
      viewOf({ phase: 'over', turn: null, result: { scores: [], winners, breakdown: [] } });
    expect(status(over([1]))).toBe('The game is over. Victory: Bo.');
    expect(status(over([0, 1]))).toBe('The game is over. Victory: Ana and Bo.');
    expect(status(over([]))).toBe('The game is over. The house wins.');
  });

  test('what one does oneself comes first', () => {
    expect(status(viewOf(), { pencil: 3, acting: 0, armed: 4 })).toBe('Pencil: touch stones to mark 3.');
    expect(status(viewOf(), { acting: 0, armed: 4 })).toBe('Tap the stone again to lift it.');
    expect(status(viewOf(), { looked: lift({ seat: 1, wanted: 8 }), pencil: 3 })).toBe('Bo looks for a 8…');
  });
});

test('a table says how it differs from the plain game', () => {
  expect(variantWords(viewOf(), en)).toEqual([]);
  const all = viewOf({ stones: [3], options: { same_digit: true, announce: true, clock_s: 60 } });
  expect(variantWords(all, en)).toEqual([
    'Same digit again',
    'Name the digit',
    'Tournament clock',
    'Alone against the house',
  ]);
});

describe('the rack', () => {
  const view = viewOf({ visible: rows({ '00': 5, '44': 5 }), drawn: [5, 0], retired: [9] });

  test('says of each digit where it is', () => {
    expect([1, 5, 9, 0].map((digit) => digitState(view, digit))).toEqual([
      'bag',
      'drawn',
      'retired',
      'drawn',
    ]);
    expect(digitWords(view, 5, en)).toBe('5: out of the bag until the turn ends, 2 of 9 visible');
    expect(digitWords(view, 1, en)).toBe('1: in the bag, 0 of 9 visible');
    expect(digitWords(view, 9, en)).toBe('9: all nine found, out of the bag for good');
    expect(digitWords(view, 0, en)).toBe('0: drawn, the turn ends');
    expect(digitWords(viewOf(), 0, en)).toBe('0: in the bag, ends the turn');
  });

  test('counts what is found', () => {
    expect([0, 1, 5, 9].map((digit) => foundWords(view, digit))).toEqual(['', '0/9', '2/9', '✓']);
  });

  test('has no zero and no bag where digits are named', () => {
    const naming = viewOf({ retired: [9], options: { announce: true } });
    expect(rackDigits(view)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(rackDigits(naming)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect([5, 9].map((digit) => digitState(naming, digit))).toEqual(['name', 'retired']);
    expect(digitWords(naming, 5, en)).toBe('5: 1 of 9 visible');
  });
});

describe('the log', () => {
  const told = (fact: Fact, yours: number[] = []) => tell(fact, { names, yours, lang: 'en' });
  const found: Lifted = {
    fact: 'lifted',
    seat: 0,
    cell: [3, 6],
    digit: 5,
    wanted: 5,
    to: 0,
    next_wanted: null,
  };

  test('tells a lift to whoever lifted, to whoever gets the stone, and to the others', () => {
    expect(told(found)).toBe('Ana lifts row 4, column 7: 5. A stone for Ana.');
    expect(told(found, [0])).toBe('You lift row 4, column 7: 5. The stone is yours.');
    const missed = { ...found, digit: 2, to: 1 };
    expect(told(missed)).toBe('Ana lifts row 4, column 7: 2, not 5. The stone goes to Bo.');
    expect(told(missed, [0])).toBe('You lift row 4, column 7: 2, not 5. The stone goes to Bo.');
    expect(told(missed, [1])).toBe('Ana lifts row 4, column 7: 2, not 5. The stone goes to you.');
    expect(told({ ...missed, to: -1 })).toBe(
      'Ana lifts row 4, column 7: 2, not 5. The stone goes to the house.',
    );
  });

  test('tells the rest by name, or as “you”', () => {
    expect(told({ fact: 'dealt', first: 1, to_open: 9, bag: [], clocks: [], grid: [] })).toBe(
      '81 stones lie on the board. Bo begins.',
    );
    expect(told({ fact: 'opened', seat: 0, cell: [0, 0], digit: 3, to_open: 8, next: 1 }, [0])).toBe(
      'You open row 1, column 1: 3.',
    );
    expect(told({ fact: 'drew', seat: 1, digit: 4 })).toBe('Bo draws 4.');
    expect(told({ fact: 'announced', seat: 1, digit: 4 }, [1])).toBe('You name 4.');
    expect(told({ fact: 'retired', digit: 4 })).toBe('All nine 4s are found.');
    expect(told({ fact: 'time_spent', seat: 0, ms: 900 })).toBeNull();
    expect(told({ fact: 'game_ended', scores: [40, 32], winners: [0], grid: [], breakdown: [] })).toBe(
      'The game is over: Ana 40, Bo 32.',
    );
  });

  test('tells for every cause why a turn ended, in both languages', () => {
    for (const words of [en, fr])
      for (const cause of ['zero', 'miss', 'bag', 'ninth', 'limit', 'time'] as const) {
        expect(words.told.ended[cause]).not.toBe('');
        expect(words.told.endedYou[cause]).not.toBe('');
      }
    expect(told({ fact: 'turn_ended', seat: 0, cause: 'bag', next: 1, bag: [] })).toBe(
      'The bag is empty: Ana’s turn is over.',
    );
    expect(told({ fact: 'turn_ended', seat: 0, cause: 'time', next: 1, bag: [] }, [0])).toBe(
      'You have no time left; your turn passes.',
    );
  });
});
