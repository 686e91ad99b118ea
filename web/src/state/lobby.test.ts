import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Lobby, TableCard } from '../protocol/wire';
import { LiveLobby } from './lobby.svelte';
import { fakePage, table } from './testing';

let page: ReturnType<typeof fakePage>;

beforeEach(() => {
  vi.useFakeTimers();
  page = fakePage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const card = (id: string): TableCard => ({
  table: table({ id }),
  yours: [],
  host: false,
  created: 0,
  updated: 0,
});
const tell = (...ids: string[]) => {
  const lobby: Lobby = { tables: ids.map(card) };
  page.line().onmessage?.({ data: JSON.stringify(lobby) });
};
const known = (lobby: LiveLobby) => lobby.tables?.map((each) => each.table.id);

test('the lobby is unknown until it is told, and then what was told last', () => {
  const lobby = new LiveLobby();
  lobby.open();
  expect(page.line().address).toBe('ws://house.test/api/lobby/socket');
  expect(lobby.tables).toBeNull();
  tell('a', 'b');
  expect(known(lobby)).toEqual(['a', 'b']);
  tell();
  expect(known(lobby)).toEqual([]);
});

test('a broken line is dialled again ever more slowly, and what was known stays', () => {
  const lobby = new LiveLobby();
  lobby.open();
  tell('a');
  for (const wait of [500, 1000, 2000, 4000, 8000, 15_000, 15_000]) {
    const dialled = page.lines.length;
    page.line().drop();
    vi.advanceTimersByTime(wait - 1);
    expect(page.lines).toHaveLength(dialled);
    vi.advanceTimersByTime(1);
    expect(page.lines).toHaveLength(dialled + 1);
  }
  expect(known(lobby)).toEqual(['a']);
});

test('once something is heard again, the next break is mended quickly', () => {
  new LiveLobby().open();
  page.line().drop();
  vi.advanceTimersByTime(500);
  page.line().drop();
  vi.advanceTimersByTime(1000);
  tell('a');
  page.line().drop();
  vi.advanceTimersByTime(500);
  expect(page.lines).toHaveLength(4);
});

test('whoever leaves the lobby hangs up and does not come back', () => {
  const close = new LiveLobby().open();
  close();
  expect(page.line().closed).toBe(true);
  page.line().drop();
  vi.advanceTimersByTime(60_000);
  expect(page.lines).toHaveLength(1);
});

test('leaving while the line is broken ends the attempts', () => {
  const close = new LiveLobby().open();
  page.line().drop();
  close();
  vi.advanceTimersByTime(60_000);
  expect(page.lines).toHaveLength(1);
});
