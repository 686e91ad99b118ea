/** The quick signs, in the order they are offered. Their words are in the texts. */
import type { Reaction } from '../protocol/wire';

export const SIGNS: Record<Reaction, string> = {
  bravo: '👏',
  laugh: '😄',
  wow: '😮',
  ouch: '😖',
  think: '🤔',
  hurry: '⏳',
  thanks: '🙏',
  heart: '❤️',
};

export const REACTIONS = Object.keys(SIGNS) as Reaction[];
