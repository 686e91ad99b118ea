/** So many seconds, in the words of the page: minutes once there are two of them. */
import { t } from '../i18n/i18n.svelte';

export function durationWords(seconds: number): string {
  return seconds < 120
    ? t('table.seconds', { count: Math.round(seconds) })
    : t('table.minutes', { count: Math.round(seconds / 60) });
}
