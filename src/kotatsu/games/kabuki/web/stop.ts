/** One seat's “Stop!”: whether it may be pressed, and why not. */
import { fill } from '$web/i18n/i18n.svelte';
import type { KabukiView } from './wire';
import { theMask, type Words } from './words';

export interface StopButton {
  /** It may be pressed now. */
  may: boolean;
  /** The seat may let the mask pass now: only while everyone is waited for. */
  mayPass: boolean;
  /** What the button says where it cannot be pressed. */
  why: string;
  /** What a screen reader hears. */
  label: string;
}

/** `pressed`: this seat has pressed already, and the table has not ruled yet. */
export function stopButton(view: KabukiView, seat: number, pressed: boolean, words: Words): StopButton {
  const may = view.callers.includes(seat) && !pressed;
  const why = whyNot(view, seat, pressed, words);
  const label =
    may && view.placed
      ? fill(words.stopLabel, { mask: theMask(view.placed.mask, words), number: view.placed.stack + 1 })
      : `${words.stop} ${why}`;
  return { may, mayPass: may && view.phase === 'window', why, label };
}

function whyNot({ placed, phase }: KabukiView, seat: number, pressed: boolean, words: Words): string {
  if (pressed) return words.stopPressed;
  if (placed === null || phase === 'check') return words.stopNone;
  if (placed.seat === seat) return words.stopOwn;
  return phase === 'window' ? words.stopPassed : words.stopNone;
}
