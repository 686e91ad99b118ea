import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { language } from '$web/i18n/i18n.svelte';
import type { Deadline } from '$web/protocol/wire';
import { KabukiBoard, type BoardInput, type BoardKey } from './board.svelte';
import type { Check, KabukiView, Fact, Placed } from './wire';

const [FOX, FLAME, MONKEY] = [0, 1, 2];
const PLACED: Placed = { fact: 'placed', seat: 0, mask: FOX, stack: 2, callers: [1, 2] };
const CHECK: Check = { seat: 1, against: 0, stack: 2, masks: [FOX, FLAME, FOX], matches: 1, tokens: 1 };
const RESULT = { scores: [9, 6, 3], winners: [0], breakdown: [] };

const view = (change: Partial<KabukiView> = {}): KabukiView => ({
  round: 1,
  rounds: 3,
  phase: 'place',
  turn: 0,
  drawn: FLAME,
  deck: 40,
  stacks: [
    { top: MONKEY, height: 2 },
    { top: null, height: 0 },
    { top: FOX, height: 3 },
    { top: null, height: 0 },
  ],
  tokens: [5, 5, 5],
  scores: [],
  placed: null,
  callers: [],
  check: null,
  result: null,
  ...change,
});

/** Ana has just placed the fox on actor 3; the others may call, and Bo holds the flame. */
const calling = (change: Partial<KabukiView> = {}) =>
  view({ phase: 'window', turn: 1, placed: PLACED, callers: [1, 2], ...change });

/** A board that is told this; `told` may be changed as the table changes it. */
function boardOf(change: Partial<BoardInput> = {}, wide = true) {
  const sent: [seat: number, move: unknown][] = [];
  const told: BoardInput = {
    view: view(),
    names: ['Ana', 'Bo', 'Cleo'],
    yours: [0],
    moves: [],
    deadline: null,
    play: (seat, move) => sent.push([seat, move]),
    ...change,
  };
  return {
    board: new KabukiBoard(
      () => told,
      () => wide,
    ),
    told,
    sent,
  };
}

const PLACING = [0, 1, 2, 3].map((stack) => ({ move: 'place', stack }));
const key = (name: string, change: Partial<BoardKey> = {}): BoardKey => ({
  key: name,
  code: name === ' ' ? 'Space' : `Key${name.toUpperCase()}`,
  repeat: false,
  ...change,
});
const SPACE = key(' ');

beforeEach(() => void (language.lang = 'en'));
afterEach(() => void vi.useRealTimers());

describe('placing', () => {
  test('whoever may place gives the drawn mask to an actor, by click or by key', () => {
    const { board, sent } = boardOf({ moves: [{ seat: 0, moves: PLACING }] });
    expect(board.placer).toBe(0);
    expect(board.holder).toBeNull();
    board.place(1);
    board.press(key('4'));
    expect(sent).toEqual([
      [0, { move: 'place', stack: 1 }],
      [0, { move: 'place', stack: 3 }],
    ]);
  });

  test('nobody else does, and there are four actors', () => {
    const { board, sent } = boardOf({
      yours: [1],
      moves: [{ seat: 1, moves: [{ move: 'stop' }, { move: 'pass' }] }],
    });
    expect(board.placer).toBeNull();
    expect(board.holder).toBe('Ana');
    for (const name of ['1', '5', '0']) board.press(key(name));
    board.place(0);
    expect(sent).toEqual([]);
  });

  test('of several seats on one device the one that may place does', () => {
    const { board, sent } = boardOf({
      yours: [1, 2],
      view: view({ turn: 2 }),
      moves: [
        { seat: 1, moves: [{ move: 'stop' }] },
        { seat: 2, moves: PLACING },
      ],
    });
    board.press(key('2'));
    expect(sent).toEqual([[2, { move: 'place', stack: 1 }]]);
    expect(board.holder).toBe('Cleo');
  });
});

