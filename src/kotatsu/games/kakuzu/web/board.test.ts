import type { TableInfo } from '$web/protocol/wire';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { language } from '$web/i18n/i18n.svelte';
import { KakuzuBoard, type BoardInput } from './board.svelte';
import { chance, deduction, fakeCoach, fakeStorage, hint, inputOf, lift, rows, viewOf } from './testing';
import type { KakuzuView, Lifted } from './wire';

let storage: ReturnType<typeof fakeStorage>;
let coach: ReturnType<typeof fakeCoach>;

beforeEach(() => {
  language.lang = 'en';
  storage = fakeStorage();
  coach = fakeCoach();
  vi.stubGlobal('localStorage', storage.localStorage);
  vi.stubGlobal('fetch', coach.fetch);
});
afterEach(() => void vi.unstubAllGlobals());

function boardOf(change: Partial<BoardInput> = {}, coarse = false) {
  const { told, sent } = inputOf(change);
  return {
    board: new KakuzuBoard(
      () => told,
      () => coarse,
    ),
    told,
    sent,
  };
}

const lifting = (seat = 0) => [
  {
    seat,
    moves: [
      { move: 'lift', cell: [3, 6] },
      { move: 'lift', cell: [8, 8] },
    ],
  },
];
const opening = [{ seat: 0, moves: [{ move: 'open', cell: [0, 1] }] }];
const naming = [
  {
    seat: 0,
    moves: [
      { move: 'announce', digit: 5 },
      { move: 'announce', digit: 7 },
    ],
  },
];
const announcing = (change: Partial<KakuzuView> = {}) =>
  viewOf({ wanted: null, drawn: [], bag: [], options: { announce: true }, ...change } as Parameters<
    typeof viewOf
  >[0]);
const OVER = { phase: 'over', turn: null, wanted: null } as const;
const RESULT = { scores: [40, 32], winners: [0], breakdown: [] };

describe('lifting', () => {
  test('the stones that may be lifted are offered, and a click lifts one', () => {
    const { board, sent } = boardOf({ moves: lifting() });
    expect([...board.liftable]).toEqual([33, 80]);
    expect(board.task).toBe('lift');
    board.act(33);
    expect(sent).toEqual([[0, { move: 'lift', cell: [3, 6] }]]);
  });

  test('a stone that is not offered stays, and so do all while nothing is offered', () => {
    const { board, told, sent } = boardOf({ moves: lifting() });
    board.act(34);
    told.moves = [];
    board.act(33);
    expect(sent).toEqual([]);
    expect(board.task).toBeNull();
  });

  test('in the opening a stone opens its square', () => {
    const { board, sent } = boardOf(
      { view: viewOf({ phase: 'opening', wanted: null }), moves: opening },
      true,
    );
    board.act(1);
    expect(sent).toEqual([[0, { move: 'open', cell: [0, 1] }]]);
  });

  test('a finger chooses a stone before it lifts it', () => {
    const { board, sent } = boardOf({ moves: lifting() }, true);
    board.act(33);
    expect([board.armed, sent]).toEqual([33, []]);
    expect(board.status).toBe('Tap the stone again to lift it.');
    board.act(80);
    expect([board.armed, sent]).toEqual([80, []]);
    board.act(80);
    expect(sent).toEqual([[0, { move: 'lift', cell: [8, 8] }]]);
  });

  test('a finger that meant another position lifts nothing in this one', () => {
    const { board, told, sent } = boardOf({ moves: lifting() }, true);
    board.act(33);
    told.view = viewOf({ wanted: 7 });
    expect(board.armed).toBeNull();
    board.act(33);
    expect([board.armed, sent]).toEqual([33, []]);
  });
});

describe('naming', () => {
  test('the digits that may be named are offered, and naming one sends it', () => {
    const { board, sent } = boardOf({ view: announcing(), moves: naming });
    expect([...board.nameable]).toEqual([5, 7]);
    expect([...board.liftable]).toEqual([]);
    expect(board.task).toBe('name');
    board.name(7);
    board.name(3);
    expect(sent).toEqual([[0, { move: 'announce', digit: 7 }]]);
  });

  test('nobody names while nothing is offered', () => {
    const { board, sent } = boardOf({ view: announcing() });
    board.name(7);
    expect(sent).toEqual([]);
  });
});

