import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TableSocket } from './socket';
import { FakeLine } from './testing';
import type { StepMessage, Welcome } from './wire';

function connect() {
  const lines: FakeLine[] = [];
  const heard: unknown[] = [];
  let ids = 0;
  const socket = new TableSocket(
    () => lines[lines.push(new FakeLine()) - 1]!,
    {
      connection: (state) => heard.push(state),
      welcome: ({ seq }) => heard.push(`welcome ${seq}`),
      step: ({ seq }) => heard.push(`step ${seq}`),
      people: () => heard.push('people'),
      talk: (event) => heard.push(event.type),
      refused: ({ code }, command) => heard.push(`refused ${code} ${command?.type}`),
    },
    () => `c${(ids += 1)}`,
  );
  socket.open();
  return { socket, lines, heard, line: () => lines.at(-1)! };
}

const welcome = (seq: number): Partial<Welcome> => ({ type: 'welcome', seq });
const step = (seq: number): Partial<StepMessage> => ({ type: 'step', seq });
const sit = { type: 'sit', seat: 2 } as const;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('steps are handed on in order, and those seen before are dropped', () => {
  const { line, heard } = connect();
  line().say(welcome(3));
  for (const seq of [4, 3, 4, 5]) line().say(step(seq));
  expect(heard).toEqual(['welcome 3', 'open', 'step 4', 'step 5']);
});

test('a gap is asked for once, shown as catching up, and closed by what was missing', () => {
  const { line, heard } = connect();
  line().say(welcome(3));
  line().say(step(6));
  line().say(step(7));
  expect(line().sent).toEqual([{ type: 'catch_up', have: 3 }]);
  for (const seq of [4, 5, 6, 7]) line().say(step(seq));
  expect(heard).toEqual(['welcome 3', 'open', 'stale', 'step 4', 'open', 'step 5', 'step 6', 'step 7']);
});

test('a gap can be answered by a fresh start', () => {
  const { line, heard } = connect();
  line().say(welcome(3));
  line().say(step(90));
  line().say(welcome(90));
  expect(heard.slice(-2)).toEqual(['welcome 90', 'open']);
});

test('a command waits for the welcome and is sent again under its id until it is answered', () => {
  const { socket, lines, line } = connect();
  socket.send(sit);
  expect(line().sent).toEqual([]);
  line().say(welcome(0));
  expect(line().sent).toEqual([{ ...sit, command_id: 'c1' }]);

  line().drop();
  vi.advanceTimersByTime(1000);
  line().say(welcome(0));
  expect(lines).toHaveLength(2);
  expect(line().sent).toEqual([{ ...sit, command_id: 'c1' }]);

  line().say({ type: 'accepted', command_id: 'c1', seq: 0 });
  line().drop();
  vi.advanceTimersByTime(1000);
  line().say(welcome(0));
  expect(line().sent).toEqual([]);
});

test('a refusal comes with the command it refuses, which is not sent again', () => {
  const { socket, line, heard } = connect();
  line().say(welcome(0));
  socket.send(sit);
  line().say({ type: 'refused', code: 'seat_taken', message: '', command_id: 'c1', clause: null });
  line().drop();
  vi.advanceTimersByTime(1000);
  line().say(welcome(0));
  expect(heard).toContain('refused seat_taken sit');
  expect(line().sent).toEqual([]);
});

test('a lost connection is said to be lost, and dialled again ever more slowly', () => {
  const { lines, line, heard } = connect();
  line().say(welcome(0));
  const waits: number[] = [];
  for (let turn = 0; turn < 7; turn += 1) {
    line().drop();
    const before = lines.length;
    let waited = 0;
    for (; lines.length === before; waited += 50) vi.advanceTimersByTime(50);
    waits.push(waited);
  }
  expect(heard).toEqual(['welcome 0', 'open', 'reconnecting']);
  expect(waits[0]).toBeLessThan(400);
  expect(waits.at(-1)).toBeGreaterThan(2900);
  expect(Math.max(...waits)).toBeLessThan(5100);
});

test('before the first welcome the page says that it is connecting, not that it lost anything', () => {
  const { line, heard } = connect();
  line().drop();
  vi.advanceTimersByTime(1000);
  line().say(welcome(0));
  expect(heard).toEqual(['welcome 0', 'open']);
});

test('a silent line is asked for a sign of life and given up without one', () => {
  const { lines, line, heard } = connect();
  line().say(welcome(0));
  vi.advanceTimersByTime(10_000);
  expect(line().sent).toEqual([{ type: 'ping' }]);
  line().say({ type: 'pong' });
  vi.advanceTimersByTime(10_000);
  expect(line().sent).toHaveLength(2);
  vi.advanceTimersByTime(4000);
  expect(lines[0]!.closed).toBe(true);
  expect(heard.at(-1)).toBe('reconnecting');
});

test('a line that never opens is given up', () => {
  const { lines } = connect();
  vi.advanceTimersByTime(6000);
  expect(lines.length).toBeGreaterThan(1);
});

test.each([
  [4404, 'gone'],
  [4429, 'reconnecting'],
  [1012, 'reconnecting'],
])('closed with %i means %s', (code, state) => {
  const { line, heard } = connect();
  line().say(welcome(0));
  line().drop(code);
  expect(heard.at(-1)).toBe(state);
});

test('closing is final', () => {
  const { socket, lines } = connect();
  socket.close();
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(1);
  expect(lines[0]!.closed).toBe(true);
});

test('after dialling anew only the new line is heard, from its welcome on', () => {
  const { socket, lines, heard } = connect();
  const [old] = lines;
  old!.say(welcome(3));
  socket.redial();
  old!.say(step(4));
  lines[1]!.say(welcome(3));
  lines[1]!.say(step(4));
  expect(old!.closed).toBe(true);
  expect(heard).toEqual(['welcome 3', 'open', 'welcome 3', 'step 4']);
});
