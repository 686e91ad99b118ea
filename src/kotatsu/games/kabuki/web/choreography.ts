/** How Kabuki's facts move. Nothing here holds the game up but the curtain: a call cannot wait. */
import { still } from '$web/kit/motion';
import type { Fact } from './wire';

const FLIGHT = { duration: 260, easing: 'cubic-bezier(0.3, 0.75, 0.25, 1)' };

export function choreography(table: HTMLElement) {
  const find = (selector: string) => table.querySelector<HTMLElement>(selector);

  function glide(from: DOMRect | undefined, goal: string) {
    return async () => {
      const to = find(goal);
      if (!to || !from || from.width === 0 || still()) return;
      const at = to.getBoundingClientRect();
      const start = `translate(${from.left - at.left}px, ${from.top - at.top}px) scale(${from.width / at.width})`;
      to.animate(
        [
          { transform: start, transformOrigin: '0 0' },
          { transform: 'none', transformOrigin: '0 0' },
        ],
        FLIGHT,
      );
    };
  }

  return (fact: Fact): (() => Promise<void>) | undefined => {
    if (fact.fact === 'placed')
      return glide(find('[data-drawn]')?.getBoundingClientRect(), `[data-actor="${fact.stack}"] [data-top]`);
    if (fact.fact === 'drew') return glide(find('[data-deck]')?.getBoundingClientRect(), '[data-drawn]');
    return undefined;
  };
}