describe('calling', () => {
  test('a caller calls once for each mask, and it shows before the table has ruled', () => {
    const { board, sent } = boardOf({ yours: [1], view: calling() });
    expect(board.buttonOf(1)).toMatchObject({ may: true, mayPass: true });
    board.press(SPACE);
    board.press(SPACE);
    board.stop(1);
    expect(sent).toEqual([[1, { move: 'stop' }]]);
    expect(board.pressed).toEqual([1]);
    expect(board.buttonOf(1)).toMatchObject({ may: false, mayPass: false, why: 'Pressed!' });
  });

  test('a held key calls or places once', () => {
    const { board, sent } = boardOf({ yours: [1], view: calling(), moves: [{ seat: 1, moves: PLACING }] });
    board.press({ ...SPACE, repeat: true });
    board.press(key('1', { repeat: true }));
    expect(sent).toEqual([]);
  });

  test('what was pressed for one mask is not pressed for the next', () => {
    const { board, told, sent } = boardOf({ yours: [2], view: calling() });
    board.stop(2);
    const stacks = told.view.stacks.with(1, { top: FLAME, height: 1 });
    told.view = calling({
      stacks,
      placed: { fact: 'placed', seat: 1, mask: FLAME, stack: 1 },
      callers: [2, 0],
    });
    expect(board.pressed).toEqual([]);
    board.stop(2);
    expect(sent).toHaveLength(2);
  });

  test('what was pressed in one round is not pressed in another with stacks as high', () => {
    const { board, told } = boardOf({ yours: [2], view: calling() });
    board.stop(2);
    told.view = calling({ round: 2 });
    expect(board.pressed).toEqual([]);
  });

  test('a ruling ends the press', () => {
    const { board, told } = boardOf({ yours: [2], view: calling() });
    board.stop(2);
    told.view = calling({ phase: 'check', check: CHECK, callers: [] });
    expect(board.pressed).toEqual([]);
  });

  test('whoever placed the mask, or let it pass, cannot call', () => {
    const { board, sent } = boardOf({ view: calling() });
    board.press(SPACE);
    expect(board.buttonOf(0)).toMatchObject({ may: false, mayPass: false, why: 'Your own mask' });
    const passed = boardOf({ yours: [1], view: calling({ callers: [2] }) });
    passed.board.stop(1);
    passed.board.pass(1);
    expect(passed.board.buttonOf(1).why).toBe('You let it pass');
    expect([...sent, ...passed.sent]).toEqual([]);
  });

  test('one may let it pass while everyone is waited for, not afterwards', () => {
    const { board, told, sent } = boardOf({ yours: [1], view: calling() });
    board.press(key('p'));
    expect(sent).toEqual([[1, { move: 'pass' }]]);
    told.view = calling({ phase: 'place' });
    expect(board.buttonOf(1)).toMatchObject({ may: true, mayPass: false });
    board.press(key('P'));
    expect(sent).toHaveLength(1);
  });

  test('the mask that can be called on is marked', () => {
    const { board, told } = boardOf({ view: calling() });
    expect([0, 1, 2, 3].filter((stack) => board.isFresh(stack))).toEqual([2]);
    told.view = calling({ callers: [] });
    expect(board.isFresh(2)).toBe(false);
    told.view = calling({ check: CHECK });
    expect(board.isFresh(2)).toBe(false);
  });
});

describe('several seats on one device', () => {
  test('each has its “Stop!” at an edge and on a letter of its own', () => {
    const { board, sent } = boardOf({ yours: [0, 1, 2], view: calling() });
    expect(board.edges.map(({ seat, letter, side }) => [seat, letter, side])).toEqual([
      [0, 'A', 'bottom'],
      [1, 'L', 'left'],
      [2, 'P', 'right'],
    ]);
    for (const name of ['l', 'a', 'p', ' ']) board.press(key(name));
    expect(sent).toEqual([
      [1, { move: 'stop' }],
      [2, { move: 'stop' }],
    ]);
    expect(board.pressed).toEqual([1, 2]);
    expect(board.only).toBeNull();
  });

  test('a phone has no room at its sides', () => {
    const { board } = boardOf({ yours: [0, 1, 2] }, false);
    expect(board.edges.map(({ side }) => side)).toEqual(['bottom', 'top', 'top']);
  });

  test('a single seat has the bar instead', () => {
    const { board } = boardOf({ yours: [2] });
    expect(board.edges).toEqual([]);
    expect(board.only).toBe(2);
  });
});

