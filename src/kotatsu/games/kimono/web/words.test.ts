import { expect, test } from 'vitest';
import type { Combined, Fact, KimonoPlace } from './wire';
import { cardWords, cellWords, combinationWords, fullWords, rowWords, tell, TEXTS } from './words';

const { en, fr } = TEXTS;
const PLACE: KimonoPlace = { hand: [5, 7, 7], kimono: [2, 7], accessories: [], buttons: [] };
const names = ['Ana', 'Bo'];
const told = (fact: Fact, yours: number[] = []) => tell(fact, { names, yours, lang: 'en' });

test('a card is told by all it shows, in short by its motif', () => {
  expect(fullWords({ fabric: 1 }, en)).toBe('1, crane, animal, mark triangle');
  expect(fullWords({ accessory: 0 }, en)).toBe('fan, accessory');
  expect(cardWords({ fabric: 9 }, en)).toBe('rabbit, 9');
  expect(cardWords({ accessory: 6 }, en)).toBe('hairpin, accessory');
});

test('a row says its front card, whether it may be taken, and what is behind it', () => {
  const row = [{ fabric: 2 }, { accessory: 2 }, { fabric: 1 }];
  expect(rowWords(row, 0, true, en)).toBe(
    'Take 1, crane, animal, mark triangle from row 1; behind it: parasol, accessory; pine, 2',
  );
  expect(rowWords([{ fabric: 1 }], 1, false, en)).toBe('Row 2: 1, crane, animal, mark triangle in front');
  expect(rowWords([], 2, false, en)).toBe('Row 3 is empty');
});

test('a combination says its cards in their order, what leads it and what it brings', () => {
  expect(combinationWords({ move: 'combine', style: 'kasane', cards: 2, lead: false }, PLACE, en)).toBe(
    'Kasane with swallow, 7; swallow, 7, 1 points',
  );
  expect(combinationWords({ move: 'combine', style: 'kasane', cards: 2, lead: true }, PLACE, en)).toBe(
    'Kasane with swallow, 7; swallow, 7, led by swallow, 7 of your kimono, 5 points',
  );
});

test('a cell says what it is worth and who has made it', () => {
  expect(cellWords(3, 4, [], en)).toBe('3 cards, 4 points');
  expect(cellWords(3, 4, names, en)).toBe('3 cards, 4 points, made by Ana, Bo');
});

test('facts are told by name, to the only player of a browser as “you”', () => {
  const took: Fact = { fact: 'took', seat: 0, row: 1, card: { fabric: 3 }, next: 1, combining: false };
  expect(told(took)).toBe('Ana takes carp, 3.');
  expect(told(took, [0])).toBe('You take carp, 3.');
  expect(told(took, [0, 1])).toBe('Ana takes carp, 3.');
  const combined: Combined = {
    fact: 'combined',
    seat: 1,
    style: 'ju',
    size: 3,
    cards: [7, 2],
    lead: false,
    points: 2,
    next: 0,
  };
  expect(told(combined)).toBe('Bo lays 7-2: Jū, +2.');
  expect(told({ ...combined, lead: true }, [1])).toBe('You add 7-2 to the last card of your kimono: Jū, +2.');
  expect(told({ fact: 'skipped', seat: 1, next: 0 })).toBe('Bo keeps the cards.');
  expect(told({ fact: 'round_ended', round: 2, discarded: [{ fabric: 1 }] })).toBe(
    'Round 2 ends; 1 cards are set aside.',
  );
  expect(told({ fact: 'game_ended', scores: [20, 17], winners: [0], breakdown: [] })).toBe(
    'The game is over: Ana 20, Bo 17.',
  );
  expect(
    tell(
      { fact: 'market_dealt', round: 1, first: 2, rows: [], rounds: 3, deck: [], discards: [] },
      { names, yours: [], lang: 'fr' },
    ),
  ).toContain('3');
});

test('every style, motif and accessory has its words in both languages', () => {
  for (const words of [en, fr])
    for (const group of [words.styles, words.motifs, words.accessories, words.breakdown])
      for (const word of Object.values(group)) expect(word).not.toBe('');
});
