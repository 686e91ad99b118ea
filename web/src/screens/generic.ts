/** Any game in plain words: what a screen of its own would draw, said with the names its data has. */
import { t } from '../i18n/i18n.svelte';
import type { Outcome } from './screens';

type Dict = Record<string, unknown>;

export function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const words = (name: string): string => name.replaceAll('_', ' ');

/** A value that fits on one line; longer ones are drawn as lists. */
export function brief(value: unknown): string | null {
  if (value === null || value === undefined) return t('generic.nothing');
  if (typeof value === 'boolean') return t(value ? 'generic.yes' : 'generic.no');
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return words(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return t('generic.nothing');
    const parts = value.map((item) => (typeof item === 'object' ? null : brief(item)));
    return parts.every((part) => part !== null) ? parts.join(', ') : null;
  }
  const entries = Object.entries(value as Dict).map(([key, item]) => {
    const text = typeof item === 'object' && item !== null ? null : brief(item);
    return text === null ? null : `${words(key)} ${text}`;
  });
  return entries.length <= 3 && entries.every((entry) => entry !== null) ? entries.join(', ') : null;
}

function inline(value: unknown): string {
  const short = brief(value);
  if (short !== null) return short;
  if (Array.isArray(value)) return value.map(inline).join('; ');
  return Object.entries(value as Dict)
    .map(([key, item]) => `${words(key)} ${inline(item)}`)
    .join(', ');
}

/** `{"move": "bid", "amount": 3}` as `bid: amount 3`. */
export function moveWords(move: unknown): string {
  return tagged(move, 'move');
}

export function tellPlainly(fact: unknown, names: readonly string[]): string | null {
  if (!isDict(fact)) return null;
  const { seat, ...rest } = fact;
  const who = typeof seat === 'number' ? `${names[seat] ?? seat + 1}: ` : '';
  return who + tagged(rest, 'fact');
}

function tagged(value: unknown, tag: string): string {
  if (!isDict(value)) return inline(value);
  const { [tag]: kind, ...rest } = value;
  const details = Object.entries(rest).map(([key, item]) => `${words(key)} ${inline(item)}`);
  return [words(String(kind)), details.join(', ')].filter((part) => part !== '').join(': ');
}

/** Games tell how they ended in their last fact or in their view; both are looked at. */
export function genericOutcome(view: unknown, lastFact: unknown): Outcome | null {
  const candidates = [lastFact, view, ...(isDict(view) ? Object.values(view) : [])];
  for (const candidate of candidates) {
    if (isDict(candidate) && Array.isArray(candidate.scores) && Array.isArray(candidate.winners)) {
      const { scores, winners, breakdown } = candidate;
      return { scores, winners, breakdown: Array.isArray(breakdown) ? breakdown : [] };
    }
  }
  return null;
}
