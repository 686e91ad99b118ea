/** The name of a level of bots in the language on screen; a level of its own making goes by its own name. */
import { maybe } from '../i18n/i18n.svelte';

export function levelName(level: string): string {
  return maybe(`level.${level}`) ?? level;
}
