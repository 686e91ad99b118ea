/** The lobby as it is now: told by the house whenever it changes, asked for again when the line breaks. */
import { lobbyAddress } from '../protocol/api';
import type { Lobby, TableCard } from '../protocol/wire';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

export class LiveLobby {
  tables = $state.raw<TableCard[] | null>(null);

  /** Listen, and give back what hangs up. */
  open(): () => void {
    let line: WebSocket | null = null;
    let wait = FIRST_WAIT;
    let retry: ReturnType<typeof setTimeout> | undefined;
    let closed = false;
    const dial = () => {
      line = new WebSocket(lobbyAddress());
      line.onmessage = ({ data }) => {
        wait = FIRST_WAIT;
        this.tables = (JSON.parse(String(data)) as Lobby).tables;
      };
      line.onclose = () => {
        if (closed) return;
        retry = setTimeout(dial, wait);
        wait = Math.min(2 * wait, LONGEST_WAIT);
      };
    };
    dial();
    return () => {
      closed = true;
      clearTimeout(retry);
      line?.close();
    };
  }
}
