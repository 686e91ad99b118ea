/** How Kakuzu's facts move on the table: measured before they are shown, flown afterwards. */
import { still } from '$web/kit/motion';
import { cellAt } from './grid';
import type { DigitDrawn, Fact, Lifted, Opened } from './wire';

const LIFT = 170;
const HOLD = 200;
const AWAY = 340;
const DRAW = 300;
const ZERO = 650;

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const finished = (animation: Animation) =>
  animation.finished.then(
    () => undefined,
    () => undefined,
  );

export function choreography(table: HTMLElement) {
  const find = (selector: string) => table.querySelector<HTMLElement>(selector);
  const stoneOn = ([row, column]: [number, number]) =>
    find(`[data-cell="${cellAt(row, column)}"] [data-stone]`);

  /** The stone rises, shows what it covered, and goes to whoever gets it. */
  function lifted({ cell, to }: Lifted) {
    const copy = ghost(stoneOn(cell));
    return async () => {
      if (!copy) return;
      table.append(copy.element);
      await rise(copy.element);
      const heap = find(`[data-heap="${to}"]`);
      const won = heap?.lastElementChild instanceof HTMLElement ? heap.lastElementChild : null;
      const goal = won?.offsetWidth ? won : find(`[data-seat="${to}"] .pebble`);
      if (goal) await travel(copy, goal, won);
      copy.element.remove();
    };
  }

  /** A stone that opens a square belongs to nobody: it leaves the table. */
  function opened({ cell }: Opened) {
    const copy = ghost(stoneOn(cell));
    return async () => {
      if (!copy) return;
      table.append(copy.element);
      await rise(copy.element);
      const gone = { translate: '0 -140%', scale: '1.1', opacity: 0 };
      await finished(copy.element.animate([{ translate: '0 -16%', scale: '1.18' }, gone], AWAY));
      copy.element.remove();
    };
  }

  function drew({ digit }: DigitDrawn) {
    return async () => {
      const bag = find('[data-bag]')?.getBoundingClientRect();
      const token = find('[data-wanted] [data-token]');
      if (!token || !bag || still()) return;
      const goal = token.getBoundingClientRect();
      const from = `${bag.left + bag.width / 2 - goal.left - goal.width / 2}px ${bag.top - goal.top}px`;
      const frames = [{ translate: from, scale: '0.3', opacity: 0 }, { opacity: 1, offset: 0.3 }, {}];
      await finished(token.animate(frames, { duration: DRAW, easing: 'ease-out' }));
      if (digit === 0) await pause(ZERO);
    };
  }

  return (fact: Fact): (() => Promise<void>) | undefined => {
    if (still()) return undefined;
    if (fact.fact === 'lifted') return lifted(fact);
    if (fact.fact === 'opened') return opened(fact);
    if (fact.fact === 'drew') return drew(fact);
    return undefined;
  };
}

interface Ghost {
  element: HTMLElement;
  from: DOMRect;
}

function ghost(stone: HTMLElement | null): Ghost | null {
  if (!stone) return null;
  const from = stone.getBoundingClientRect();
  const element = stone.cloneNode(true) as HTMLElement;
  element.removeAttribute('data-stone');
  element.setAttribute('aria-hidden', 'true');
  Object.assign(element.style, {
    position: 'fixed',
    left: `${from.left}px`,
    top: `${from.top}px`,
    width: `${from.width}px`,
    height: `${from.height}px`,
    zIndex: '60',
    pointerEvents: 'none',
  });
  return { element, from };
}

async function rise(stone: HTMLElement): Promise<void> {
  const up = { translate: '0 -62%', scale: '1.16', filter: 'drop-shadow(0 14px 9px rgb(0 0 0 / 0.45))' };
  await finished(stone.animate([{}, up], { duration: LIFT, easing: 'ease-out', fill: 'forwards' }));
  await pause(HOLD);
}

async function travel({ element, from }: Ghost, goal: HTMLElement, won: HTMLElement | null): Promise<void> {
  const to = goal.getBoundingClientRect();
  if (won) won.style.visibility = 'hidden';
  const x = to.left + to.width / 2 - from.left - from.width / 2;
  const y = to.top + to.height / 2 - from.top - from.height / 2;
  const there = { translate: `${x}px ${y}px`, scale: String(to.width / from.width) };
  await finished(
    element.animate([{ translate: '0 -62%', scale: '1.16' }, there], {
      duration: AWAY,
      easing: 'cubic-bezier(0.4, 0, 0.3, 1)',
      fill: 'forwards',
    }),
  );
  if (won) won.style.visibility = '';
}
