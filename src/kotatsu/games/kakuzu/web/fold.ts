/** The view after a fact. No rules: whose move it is comes from the server, in `settle`. */
import type { Waiting } from '$web/protocol/wire';
import type { Fact, Lifted, KakuzuView } from './wire';

export function fold(view: KakuzuView, fact: Fact): KakuzuView {
  switch (fact.fact) {
    case 'dealt':
      return { ...view, first: fact.first, turn: fact.first, bag: fact.bag, clocks: fact.clocks };
    case 'opened': {
      const phase = fact.to_open > 0 ? 'opening' : 'play';
      return { ...view, visible: shown(view, fact.cell, fact.digit), phase, turn: fact.seat };
    }
    case 'drew':
      return {
        ...view,
        turn: fact.seat,
        wanted: fact.digit,
        drawn: [...view.drawn, fact.digit],
        bag: without(view.bag, fact.digit),
      };
    case 'announced':
      return { ...view, turn: fact.seat, wanted: fact.digit };
    case 'lifted':
      return lift(view, fact);
    case 'retired':
      return {
        ...view,
        retired: [...view.retired, fact.digit].toSorted(),
        bag: without(view.bag, fact.digit),
      };
    case 'time_spent':
      return { ...view, clocks: view.clocks.with(fact.seat, (view.clocks[fact.seat] ?? 0) - fact.ms) };
    case 'turn_ended':
      return { ...view, wanted: null, drawn: [], bag: fact.bag, kept: 0 };
    case 'game_ended': {
      const { scores, winners, grid, breakdown } = fact;
      return {
        ...view,
        phase: 'over',
        turn: null,
        wanted: null,
        grid,
        result: { scores, winners, breakdown },
      };
    }
  }
}

export function settle(view: KakuzuView, waiting: Waiting | null): KakuzuView {
  return { ...view, turn: waiting?.acting[0] ?? null };
}

function lift(view: KakuzuView, { cell, digit, to, seat, next_wanted }: Lifted): KakuzuView {
  return {
    ...view,
    visible: shown(view, cell, digit),
    turn: seat,
    stones: to < 0 ? view.stones : view.stones.with(to, (view.stones[to] ?? 0) + 1),
    house: view.house + Number(to < 0),
    kept: view.kept + Number(to === seat),
    wanted: next_wanted,
  };
}

const without = (bag: number[], digit: number): number[] => bag.filter((each) => each !== digit);

function shown(view: KakuzuView, [row, column]: [number, number], digit: number): number[][] {
  return view.visible.with(row, (view.visible[row] ?? []).with(column, digit));
}
