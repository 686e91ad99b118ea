/** What went wrong, in the language on screen; a sentence of the server where ours would say less. */
import type { HouseProblem } from './api';
import { maybe } from '../i18n/i18n.svelte';

export function problemWords(problem: HouseProblem): string {
  return maybe(`problem.${problem.code}`) ?? problem.message;
}
