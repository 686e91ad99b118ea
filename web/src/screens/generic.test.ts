import { expect, test } from 'vitest';
import { brief, genericOutcome, moveWords, tellPlainly } from './generic';

test('a move is told by its name and what it says', () => {
  expect(moveWords({ move: 'pass' })).toBe('pass');
  expect(moveWords({ move: 'take_stones', count: 2 })).toBe('take stones: count 2');
  expect(moveWords({ move: 'swap', cards: [1, 4], face_up: true })).toBe('swap: cards 1, 4, face up yes');
});

test('a fact is told with the name of whose it is', () => {
  expect(tellPlainly({ fact: 'took', seat: 1, count: 3 }, ['Ana', 'Bo'])).toBe('Bo: took: count 3');
  expect(tellPlainly({ fact: 'rained' }, ['Ana', 'Bo'])).toBe('rained');
  expect(tellPlainly(null, [])).toBeNull();
});

test('what does not fit on a line is left to a list', () => {
  expect(brief([])).toBe('—');
  expect(brief({ a: 1, b: 'x_y' })).toBe('a 1, b x y');
  expect(brief({ a: { b: 1 } })).toBeNull();
  expect(brief([{ a: 1 }])).toBeNull();
});

test('how a game ended is found in its last fact or in its view', () => {
  const end = { scores: [3, 1], winners: [0] };
  expect(genericOutcome({}, { fact: 'over', ...end })).toEqual({ ...end, breakdown: [] });
  expect(genericOutcome({ result: end }, null)).toEqual({ ...end, breakdown: [] });
  expect(genericOutcome({ stones: 4 }, { fact: 'took' })).toBeNull();
});
