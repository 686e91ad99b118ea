/** A stack held open, mask by mask, as the fan shows it. */
import { fill } from '$web/i18n/i18n.svelte';
import { fanOf, type Blade } from './fan';
import type { Check } from './wire';
import { maskName, type Words } from './words';

export interface OpenMask extends Blade {
  mask: number;
  /** The same as the one on top, which was called on. */
  match: boolean;
  top: boolean;
  label: string;
}

/** The masks of a checked stack from the bottom, each with its place on the fan; `size` is a mask's width there. */
export function openMasks({ masks }: Check, words: Words): { size: number; masks: OpenMask[] } {
  const { size, blades } = fanOf(masks.length);
  const last = masks.length - 1;
  return {
    size,
    masks: masks.map((mask, place) => {
      const top = place === last;
      const match = !top && mask === masks[last];
      const name = maskName(mask, words);
      const text = top ? words.onTop : match ? words.match : '{mask}';
      const { angle, radius } = blades[place] ?? { angle: 0, radius: 0 };
      return { mask, match, top, angle, radius, label: fill(text, { mask: name }) };
    }),
  };
}
