/** The view after a fact. No rules: whose move it is comes from the server, in `settle`. */
import type { Waiting } from '$web/protocol/wire';
import { digitsShown, IN_PLAY, SIZE } from './grid';
import type { Fact, KakuzuGameEnded, Lifted, KakuzuView } from './wire';

export function fold(view: KakuzuView, fact: Fact): KakuzuView {
  switch (fact.fact) {
    case 'dealt':
      return { ...view, first: fact.first, turn: fact.first };
    case 'opened': {
      const visible = shown(view, fact.cell, fact.digit);
      const phase = digitsShown(visible) < SIZE ? 'opening' : 'play';
      return withBag({ ...view, visible, phase, turn: fact.seat });
    }
    case 'drew':
      return withBag({
        ...view,
        turn: fact.seat,
        wanted: fact.digit,
        drawn: [...view.drawn, fact.digit],
      });
    case 'announced':
      return { ...view, turn: fact.seat, wanted: fact.digit };
    case 'lifted':
      return lift(view, fact);
    case 'retired':
      return withBag({ ...view, retired: [...view.retired, fact.digit].toSorted() });
    case 'time_spent':
      return { ...view, clocks: view.clocks.with(fact.seat, (view.clocks[fact.seat] ?? 0) - fact.ms) };
    case 'turn_ended':
      return withBag({ ...view, wanted: null, drawn: [], kept: 0 });
    case 'game_ended':
      return end(view, fact);
  }
}

export function settle(view: KakuzuView, waiting: Waiting | null): KakuzuView {
  return { ...view, turn: waiting?.acting[0] ?? null };
}

function lift(view: KakuzuView, { cell, digit, wanted, to, seat }: Lifted): KakuzuView {
  return {
    ...view,
    visible: shown(view, cell, digit),
    turn: seat,
    stones: to < 0 ? view.stones : view.stones.with(to, (view.stones[to] ?? 0) + 1),
    house: view.house + Number(to < 0),
    kept: view.kept + Number(digit === wanted),
    wanted: view.options.same_digit ? view.wanted : null,
  };
}

function end(view: KakuzuView, { scores, winners, grid }: KakuzuGameEnded): KakuzuView {
  const alone = scores.length === 1;
  const breakdown = scores.map((stones) =>
    alone ? { stones, house: IN_PLAY - stones } : { stones },
  ) as Record<string, number>[];
  return { ...view, phase: 'over', turn: null, wanted: null, grid, result: { scores, winners, breakdown } };
}

function withBag(view: KakuzuView): KakuzuView {
  const out = [...view.drawn, ...view.retired];
  const bag = view.options.announce ? [] : Array.from({ length: 10 }, (_, digit) => digit);
  return { ...view, bag: bag.filter((digit) => !out.includes(digit)) };
}

function shown(view: KakuzuView, [row, column]: [number, number], digit: number): number[][] {
  return view.visible.with(row, (view.visible[row] ?? []).with(column, digit));
}
