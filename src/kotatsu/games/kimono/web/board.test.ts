import { beforeEach, expect, test } from 'vitest';
import { language } from '$web/i18n/i18n.svelte';
import { KimonoBoard, type BoardInput } from './board.svelte';
import type { Combine, KimonoPlace, KimonoView, Move } from './wire';

const place = (change: Partial<KimonoPlace> = {}): KimonoPlace => ({
  hand: [],
  kimono: [],
  accessories: [],
  buttons: [],
  ...change,
});

const view = (change: Partial<KimonoView> = {}): KimonoView => ({
  round: 1,
  rounds: 3,
  first: 0,
  turn: 0,
  combining: false,
  rows: [[{ fabric: 1 }, { fabric: 2 }], [{ accessory: 3 }], []],
  deck: 20,
  discards: 0,
  places: [place(), place(), place()],
  result: null,
  ...change,
});

const take = (row: number): Move => ({ move: 'take', row });
const combine = (style: Combine['style'], cards: number, lead = false): Combine => ({
  move: 'combine',
  style,
  cards,
  lead,
});
const SKIP: Move = { move: 'skip' };
/** A pair of the same fabric, the three of them with the last card of the kimono, and three that add up to 10. */
const PAIR = combine('kasane', 2);
const LED = combine('kasane', 2, true);
const TEN = combine('ju', 3);

/** A board that is told this; `told` may be changed as the table changes it. */
function boardOf(change: Partial<BoardInput> = {}) {
  const sent: [seat: number, move: unknown][] = [];
  const told: BoardInput = {
    view: view(),
    names: ['Ana', 'Bo', 'Cleo'],
    yours: [0],
    moves: [],
    play: (seat, move) => sent.push([seat, move]),
    ...change,
  };
  return { board: new KimonoBoard(() => told), told, sent };
}

const taking = (seat = 0) => [{ seat, moves: [take(0), take(1)] }];
const combining = (seat = 0) => [{ seat, moves: [PAIR, LED, TEN, SKIP] }];

beforeEach(() => void (language.lang = 'en'));

test('the rows that may be taken are offered, and taking one sends it for the seat that acts', () => {
  const { board, sent } = boardOf({ yours: [2], moves: taking(2), view: view({ turn: 2 }) });
  expect(board.acting).toBe(2);
  expect(board.task).toBe('take');
  expect(board.takeable).toEqual([0, 1]);
  expect(board.combinations).toEqual([]);
  board.take(1);
  expect(sent).toEqual([[2, take(1)]]);
});

test('a row that is not offered, or a combination that is none, is not sent', () => {
  const { board, told, sent } = boardOf({ moves: taking() });
  board.take(2);
  board.lay(PAIR);
  board.skip();
  told.moves = [];
  board.take(0);
  expect(sent).toEqual([]);
});

test('combinations are offered the best first, and the one chosen is sent as it was offered', () => {
  const { board, sent } = boardOf({ moves: combining() });
  expect(board.task).toBe('combine');
  expect(board.combinations.map(({ style, lead }) => [style, lead])).toEqual([
    ['kasane', true],
    ['ju', false],
    ['kasane', false],
  ]);
  board.lay(TEN);
  board.skip();
  expect(sent).toEqual([
    [0, TEN],
    [0, SKIP],
  ]);
});

test('what is pointed at shows on the hand, the kimono and the kakemonos', () => {
  const { board } = boardOf({ moves: combining() });
  expect([board.preview, board.lit, board.litHand, board.litKimono]).toEqual([null, null, 0, 0]);
  board.point(LED);
  expect(board.preview).toBe(LED);
  expect(board.lit).toEqual({ style: 'kasane', size: 3 });
  expect([board.litHand, board.litKimono]).toEqual([2, 1]);
  board.point(TEN);
  expect(board.lit).toEqual({ style: 'ju', size: 3 });
  expect([board.litHand, board.litKimono]).toEqual([3, 0]);
  board.point(null);
  expect(board.lit).toBeNull();
});

test('a preview is gone once its combination is offered no more, and does not come back with another offer', () => {
  const { board, told } = boardOf({ moves: combining() });
  board.point(PAIR);
  told.moves = [];
  expect([board.preview, board.lit, board.litHand]).toEqual([null, null, 0]);
  told.moves = [{ seat: 0, moves: [combine('kagen', 3), SKIP] }];
  expect(board.preview).toBeNull();
});

