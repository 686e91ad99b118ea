/** A line to a server that tests speak for. */
import type { Line } from './socket';
import type { Outgoing } from './wire';

export class FakeLine implements Line {
  readyState = 1;
  sent: unknown[] = [];
  closed = false;
  onopen: Line['onopen'] = null;
  onmessage: Line['onmessage'] = null;
  onclose: Line['onclose'] = null;

  constructor(readonly address = '') {}

  send = (text: string): void => void this.sent.push(JSON.parse(text));
  close = (): void => void (this.closed = true);
  /** What the server says. */
  say = (event: Partial<Outgoing>): void => this.onmessage?.({ data: JSON.stringify(event) });
  /** The line breaks. */
  drop = (code = 1006): void => this.onclose?.({ code, reason: '' });
}
