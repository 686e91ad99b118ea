/** The HTTP half of the house. Every failure is a `HouseProblem` with a code and a sentence. */
import type {
  BlockedPerson,
  DeviceCode,
  GameInfo,
  History,
  Introduction,
  Me,
  NewTable,
  Problem,
  Replay,
  TableCard,
} from './wire';

export class HouseProblem extends Error {
  constructor(
    readonly code: Problem['code'] | 'unreachable',
    message: string,
  ) {
    super(message);
  }
}

export async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, headers: { 'content-type': 'application/json' } });
  } catch {
    throw new HouseProblem('unreachable', 'The house cannot be reached.');
  }
  if (answer.ok) return (await answer.json()) as T;
  const problem = (await answer.json().catch(() => null)) as Problem | null;
  throw new HouseProblem(problem?.code ?? 'internal', problem?.message ?? answer.statusText);
}

const body = (method: string, value: unknown): RequestInit => ({ method, body: JSON.stringify(value) });

export const api = {
  games: () => ask<GameInfo[]>('/api/games'),
  me: () => ask<Me>('/api/me'),
  introduce: (me: Introduction) => ask<Me>('/api/me', body('PUT', me)),
  forgetMe: () => ask<Me>('/api/me', { method: 'DELETE' }),
  code: () => ask<DeviceCode>('/api/me/code', { method: 'POST' }),
  claim: (code: string) => ask<Me>('/api/me/claim', body('POST', { code })),
  history: () => ask<History>('/api/me/history'),
  blocks: () => ask<BlockedPerson[]>('/api/me/blocks'),
  unblock: (number: number) => ask<BlockedPerson[]>(`/api/me/blocks/${number}`, { method: 'DELETE' }),
  tables: () => ask<TableCard[]>('/api/tables'),
  table: (id: string) => ask<TableCard>(`/api/tables/${encodeURIComponent(id)}`),
  rematch: (id: string) =>
    ask<TableCard>(`/api/tables/${encodeURIComponent(id)}/rematch`, { method: 'POST' }),
  replay: (id: string, viewpoint: number | null) =>
    ask<Replay>(
      `/api/tables/${encodeURIComponent(id)}/replay${viewpoint === null ? '' : `?viewpoint=${viewpoint}`}`,
    ),
  newTable: (table: NewTable) => ask<TableCard>('/api/tables', body('POST', table)),
};

export const recordAddress = (id: string): string => `/api/tables/${encodeURIComponent(id)}/record`;

function socketTo(path: string): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${path}`;
}

/** How a table is looked at: with a view for each step, through which of one's seats, or as a spectator does. */
export interface Sight {
  views: boolean;
  seat: number | null;
  spectator: boolean;
}

export function socketAddress(id: string, { views, seat, spectator }: Sight): string {
  const query = new URLSearchParams({
    ...(views && { views: '1' }),
    ...(seat !== null && { seat: String(seat) }),
    ...(spectator && { as: 'spectator' }),
  });
  return socketTo(`/api/tables/${encodeURIComponent(id)}/socket?${query}`);
}

export const lobbyAddress = (): string => socketTo('/api/lobby/socket');
