/** The HTTP half of the house. Every failure is a `HouseProblem` with a code and a sentence. */
import type { GameInfo, Me, NewTable, Problem, TableCard } from './wire';

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
  rename: (name: string) => ask<Me>('/api/me', body('PUT', { name })),
  tables: () => ask<TableCard[]>('/api/tables'),
  table: (id: string) => ask<TableCard>(`/api/tables/${encodeURIComponent(id)}`),
  newTable: (table: NewTable) => ask<TableCard>('/api/tables', body('POST', table)),
};

export const recordAddress = (id: string): string => `/api/tables/${encodeURIComponent(id)}/record`;

export function socketAddress(id: string, views: boolean): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const path = `/api/tables/${encodeURIComponent(id)}/socket`;
  return `${scheme}://${location.host}${path}${views ? '?views=1' : ''}`;
}