describe('the clock', () => {
  const deadline = (waits_for: string): Deadline => ({
    waits_for,
    seconds: 8,
    seats: [],
    token: 1,
    keeps_running: false,
  });

  test.each([
    ['place', [0], true],
    ['window', [0], false],
    ['window', [0, 1], true],
    ['window', [], true],
    ['check', [0], false],
  ])('for %s with seats %j is in the status: %s', (waitsFor, yours, clocked) => {
    expect(boardOf({ yours, deadline: deadline(waitsFor) }).board.clocked).toBe(clocked);
  });

  test('is not there when nothing is waited for', () => {
    expect(boardOf().board.clocked).toBe(false);
  });
});

describe('a spectator', () => {
  test('sees and hears everything, and does nothing', () => {
    const { board, sent } = boardOf({ yours: [], view: calling() });
    for (const name of [' ', 'p', 'a', '1']) board.press(key(name));
    board.place(0);
    expect(sent).toEqual([]);
    expect([board.only, board.edges, board.placer, board.holder]).toEqual([null, [], null, 'Bo']);
    expect(board.status).toBe('Whoever has seen this mask on this actor may call.');
    expect(board.said).toBe('Ana puts the fox on actor 3. Bo holds the flame.');
  });
});

describe('what holds the game up', () => {
  beforeEach(() => void vi.useFakeTimers());

  test('the curtain is drawn before a round, for a moment', async () => {
    const { board } = boardOf();
    const round: Fact = {
      fact: 'round_started',
      round: 2,
      first: 1,
      tokens: [5, 5, 5],
      rounds: 3,
      deck: Array<number>(10).fill(5),
      actors: 4,
    };
    const move = board.stage(round, true);
    expect(board.curtain).toBeNull();
    const over = move?.();
    expect(board.curtain).toMatchObject({ round: 2, first: 1 });
    await vi.advanceTimersByTimeAsync(1300);
    await over;
    expect(board.curtain).toBeNull();
  });

  test('the fan folds up while the game goes on, unless nothing moves', async () => {
    const { board } = boardOf();
    expect(board.closing).toBe(false);
    await board.stage({ fact: 'check_closed' }, false)?.();
    expect(board.closing).toBe(true);
    vi.advanceTimersByTime(400);
    expect(board.closing).toBe(false);
    expect(board.stage({ fact: 'check_closed' }, true)).toBeUndefined();
  });

  test('a game that ends with a check leaves a moment to look at it', async () => {
    const { board, told } = boardOf({ view: view({ phase: 'check', check: CHECK }) });
    const move = board.stage({ fact: 'game_ended', scores: [9, 6, 3], winners: [0], breakdown: [] }, false);
    told.view = { ...told.view, phase: 'over', result: RESULT };
    expect(board.over).toBe(false);
    expect(board.said).toBe('Fox, Flame, Fox');
    const over = move?.();
    await vi.advanceTimersByTimeAsync(3000);
    await over;
    expect(board.over).toBe(true);
    expect(board.said).toBe('');
  });

  test('a game that ends without one is over at once, and other facts hold nothing up', () => {
    const { board, told } = boardOf();
    expect(
      board.stage({ fact: 'game_ended', scores: [9, 6, 3], winners: [0], breakdown: [] }, false),
    ).toBeUndefined();
    expect(board.stage(PLACED, false)).toBeUndefined();
    told.view = view({ result: RESULT, phase: 'over' });
    expect(board.over).toBe(true);
    expect(board.status).toBe('The game is over.');
  });
});
