/** Small helpers for a game's texts; `fill` puts values into their holes. */
import { fill } from '../i18n/i18n.svelte';

/** One form for one, another for any other number: `counted(['{count} mask', '{count} masks'], 2)`. */
export const counted = (forms: readonly string[], count: number): string =>
  fill(forms[count === 1 ? 0 : 1] ?? '', { count });

/** The word for a key of the game's data; the key itself where there is no word. */
export const wordFor = (words: Readonly<Record<string, string>>, key: string): string => words[key] ?? key;