test('digits take the row or lay the combination that bears them, 0 keeps the cards', () => {
  const { board, told, sent } = boardOf({ moves: taking() });
  for (const key of ['2', '3', '0', 'x', 'Enter', '10']) board.press(key);
  expect(sent).toEqual([[0, take(1)]]);
  told.moves = combining();
  for (const key of ['1', '3', '4', '0']) board.press(key);
  expect(sent.slice(1)).toEqual([
    [0, LED],
    [0, PAIR],
    [0, SKIP],
  ]);
  told.moves = [];
  for (const key of ['0', '1', '2']) board.press(key);
  expect(sent).toHaveLength(4);
});

test('with both offered at once, digits lay what they can and take the rest', () => {
  const { board, sent } = boardOf({ moves: [{ seat: 0, moves: [TEN, take(0), take(1)] }] });
  board.press('1');
  board.press('2');
  expect(sent).toEqual([
    [0, TEN],
    [0, take(1)],
  ]);
});

test.each([
  ['nowhere', 'take', 'combine'],
  ['board', 'take', 'combine'],
  ['front', null, 'combine'],
  ['elsewhere', null, null],
] as const)('a keyboard that is %s is led to what there is to do', (at, toTake, toCombine) => {
  expect(boardOf({ moves: taking() }).board.focusGoal(at)).toBe(toTake);
  expect(boardOf({ moves: combining() }).board.focusGoal(at)).toBe(toCombine);
  expect(boardOf().board.focusGoal(at)).toBeNull();
});

test('a narrow page scrolls to one’s own place for a choice and to the market for a card', () => {
  expect(boardOf({ moves: combining() }).board.scrollGoal).toBe('self');
  expect(boardOf({ moves: taking() }).board.scrollGoal).toBe('market');
  expect(boardOf().board.scrollGoal).toBeNull();
});

test('one’s own place is below and the others follow clockwise', () => {
  const { board } = boardOf({ yours: [1] });
  expect(board.self).toBe(1);
  expect(board.others).toEqual([2, 0]);
});

test('of several seats on one device the one to move is below', () => {
  const { board, told, sent } = boardOf({ yours: [0, 2], view: view({ turn: 2 }), moves: taking(2) });
  expect([board.self, board.others]).toEqual([2, [0, 1]]);
  board.press('1');
  expect(sent).toEqual([[2, take(0)]]);
  told.view = view({ turn: 1 });
  expect([board.self, board.others]).toEqual([0, [1, 2]]);
});

test('a spectator has nobody below, everybody above, and nothing to do', () => {
  const { board, sent } = boardOf({ yours: [], view: view({ turn: 1, combining: true }) });
  expect([board.self, board.others, board.acting, board.task]).toEqual([null, [0, 1, 2], null, null]);
  expect(board.status).toBe('Bo is thinking about a combination…');
  for (const key of ['0', '1']) board.press(key);
  board.take(0);
  expect(sent).toEqual([]);
});

test('the status says what one may do, or for whom one waits', () => {
  expect(boardOf({ moves: taking() }).board.status).toBe('Your turn: take the front card of a row.');
  expect(boardOf({ moves: combining() }).board.status).toBe(
    'Lay a combination, or keep the cards for later.',
  );
  expect(boardOf({ view: view({ turn: 1 }) }).board.status).toBe('Bo is choosing a card…');
  // It is one's turn, but what happened before is still being shown.
  expect(boardOf().board.status).toBe('Your turn');
  expect(boardOf({ yours: [0, 1] }).board.status).toBe('Ana is choosing a card…');
});

test('once the game is over there is nothing to say or to do', () => {
  const result = { scores: [3, 2, 1], winners: [0], breakdown: [] };
  const { board, sent } = boardOf({ view: view({ turn: null, result }) });
  expect([board.status, board.task, board.scrollGoal, board.focusGoal('nowhere')]).toEqual([
    '',
    null,
    null,
    null,
  ]);
  board.press('1');
  expect(sent).toEqual([]);
  expect(board.self).toBe(0);
});

test('the words follow the language', () => {
  const { board } = boardOf({ moves: taking() });
  language.lang = 'fr';
  expect(board.words.title).toBe('Kimono');
  expect(board.status).not.toBe('Your turn: take the front card of a row.');
});
