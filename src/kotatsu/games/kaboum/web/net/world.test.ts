/** The socket of a world: the newest state goes out and not too often, acts at once, and it comes back when lost. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHUNK, FRAME, HEADER_SIZE, NO_PIECE } from '../constants';
import type { Frame } from './frames';
import { WorldSocket } from './world';

class FakeSocket {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readyState = 1;
  binaryType = '';
  sent: unknown[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  constructor(readonly address: string) {
    FakeSocket.made.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

let world: WorldSocket;
let frames: Frame[];
let refused: unknown[];
const socket = () => FakeSocket.made.at(-1) ?? new FakeSocket('');
const inputs = () =>
  socket()
    .sent.filter((message) => (message as { type: string }).type === 'do')
    .map((message) => (message as { input: unknown }).input);

beforeEach(() => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(1000);
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.stubGlobal('location', { protocol: 'https:', host: 'example.test' });
  FakeSocket.made = [];
  [frames, refused] = [[], []];
  world = new WorldSocket('a b', {
    frame: (frame) => frames.push(frame),
    refused: (...word) => refused.push(word),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function header(tick: number): ArrayBuffer {
  const bytes = new DataView(new ArrayBuffer(HEADER_SIZE));
  bytes.setUint8(0, FRAME);
  bytes.setUint8(1, NO_PIECE);
  bytes.setUint32(4, tick, true);
  return bytes.buffer;
}

describe('WorldSocket', () => {
  it('dials the world of its table', () => {
    expect(socket().address).toBe('wss://example.test/api/tables/a%20b/world');
    expect(socket().binaryType).toBe('arraybuffer');
  });

  it('sends the first state at once, then only the newest', () => {
    world.state(0, 'a');
    expect(inputs()).toEqual(['a']);
    for (const state of ['b', 'c', 'd']) world.state(0, state);
    expect(inputs()).toEqual(['a']);
    vi.advanceTimersByTime(40);
    expect(inputs()).toEqual(['a', 'd']);
    vi.advanceTimersByTime(400);
    expect(inputs()).toEqual(['a', 'd']);
  });

  it('keeps the states of two seats apart', () => {
    world.state(0, 'a');
    world.state(0, 'b');
    world.state(1, 'c');
    vi.advanceTimersByTime(40);
    expect(inputs()).toEqual(['a', 'b', 'c']);
  });

  it('sends a state that waits before what is done', () => {
    world.state(0, 'a');
    world.state(0, 'b');
    world.act(0, 'release');
    expect(inputs()).toEqual(['a', 'b', 'release']);
    vi.advanceTimersByTime(400);
    expect(inputs()).toHaveLength(3);
  });

  it('passes frames on, and says now and then how far it has seen', () => {
    for (let tick = 0; tick < 24; tick += 2) socket().onmessage?.({ data: header(tick) });
    expect(frames.map(({ tick }) => tick)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22]);
    expect(socket().sent).toEqual([
      { type: 'seen', tick: 0 },
      { type: 'seen', tick: 12 },
    ]);
  });

  it('passes over what is no frame', () => {
    socket().onmessage?.({ data: new ArrayBuffer(HEADER_SIZE + CHUNK - 1) });
    expect(frames).toEqual([]);
  });

  it('says what was refused', () => {
    socket().onmessage?.({ data: '{"type":"refused","seat":1,"clause":"KA-31","message":"Wait."}' });
    expect(refused).toEqual([[1, 'KA-31', 'Wait.']]);
  });

  it('says nothing to a line that is down, and dials again', () => {
    socket().close();
    world.act(0, 'grab');
    expect(inputs()).toEqual([]);
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.made).toHaveLength(2);
    world.act(0, 'grab');
    expect(inputs()).toEqual(['grab']);
  });

  it('does not come back once it is closed', () => {
    world.state(0, 'a');
    world.state(0, 'b');
    world.close();
    vi.advanceTimersByTime(5000);
    expect(FakeSocket.made).toHaveLength(1);
    expect(inputs()).toEqual(['a']);
  });
});
