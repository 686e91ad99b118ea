/** What those at this browser may do now, as the view and the moves of the server say it. No rules. */
import { fill } from '$web/i18n/i18n.svelte';
import type { SeatMoves } from '$web/protocol/wire';
import type { KaboumView } from '../wire';
import type { Words } from '../words';

export interface Situation {
  view: KaboumView;
  /** The game is being played; else it is gathering, or over. */
  playing: boolean;
  /** A finished game is seen again. */
  again: boolean;
  yours: readonly number[];
  moves: readonly SeatMoves[];
}

export interface Roles {
  /** Played here and now: hands and catapults do something. */
  live: boolean;
  /** The hourglass runs. */
  running: boolean;
  /** The seat of this browser that builds now. */
  builder: number | null;
  /** The seat of this browser that shoots now. On a shared device the builder has the mouse and it the keyboard. */
  shooter: number | null;
  /** Builder and saboteur share this device. */
  shared: boolean;
  mayFlip: number | null;
  mayStrike: number | null;
  /** The small dice the shooter has left, and whether it has the large one. */
  small: number;
  large: boolean;
  /** The turn that can be seen again at the table. */
  lastTurn: number | null;
}

export function rolesOf({ view, playing, again, yours, moves }: Situation): Roles {
  const live = playing && !again;
  const running = view.phase === 'running';
  const builder = live && running && yours.includes(view.builder) ? view.builder : null;
  const shooter = live && running ? (yours.find((seat) => seat !== view.builder) ?? null) : null;
  const mayFlip =
    view.phase === 'ready' ? (moves.find(({ seat }) => seat === view.builder)?.seat ?? null) : null;
  return {
    live,
    running,
    builder,
    shooter,
    shared: builder !== null && shooter !== null,
    mayFlip,
    mayStrike: live && view.striker !== null && yours.includes(view.striker) ? view.striker : null,
    small: shooter === null ? 0 : (view.ammo[shooter] ?? 0),
    large: shooter !== null && view.big_die === shooter && view.big_left,
    lastTurn: !again && !running && view.turn > 0 ? view.turn : null,
  };
}

/** What is to be done, in a sentence. */
export function statusOf(roles: Roles, view: KaboumView, names: readonly string[], words: Words): string {
  const name = names[view.builder] ?? '';
  if (view.phase === 'over') return words.phase.over;
  if (view.phase === 'ready')
    return roles.mayFlip !== null ? words.phase.flipYou : fill(words.phase.flipOther, { name });
  if (roles.shared) return words.phase.both;
  if (roles.builder !== null) return words.phase.build;
  return roles.shooter !== null ? words.phase.shoot : fill(words.phase.watch, { name });
}

/** How it is done. */
export function hintOf({ shared, builder, shooter }: Roles, { hints }: Words): string {
  if (shared) return hints.both;
  if (builder !== null) return hints.build;
  return shooter !== null ? hints.shoot : '';
}

/** Saboteurs begin on the far side of the rail, spread along it. */
export function startOf(seat: number, builder: number, players: number): number {
  const others = Array.from({ length: players }, (_, each) => each).filter((each) => each !== builder);
  return 0.52 + (0.2 * (others.indexOf(seat) + 0.5)) / Math.max(1, others.length);
}
