import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { language, t } from '../i18n/i18n.svelte';
import type { PeopleChanged, SeatMoves, StepMessage, Waiting, Welcome } from '../protocol/wire';
import { LiveTable } from './table.svelte';
import { counting, fakePage, person, table as tableInfo, type Count, type Counted } from './testing';

let page: ReturnType<typeof fakePage>;

beforeEach(() => {
  language.lang = 'en';
  vi.useFakeTimers();
  page = fakePage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const waiting = (acting: number[], moves: SeatMoves[] = [], left: number | null = null): Waiting => ({
  acting,
  moves,
  deadline: null,
  left,
});
const mine = (seat = 0): SeatMoves => ({ seat, moves: [{ add: 1 }, { add: 2 }] });
const welcome = (change: Partial<Welcome> = {}): Partial<Welcome> => ({
  type: 'welcome',
  table: tableInfo(),
  yours: [0],
  host: true,
  seq: 4,
  view: { sum: 0, turn: 0 },
  waiting: waiting([0], [mine()]),
  receipt: null,
  ...change,
});
const step = (seq: number, facts: Counted[], change: Partial<StepMessage> = {}): Partial<StepMessage> => ({
  type: 'step',
  seq,
  facts,
  waiting: waiting([1]),
  view: null,
  receipt: null,
  ...change,
});

function open(
  manner: ConstructorParameters<typeof LiveTable>[2] = {},
  screen: typeof counting | null = counting,
) {
  const table = new LiveTable('t', screen, manner);
  const close = table.open();
  return { table, close };
}

function seated(change: Partial<Welcome> = {}, manner: ConstructorParameters<typeof LiveTable>[2] = {}) {
  const opened = open(manner);
  page.line().say(welcome(change));
  return opened;
}

const sum = (table: LiveTable) => (table.view as Count | null)?.sum;
const settled = () => vi.advanceTimersByTimeAsync(5000);

describe('a welcome', () => {
  test('says who sits where, what lies there and what may be done', () => {
    const { table } = seated();
    expect([table.connection, table.host, table.yours, table.names]).toEqual([
      'open',
      true,
      [0],
      ['Ana', 'Bo'],
    ]);
    expect([table.view, table.acting, table.moves]).toEqual([{ sum: 0, turn: 0 }, [0], [mine()]]);
    expect([table.outcome, table.due, table.log]).toEqual([null, null, []]);
  });

  test('starts the clock when it is heard', () => {
    const { table } = seated({ waiting: waiting([0], [mine()], 8) });
    expect(table.due).toBe(performance.now() + 8000);
  });

  test('seats without a move are not offered', () => {
    const { table } = seated({ waiting: waiting([0], [{ seat: 0, moves: [] }]) });
    expect(table.moves).toEqual([]);
  });

  test('in the middle of a step ends it: what was on its way has happened', async () => {
    const { table } = seated();
    page.line().say(step(5, [{ add: 1 }, { add: 1 }, { add: 1 }]));
    page.line().say(welcome({ seq: 9, view: { sum: 7, turn: 1 }, waiting: waiting([1]) }));
    await settled();
    expect([sum(table), table.acting]).toEqual([7, [1]]);
  });
});

describe('a step', () => {
  test('is shown fact by fact, and moves are offered when all are shown', async () => {
    const { table } = seated();
    const next = waiting([0], [mine()], 3);
    const heard = performance.now();
    page.line().say(step(5, [{ add: 1 }, { add: 2 }], { waiting: next }));
    expect(table.moves).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(sum(table)).toBe(1);
    await vi.advanceTimersByTimeAsync(60);
    expect([sum(table), table.moves]).toEqual([3, []]);
    await settled();
    expect([table.view, table.moves]).toEqual([{ sum: 3, turn: 0 }, [mine()]]);
    expect(table.due).toBe(heard + 3000); // counted from when it was heard, not from when it was shown
  });

  test('waits for those before it', async () => {
    const { table } = seated();
    page.line().say(step(5, [{ add: 1 }]));
    page.line().say(step(6, [{ add: 4 }]));
    await vi.advanceTimersByTimeAsync(0);
    expect(sum(table)).toBe(1);
    await settled();
    expect(sum(table)).toBe(5);
  });

  test('is told in the log, except for what is not to be kept', async () => {
    const { table } = seated();
    page.line().say(step(5, [{ add: 1 }, { secret: 3 }, { add: 2 }]));
    await settled();
    expect(sum(table)).toBe(6);
    expect(table.log.map(({ text }) => text)).toEqual(['you add 1', 'you add 2']);
    expect(table.facts.map(({ fact }) => fact)).toEqual([{ add: 1 }, { add: 2 }]);
  });

  test('the log does not grow for ever', async () => {
    const { table } = seated();
    page.line().say(
      step(
        5,
        Array.from({ length: 230 }, () => ({ add: 0 })),
      ),
    );
    await vi.advanceTimersByTimeAsync(60_000);
    expect(table.log).toHaveLength(200);
    expect(table.log.at(-1)?.id).toBe(229);
  });

  test('passes the board’s director, which measures before the fact and moves after it', async () => {
    const { table } = seated();
    const seen: unknown[] = [];
    const leave = table.direct((fact) => {
      seen.push(['before', fact, sum(table)]);
      return async () => void seen.push(['after', sum(table)]);
    });
    page.line().say(step(5, [{ add: 2 }]));
    await settled();
    expect(seen).toEqual([
      ['before', { add: 2 }, 0],
      ['after', 2],
    ]);
    leave();
    page.line().say(step(6, [{ add: 2 }]));
    await settled();
    expect(seen).toHaveLength(2);
  });

  test('an older director that leaves late does not take the present one away', async () => {
    const { table } = seated();
    const leave = table.direct(() => undefined);
    const present = vi.fn(() => undefined);
    table.direct(present);
    leave();
    page.line().say(step(5, [{ add: 2 }]));
    await settled();
    expect(present).toHaveBeenCalledOnce();
  });

  test('that ends the game gives the outcome once it is shown', async () => {
    const { table } = seated();
    page.line().say(step(5, [{ add: 10 }], { waiting: null }));
    await vi.advanceTimersByTimeAsync(0);
    expect([sum(table), table.outcome]).toEqual([10, null]);
    await settled();
    expect(table.outcome).toMatchObject({ winners: [0] });
    expect(table.info?.status).toBe('over');
  });

  test('the latest ruling stays until there is another', async () => {
    const { table } = seated();
    const receipt = { seq: 5, seat: 1, decided_by: 'alone', margin_ms: 0, presses: [] } as const;
    page.line().say(step(5, [], { receipt: { ...receipt, presses: [] } }));
    page.line().say(step(6, []));
    await settled();
    expect(table.receipt).toEqual(receipt);
  });
});

describe('a move', () => {
  test('is sent with what had been shown, and nothing is offered until it is answered', async () => {
    const { table } = seated();
    table.play(0, { add: 2 });
    expect(page.line().sent).toEqual([
      { type: 'play', seat: 0, seen: 4, move: { add: 2 }, command_id: expect.any(String) },
    ]);
    expect(table.moves).toEqual([]);
    page.line().say(step(5, [{ add: 2 }], { waiting: waiting([0], [mine()]) }));
    await settled();
    expect(table.moves).toEqual([mine()]);
    table.play(0, { add: 1 });
    expect(page.line().sent[1]).toMatchObject({ seen: 5 });
  });

  test.each([
    ['by its clause, in the game’s words', 'illegal', 'C-1', 'Too much.'],
    ['by its code, in the house’s words', 'stale', null, t('refused.stale')],
    ['in the server’s own words where there are none', 'illegal', 'C-99', 'the server says no'],
  ] as const)('that is refused is explained %s, and can be made again', (_, code, clause, words) => {
    const { table } = seated();
    table.play(0, { add: 99 });
    const { command_id } = page.line().sent[0] as { command_id: string };
    page.line().say({ type: 'refused', code, clause, message: 'the server says no', command_id });
    expect(table.notice).toBe(words);
    expect(table.moves).toEqual([mine()]);
    table.play(0, { add: 1 });
    expect(table.notice).toBe('');
  });

  test('a refusal follows the language', () => {
    const { table } = seated();
    language.lang = 'fr';
    page.line().say({ type: 'refused', code: 'illegal', clause: 'C-1', message: '', command_id: null });
    expect(table.notice).toBe('Trop.');
  });

  test('is not offered while the connection is lost', () => {
    const { table } = seated();
    page.line().drop();
    expect([table.connection, table.moves]).toEqual(['reconnecting', []]);
  });
});

describe('people', () => {
  const people = (change: Partial<PeopleChanged>): Partial<PeopleChanged> => ({
    type: 'people',
    table: tableInfo(),
    yours: [0],
    host: true,
    ...change,
  });

  test('a seat that a bot keeps for us is remembered as lent until we have it back', () => {
    const { table } = seated({ yours: [0] });
    const seats = [person({ kind: 'bot', name: 'Ana', stands_in: true }), person({ name: 'Bo' })];
    page.line().say(people({ table: tableInfo({ seats }), yours: [] }));
    expect([table.yours, table.lent]).toEqual([[], [0]]);
    page.line().say(people({}));
    expect([table.yours, table.lent]).toEqual([[0], []]);
  });

  test('a bot on a seat that was never ours is none of our business', () => {
    const { table } = seated({ yours: [0] });
    const seats = [person({ name: 'Ana' }), person({ kind: 'bot', stands_in: true })];
    page.line().say(people({ table: tableInfo({ seats }) }));
    expect(table.lent).toEqual([]);
  });

  test('when we heard of them is known', async () => {
    const { table } = seated();
    await vi.advanceTimersByTimeAsync(1000);
    page.line().say(people({ host: false }));
    expect([table.heardAt, table.host]).toEqual([performance.now(), false]);
  });
});

describe('several people with secrets on one device', () => {
  const shared = { yours: [0, 1], waiting: waiting([1], [mine(1)]) };
  const secretive = { secretive: true };

  test('nothing is offered before somebody says that they look', () => {
    const { table } = seated(shared, secretive);
    expect([table.shared, table.played, table.moves, table.handTo]).toEqual([true, [], [], 1]);
  });

  test('whoever looks is asked for anew, and what the last one was told is gone', async () => {
    const { table } = seated(shared, secretive);
    page.line().say(step(5, [{ add: 1 }], { waiting: waiting([1], [mine(1)]) }));
    await settled();
    table.lookAs(1);
    expect(page.lines).toHaveLength(2);
    expect(page.line().address).toContain('seat=1');
    expect([table.view, table.waiting, table.facts, table.moves]).toEqual([null, null, [], []]);
    page.line().say(welcome(shared));
    expect([table.played, table.moves, table.handTo]).toEqual([[1], [mine(1)], null]);
  });

  test('the device is handed on when another of its players may move', () => {
    const { table } = seated(shared, secretive);
    table.lookAs(1);
    page.line().say(welcome({ ...shared, waiting: waiting([0], [mine(0)]) }));
    expect([table.moves, table.handTo]).toEqual([[], 0]);
  });

  test('a seat that is no longer ours is not looked through', () => {
    const { table } = seated(shared, secretive);
    table.lookAs(1);
    page.line().say(welcome({ ...shared, yours: [0] }));
    expect([table.viewpoint, table.shared, table.played]).toEqual([null, false, [0]]);
  });

  test('without secrets every seat is played at once', () => {
    const { table } = seated({ ...shared, waiting: waiting([0, 1], [mine(0), mine(1)]) });
    expect([table.shared, table.played, table.handTo]).toEqual([false, [0, 1], null]);
    expect(table.moves.map(({ seat }) => seat)).toEqual([0, 1]);
  });
});

describe('how a table is looked at', () => {
  test('a player looks as themselves, folding the facts', () => {
    open();
    expect(page.line().address).toBe('ws://house.test/api/tables/t/socket?');
  });

  test('a television looks as a spectator does', () => {
    open({ spectator: true });
    expect(page.line().address).toBe('ws://house.test/api/tables/t/socket?as=spectator');
  });

  test('a browser without a screen for the game asks for views, and finds the outcome in them', async () => {
    const { table } = open({}, null);
    expect(page.line().address).toContain('views=1');
    page.line().say(welcome());
    page.line().say(step(5, [{ add: 3 }], { view: { sum: 3, scores: [3, 0], winners: [0] } }));
    await settled();
    expect(sum(table)).toBe(3);
    expect(table.log.map(({ text }) => text)).toEqual([expect.stringContaining('add 3')]);
    expect(table.outcome).toEqual({ scores: [3, 0], winners: [0], breakdown: [] });
  });
});

describe('talk', () => {
  const said = (number: number) =>
    ({ type: 'said', number, at: 0, name: 'Bo', text: 'hello', seat: 1, yours: false }) as const;

  test('is heard once, in order', () => {
    const { table } = seated();
    for (const number of [1, 2, 2, 1, 3]) page.line().say(said(number));
    expect(table.sayings.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  test('a sign vanishes after a while', () => {
    const { table } = seated();
    const sign = { type: 'reacted', reaction: 'bravo', name: 'Bo', seat: 1, yours: false } as const;
    page.line().say(sign);
    vi.advanceTimersByTime(2000);
    page.line().say(sign);
    expect(new Set(table.reactions.map(({ id }) => id)).size).toBe(2);
    vi.advanceTimersByTime(2000);
    expect(table.reactions).toHaveLength(1);
    vi.advanceTimersByTime(2000);
    expect(table.reactions).toEqual([]);
  });
});

describe('the line', () => {
  test('is tried when the network or the page comes back, and left alone once the table is closed', () => {
    const { close } = seated();
    page.happen('online');
    page.happen('visibilitychange');
    expect(page.line().sent).toEqual([{ type: 'ping' }, { type: 'ping' }]);
    close();
    expect(page.line().closed).toBe(true);
    page.happen('online');
    expect(page.lines).toHaveLength(1);
  });

  test('a table that is closed shows nothing more of what was on its way', async () => {
    const { table, close } = seated();
    page.line().say(step(5, [{ add: 1 }, { add: 1 }]));
    await vi.advanceTimersByTimeAsync(0);
    close();
    await settled();
    expect(sum(table)).toBe(1);
  });

  test('a table that is gone says so', () => {
    const { table } = open();
    page.line().drop(4404);
    expect(table.connection).toBe('gone');
  });
});
