/** The socket of a table's world: frames in, hands and aims out, and back again when the line breaks. */
import { readFrame, type Frame } from './frames';

const SEEN_EVERY = 6;
const AGAIN_MS = 800;
/** A state (carry, aim) is sent this often at most; the newest wins. */
const STATE_MS = 33;

export interface Hears {
  frame: (frame: Frame) => void;
  refused: (seat: number, clause: string, message: string) => void;
}

/** Where a hand and a catapult say what they do. */
export interface World {
  /** Do something at once. */
  act: (seat: number, input: unknown) => void;
  /** Say how something stands now; only the newest matters. */
  state: (seat: number, input: unknown) => void;
}

export class WorldSocket implements World {
  #socket: WebSocket | null = null;
  #closed = false;
  #frames = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What waits to be said, for each seat of this browser. */
  readonly #states = new Map<number, unknown>();
  #stateTimer: ReturnType<typeof setTimeout> | undefined;
  #stateAt = 0;

  constructor(
    readonly table: string,
    readonly hears: Hears,
  ) {
    this.#dial();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#stateTimer);
    this.#socket?.close();
  }

  /** Do something at once; a state that waits to be sent goes before it. */
  act(seat: number, input: unknown): void {
    this.#flush();
    this.#send({ type: 'do', seat, input });
  }

  /** Say how something stands now: where the hand is, how the catapult is aimed. */
  state(seat: number, input: unknown): void {
    this.#states.set(seat, input);
    const wait = this.#stateAt + STATE_MS - performance.now();
    if (wait <= 0) this.#flush();
    else this.#stateTimer ??= setTimeout(() => this.#flush(), wait);
  }

  #flush(): void {
    clearTimeout(this.#stateTimer);
    this.#stateTimer = undefined;
    if (!this.#states.size) return;
    this.#stateAt = performance.now();
    for (const [seat, input] of this.#states) this.#send({ type: 'do', seat, input });
    this.#states.clear();
  }

  #send(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #dial(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(
      `${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/world`,
    );
    socket.binaryType = 'arraybuffer';
    socket.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data === 'string') {
        const word = JSON.parse(data) as { seat: number; clause: string; message: string };
        this.hears.refused(word.seat, word.clause, word.message);
        return;
      }
      const frame = readFrame(data);
      if (!frame) return;
      this.hears.frame(frame);
      if (this.#frames++ % SEEN_EVERY === 0) this.#send({ type: 'seen', tick: frame.tick });
    };
    socket.onclose = () => {
      if (!this.#closed) this.#timer = setTimeout(() => this.#dial(), AGAIN_MS);
    };
    this.#socket = socket;
  }
}
