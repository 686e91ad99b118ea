/** The view after a fact. No rules: whose move it is comes from the server, in `settle`. */
import type { Waiting } from '$web/protocol/wire';
import type { Combined, Fact, MarketDealt, KimonoPlace, Took, KimonoView } from './wire';

export function fold(view: KimonoView, fact: Fact): KimonoView {
  switch (fact.fact) {
    case 'market_dealt':
      return deal(view, fact);
    case 'took':
      return take(view, fact);
    case 'combined':
      return combine(view, fact);
    case 'round_ended':
      return { ...view, rows: [], discards: view.discards + fact.discarded.length };
    case 'game_ended': {
      const { scores, winners, breakdown } = fact;
      return { ...view, result: { scores, winners, breakdown } };
    }
    case 'skipped':
      return view;
  }
}

/** Whose move it is, once everything has been shown. */
export function settle(view: KimonoView, waiting: Waiting | null, facts: Fact[]): KimonoView {
  const turn = waiting?.acting[0] ?? null;
  const last = facts.at(-1);
  return { ...view, turn, combining: last?.fact === 'took' && last.combining };
}

function deal(view: KimonoView, { round, rounds, first, rows, deck, discards }: MarketDealt): KimonoView {
  return { ...view, round, rounds, first, rows, deck: sum(deck), discards: sum(discards) };
}

const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);

function take(view: KimonoView, { seat, row, card }: Took): KimonoView {
  const rows = view.rows.with(row, (view.rows[row] ?? []).slice(0, -1));
  return changePlace({ ...view, rows }, seat, (place) => {
    if (typeof card.fabric === 'number') return { ...place, hand: [...place.hand, card.fabric] };
    return { ...place, accessories: [...place.accessories, card.accessory ?? 0] };
  });
}

function combine(view: KimonoView, { seat, style, size, cards, points }: Combined): KimonoView {
  return changePlace(view, seat, (place) => ({
    ...place,
    hand: place.hand.slice(0, -cards.length),
    kimono: [...place.kimono, ...cards],
    buttons: [...place.buttons, { style, size, points }],
  }));
}

function changePlace(
  view: KimonoView,
  seat: number,
  change: (place: KimonoPlace) => KimonoPlace,
): KimonoView {
  const place = view.places[seat];
  return place ? { ...view, places: view.places.with(seat, change(place)) } : view;
}
