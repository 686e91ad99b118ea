/** How Kimono's facts move on the table: measured before they are shown, flown afterwards. */
import { fly, type Flight } from '$web/kit/flight';
import type { Combined, Fact, Took } from './wire';

const CARD = '.card';
const DEAL_DELAY = 45;
const LAY_DELAY = 90;

export function choreography(table: HTMLElement) {
  const all = (selector: string) => [...table.querySelectorAll(selector)];
  const place = (seat: number, part: string) =>
    all(`[data-seat="${seat}"] [data-${part}] li:not(.none) ${CARD}`);

  function took({ seat, row, card }: Took) {
    const from = table.querySelector(`[data-row="${row}"] [data-front] ${CARD}`)?.getBoundingClientRect();
    const part = typeof card.fabric === 'number' ? 'hand' : 'accessories';
    return async () => {
      const to = place(seat, part).at(-1);
      if (to && from) await fly([{ to, from }]);
    };
  }

  function combined({ seat, style, size, cards }: Combined) {
    const count = cards.length;
    const from = place(seat, 'hand')
      .slice(-count)
      .map((card) => card.getBoundingClientRect());
    return async () => {
      await fly(flights(place(seat, 'kimono').slice(-count), from, LAY_DELAY));
      const shape = table.querySelector(`[data-seat="${seat}"] [data-shape]`);
      const sewn = table.querySelector(`[data-cell="${style}-${size}"] [data-button="${seat}"]`);
      if (shape && sewn) await fly([{ to: sewn, from: shape.getBoundingClientRect() }]);
    };
  }

  function dealt() {
    return async () => {
      const deck = table.querySelector('[data-deck]')?.getBoundingClientRect();
      const cards = all(`[data-row] ${CARD}`);
      if (deck) await fly(flights(cards, Array(cards.length).fill(deck), DEAL_DELAY));
    };
  }

  return (fact: Fact): (() => Promise<void>) | undefined => {
    if (fact.fact === 'took') return took(fact);
    if (fact.fact === 'combined') return combined(fact);
    if (fact.fact === 'market_dealt') return dealt();
    return undefined;
  };
}

function flights(cards: Element[], from: DOMRect[], delay: number): Flight[] {
  return cards.flatMap((to, index) => {
    const start = from[index];
    return start ? [{ to, from: start, delay: index * delay }] : [];
  });
}
