/**
 * The wire to one table, without a DOM: it keeps the connection, the order of steps and the
 * commands nobody has answered yet. It knows no game and draws nothing.
 */
import type {
  Incoming,
  Outgoing,
  PeopleChanged,
  Reacted,
  CommandRefused,
  Said,
  StepMessage,
  Welcome,
} from './wire';

export type Connection = 'connecting' | 'open' | 'reconnecting' | 'stale' | 'gone';

type Commands = Extract<Incoming, { command_id: string }>;
/** A command as the page words it; the socket gives it its id. */
export type Ask = Commands extends infer C ? (C extends unknown ? Omit<C, 'command_id'> : never) : never;

export interface Line {
  readyState: number;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Listener {
  connection(state: Connection): void;
  welcome(event: Welcome): void;
  step(event: StepMessage): void;
  people(event: PeopleChanged): void;
  talk(event: Said | Reacted): void;
  refused(event: CommandRefused, command: Commands | null): void;
}

const OPEN = 1;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
const PING_EVERY = 10_000;
const PONG_WITHIN = 4000;
/** Close codes from 4400 on mean that coming back would not help: no such table, no right to it. */
const closesForGood = (code: number): boolean => code >= 4400 && code < 4500 && code !== 4429;

export class TableSocket {
  seq = 0;
  #state: Connection = 'connecting';
  #line: Line | null = null;
  #pending = new Map<string, Commands>();
  #welcomed = false;
  #wait = FIRST_WAIT;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pulse: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(
    private readonly dial: () => Line,
    private readonly listener: Listener,
    private readonly newId: () => string = randomId,
  ) {}

  open(): void {
    this.#closed = false;
    this.#dialNow();
  }

  close(): void {
    this.#closed = true;
    this.#hangUp();
  }

  /** Connect anew, to another address than before: what comes over the old line is heard no more. */
  redial(): void {
    if (!this.#closed && this.#state !== 'gone') this.#dialNow();
  }

  /** Send a command; it is sent again under the same id after a lost connection, until it is answered. */
  send(ask: Ask): string {
    const command = { ...ask, command_id: this.newId() } as Commands;
    this.#pending.set(command.command_id, command);
    if (this.#welcomed) this.#write(command);
    return command.command_id;
  }

  /** The network or the page came back, or may be gone: find out now rather than later. */
  probe(): void {
    if (this.#closed || this.#state === 'gone') return;
    if (this.#line?.readyState === OPEN) this.#ping();
    else this.#dialNow();
  }

  #dialNow(): void {
    this.#hangUp();
    const line = this.dial();
    this.#line = line;
    line.onmessage = (event) => this.#hear(String(event.data));
    line.onclose = (event) => this.#lost(event.code);
    // A connection that is never made is given up like one that falls silent.
    this.#pulse = setTimeout(() => this.#lost(1006), PONG_WITHIN);
  }

  #hangUp(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#pulse);
    this.#welcomed = false;
    const line = this.#line;
    this.#line = null;
    if (!line) return;
    line.onmessage = line.onclose = line.onopen = null;
    line.close();
  }

  #lost(code: number): void {
    this.#hangUp();
    if (this.#closed) return;
    if (closesForGood(code)) return this.#become('gone');
    this.#become(this.#state === 'connecting' ? 'connecting' : 'reconnecting');
    const wait = this.#wait * (0.75 + Math.random() / 2);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
    this.#retry = setTimeout(() => this.#dialNow(), wait);
  }

  #hear(text: string): void {
    clearTimeout(this.#pulse);
    this.#pulse = setTimeout(() => this.#ping(), PING_EVERY);
    const event = JSON.parse(text) as Outgoing;
    switch (event.type) {
      case 'welcome':
        return this.#greet(event);
      case 'step':
        return this.#follow(event);
      case 'people':
        return this.listener.people(event);
      case 'said':
      case 'reacted':
        return this.listener.talk(event);
      case 'accepted':
        this.#pending.delete(event.command_id);
        return;
      case 'refused':
        return this.#refuse(event);
      case 'pong':
        return;
    }
  }

  #greet(welcome: Welcome): void {
    this.seq = welcome.seq;
    this.#wait = FIRST_WAIT;
    this.listener.welcome(welcome);
    this.#become('open');
    if (this.#welcomed) return;
    this.#welcomed = true;
    for (const command of this.#pending.values()) this.#write(command);
  }

  /** Steps count up by one: what was seen is dropped, what was missed is asked for. */
  #follow(step: StepMessage): void {
    if (step.seq <= this.seq) return;
    if (step.seq > this.seq + 1) {
      if (this.#state === 'stale') return;
      this.#become('stale');
      return this.#write({ type: 'catch_up', have: this.seq });
    }
    this.seq = step.seq;
    this.listener.step(step);
    this.#become('open');
  }

  #refuse(refused: CommandRefused): void {
    const command = refused.command_id === null ? undefined : this.#pending.get(refused.command_id);
    if (refused.command_id !== null) this.#pending.delete(refused.command_id);
    this.listener.refused(refused, command ?? null);
  }

  #ping(): void {
    clearTimeout(this.#pulse);
    this.#write({ type: 'ping' });
    this.#pulse = setTimeout(() => this.#lost(1006), PONG_WITHIN);
  }

  #write(message: Incoming): void {
    if (this.#line?.readyState === OPEN) this.#line.send(JSON.stringify(message));
  }

  #become(state: Connection): void {
    if (state === this.#state) return;
    this.#state = state;
    this.listener.connection(state);
  }
}

/** `crypto.randomUUID` exists only over https; a house in the living room is often plain http. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