describe('the pencil', () => {
  test('writes on stones instead of lifting them, and takes away what it wrote', () => {
    const { board, sent } = boardOf({ moves: lifting() });
    board.pencilling = true;
    board.penDigit = 7;
    board.act(33);
    board.act(0);
    expect([board.marksOn(33), board.marksOn(0), sent]).toEqual([[7], [], []]);
    expect(board.marked).toBe(true);
    expect(board.status).toBe('Pencil: touch stones to mark 7.');
    board.act(33);
    expect(board.marked).toBe(false);
  });

  test('writes whenever there are stones, also for whoever waits or looks on', () => {
    const { board } = boardOf({ yours: [], view: viewOf({ turn: 1 }) });
    board.mark(33, 4);
    board.mark(33, 2);
    expect(board.marksOn(33)).toEqual([2, 4]);
    expect([...storage.store.keys()]).toEqual(['kotatsu.kakuzu.marks.table.watching']);
  });

  test('each seat of a device has marks of its own, and finds them again', () => {
    const { board, told } = boardOf({ yours: [0, 1] });
    board.mark(33, 4);
    told.view = viewOf({ turn: 1 });
    expect(board.marksOn(33)).toEqual([]);
    board.mark(33, 9);
    told.view = viewOf({ turn: 0 });
    expect(board.marksOn(33)).toEqual([4]);
    expect(boardOf({ yours: [0, 1] }).board.marksOn(33)).toEqual([4]);
  });

  test('everything can be erased, and is once the game is over', () => {
    const { board, told } = boardOf({ yours: [0, 1] });
    board.mark(33, 4);
    board.eraseMarks();
    expect(board.marked).toBe(false);
    board.mark(34, 4);
    told.view = viewOf({ turn: 1 });
    board.mark(35, 6);
    board.forgetMarks();
    expect(storage.store.size).toBe(0);
    expect(board.marked).toBe(false);
  });

  test('writes nothing once the game is over', () => {
    const { board } = boardOf({ view: viewOf(OVER) });
    board.pencilling = true;
    board.act(33);
    expect(board.marksOn(33)).toEqual([]);
  });
});

describe('keys', () => {
  test.each([
    ['ArrowDown', 40, 49],
    ['ArrowUp', 4, 76],
    ['ArrowLeft', 36, 44],
    ['ArrowRight', 44, 36],
    ['Home', 40, 36],
    ['End', 40, 44],
    ['Enter', 40, null],
    ['0', 40, null],
    ['x', 40, null],
  ])('%s on cell %i leads to %s', (key, cell, goal) => {
    expect(boardOf().board.keyOn(cell, key)).toBe(goal);
  });

  test('digits mark a stone and Delete erases it, whether or not the pencil is out', () => {
    const { board } = boardOf();
    expect(board.keyOn(33, '4')).toBe(33);
    board.keyOn(33, '2');
    board.keyOn(33, '4');
    expect(board.marksOn(33)).toEqual([2]);
    expect(board.keyOn(33, 'Delete')).toBe(33);
    expect(board.marksOn(33)).toEqual([]);
    board.keyOn(33, '4');
    board.keyOn(33, 'Backspace');
    expect(board.marked).toBe(false);
  });

  test.each([
    ['nowhere', 'name', 'lift'],
    ['play', 'name', null],
    ['elsewhere', null, null],
  ] as const)('a keyboard that is %s is led to what there is to do', (at, toName, toLift) => {
    expect(boardOf({ view: announcing(), moves: naming }).board.focusGoal(at)).toBe(toName);
    expect(boardOf({ moves: lifting() }).board.focusGoal(at)).toBe(toLift);
    expect(boardOf().board.focusGoal(at)).toBeNull();
  });
});

describe('conflicts', () => {
  test('are shown when asked for, and this browser remembers it', () => {
    const { board } = boardOf();
    expect(board.checking).toBe(false);
    board.check(true);
    expect(board.checking).toBe(true);
    expect(boardOf().board.checking).toBe(true);
    board.check(false);
    expect(boardOf().board.checking).toBe(false);
  });
});

