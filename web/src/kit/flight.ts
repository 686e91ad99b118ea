/** Things that visibly travel: a copy flies from where a thing lay to where it lies now. */
import { still } from './motion';

export interface Flight {
  to: Element;
  from: DOMRect;
  delay?: number;
}

const DURATION = 520;

/** Fly copies of `to` from their `from`; each `to` stays hidden until its copy has landed. */
export async function fly(flights: readonly Flight[]): Promise<void> {
  if (still()) return;
  await Promise.all(flights.map(flyOne));
}

async function flyOne({ to, from, delay = 0 }: Flight): Promise<void> {
  const goal = to.getBoundingClientRect();
  if (!(to instanceof HTMLElement) || from.width === 0 || goal.width === 0) return;
  const copy = to.cloneNode(true) as HTMLElement;
  copy.setAttribute('aria-hidden', 'true');
  copy.removeAttribute('id');
  Object.assign(copy.style, {
    position: 'fixed',
    left: `${goal.left}px`,
    top: `${goal.top}px`,
    width: `${goal.width}px`,
    height: `${goal.height}px`,
    margin: '0',
    zIndex: '60',
    pointerEvents: 'none',
    transformOrigin: '0 0',
  });
  // Next to the original, so that inherited sizes and colours are the same.
  to.parentElement?.append(copy);
  to.style.visibility = 'hidden';
  const start = `translate(${from.left - goal.left}px, ${from.top - goal.top}px) scale(${from.width / goal.width})`;
  const lifted = { offset: 0.5, filter: 'drop-shadow(0 18px 14px rgb(0 0 0 / 0.45))' };
  const flight = copy.animate([{ transform: start }, lifted, { transform: 'none' }], {
    duration: DURATION,
    delay,
    fill: 'backwards',
    easing: 'cubic-bezier(0.3, 0.75, 0.25, 1)',
  });
  await flight.finished.catch(() => undefined);
  copy.remove();
  to.style.visibility = '';
}