describe('the coach', () => {
  test('gives the seat on screen a hint, which lights the board until the position is another', async () => {
    const { board, told } = boardOf({ yours: [0, 1], view: viewOf({ turn: 1 }) });
    expect([board.coached, board.coachShows]).toEqual([true, null]);
    board.askForHint();
    expect(coach.asked).toEqual(['/api/tables/table/hint?seat=1']);
    expect(board.coachShows).toBe('thinking');
    await coach.answer(hint({ certain: [deduction()] }));
    expect(board.coachShows).toBe('hint');
    expect(board.lit.get(33)).toBe('certain');
    told.view = viewOf({ wanted: 7 });
    board.positionChanged();
    expect([board.coachShows, board.lit.size, board.placed.size]).toEqual([null, 0, 0]);
  });

  test('an answer that comes too late is not shown', async () => {
    const { board } = boardOf();
    board.askForHint();
    board.positionChanged();
    await coach.answer(hint({ best: [chance()] }));
    expect([board.coachShows, board.lit.size]).toEqual([null, 0]);
  });

  test('is silent where the server says so, for a spectator, and about a game that is over', () => {
    for (const change of [
      { info: { id: 'table', hints: false } as TableInfo },
      { yours: [] },
      { view: viewOf(OVER) },
    ]) {
      const { board } = boardOf(change);
      expect(board.coached).toBe(false);
      board.askForHint();
    }
    expect(coach.asked).toEqual([]);
  });

  test('what went wrong takes the place of the last hint, and can be asked again', async () => {
    const { board } = boardOf();
    board.askForHint();
    await coach.answer(hint({ best: [chance()] }));
    expect(board.lit.get(80)).toBe('chance');
    board.askForHint();
    await coach.answer({ code: 'coach_silent', message: 'no' }, false);
    expect(board.coachShows).toBe('problem');
    expect(board.lit.size).toBe(0);
    board.askAgain();
    expect(coach.asked).toHaveLength(3);
    await coach.answer(hint({ best: [chance({ cell: [7, 7] })] }));
    expect([...board.lit.keys()]).toEqual([70]);
  });

  test('goes through a game that is over, lift by lift', async () => {
    const end = rows({ '00': 5, '01': 7, '44': 1 });
    const { board } = boardOf({ view: viewOf({ ...OVER, visible: end, grid: end, result: RESULT }) });
    board.positionChanged();
    expect(coach.asked).toEqual(['/api/tables/table/review']);
    await coach.answer({ lifts: [lift(), lift({ cell: [0, 1], digit: 7, seat: 1 })], seats: [] });
    expect([board.coachShows, board.lift]).toEqual(['review', null]);
    expect(board.visible).toEqual(end);
    expect(board.leftover).toEqual(end);
    board.hear({ fact: 'opened', seat: 0, cell: [4, 4], digit: 1, to_open: 8, next: 1 });
    expect(board.last).toBe(40);

    board.advice.review?.go(1);
    expect([board.lift, board.wanted, board.last]).toEqual([1, 5, null]);
    expect(board.visible).toEqual(rows({ '00': 5, '44': 1 }));
    expect(board.leftover).toEqual([]);
    expect(board.lit.get(1)).toBe('chosen');
    expect(board.status).toBe('Bo looks for a 5…');
    board.askAgain();
    expect(coach.asked).toHaveLength(2);
  });
});

describe('what was heard', () => {
  const found: Lifted = {
    fact: 'lifted',
    seat: 0,
    cell: [3, 6],
    digit: 5,
    wanted: 5,
    to: 0,
    next_wanted: null,
  };
  const between = viewOf({ wanted: null });

  test('the stone lifted last is marked, and what it showed is said until the next digit', () => {
    const { board } = boardOf({ yours: [1], view: between });
    board.hear(found);
    expect([board.last, board.status]).toEqual([33, 'Found: a 5!']);
    board.hear({ ...found, digit: 2 });
    for (const other of [
      { fact: 'retired', digit: 3 },
      { fact: 'time_spent', seat: 0, ms: 9 },
    ] as const)
      board.hear(other);
    expect(board.status).toBe('Missed: it was a 2.');
    board.hear({ fact: 'drew', seat: 0, digit: 4 });
    expect([board.last, board.status]).toEqual([33, 'One moment…']);
  });

  test('what somebody else found before is not said of whose turn it is now', () => {
    const { board } = boardOf({ yours: [1], view: { ...between, turn: 1 } });
    board.hear(found);
    expect(board.status).toBe('One moment…');
  });
});

describe('whoever looks on or shares a device', () => {
  test('a spectator sees the first seat first and may do nothing', () => {
    const { board, sent } = boardOf({ yours: [] });
    board.act(33);
    board.name(5);
    expect([board.self, board.order, board.acting, board.task, sent]).toEqual([null, [0, 1], null, null, []]);
  });

  test('oneself comes first, and the seat that may move is the one that moves', () => {
    const { board, sent } = boardOf({ yours: [1], view: viewOf({ turn: 1 }), moves: lifting(1) });
    expect(board.order).toEqual([1, 0]);
    board.act(80);
    expect(sent).toEqual([[1, { move: 'lift', cell: [8, 8] }]]);
  });

  test('of several seats on one device the one to move is the one on screen', () => {
    const { board, told } = boardOf({ yours: [0, 1], view: viewOf({ turn: 1 }) });
    expect(board.self).toBe(1);
    told.view = viewOf({ turn: null });
    expect(board.self).toBe(0);
  });
});

test('another position has another text, the same one the same', () => {
  const { board, told } = boardOf();
  const first = board.position;
  told.view = viewOf({ turn: 1, stones: [4, 4] });
  expect(board.position).toBe(first);
  for (const change of [{ wanted: 6 }, { phase: 'over' as const }, { visible: rows({ '00': 5 }) }]) {
    told.view = viewOf(change);
    expect(board.position).not.toBe(first);
  }
});
