/** The view after a fact. No rules: who may do what comes from the server. */
import type { Waiting } from '$web/protocol/wire';
import { POINTS } from './box';
import type { Fact, KaboumView } from './wire';

const CLEARED: Pick<KaboumView, 'shots' | 'blocked' | 'standing' | 'striker'> = {
  shots: [],
  blocked: [],
  standing: [],
  striker: null,
};

export function fold(view: KaboumView, fact: Fact): KaboumView {
  switch (fact.fact) {
    case 'table_laid':
      return { ...view, layout: fact.layout, builder: fact.builder, big_die: fact.big_die };
    case 'turn_started':
      return {
        ...view,
        ...CLEARED,
        phase: 'running',
        turn: fact.turn,
        turns_left: view.turns_left - (fact.turn - view.turn),
        builder: fact.builder,
        ammo: fact.ammo,
        big_die: fact.big_die,
        big_left: true,
        tiles: fact.tiles,
      };
    case 'fired':
      return {
        ...view,
        ammo: fact.big ? view.ammo : view.ammo.with(fact.seat, (view.ammo[fact.seat] ?? 1) - 1),
        big_left: view.big_left && !fact.big,
        shots: [
          ...view.shots,
          { seat: fact.seat, die: fact.die, big: fact.big, landed: false, tile: null, kaboum: false },
        ],
      };
    case 'landed':
      return {
        ...view,
        shots: view.shots.map((shot) =>
          shot.die === fact.die ? { ...shot, landed: true, tile: fact.tile, kaboum: fact.kaboum } : shot,
        ),
      };
    case 'blocked':
      return { ...view, blocked: [...view.blocked, fact.tile] };
    case 'completed':
      return { ...view, standing: [...view.standing, fact.tile].sort((a, b) => a - b) };
    case 'toppled':
      return { ...view, standing: view.standing.filter((tile) => tile !== fact.tile) };
    case 'quake_granted':
      return { ...view, striker: fact.seat };
    case 'quake':
      return { ...view, striker: null };
    case 'turn_broken':
      return {
        ...view,
        ...CLEARED,
        phase: 'ready',
        turn: view.turn - 1,
        turns_left: view.turns_left + 1,
        ammo: [],
        big_left: false,
      };
    case 'turn_ended': {
      const won = view.won.map((tiles, seat) => (seat === fact.builder ? [...tiles, ...fact.scored] : tiles));
      const players = view.won.length;
      const builder = (fact.builder + 1) % players;
      const next = (view.big_die + 1) % players;
      return {
        ...view,
        ...CLEARED,
        phase: 'ready',
        won,
        points: won.map((tiles) => tiles.reduce((sum, tile) => sum + (POINTS[tile] ?? 0), 0)),
        tiles: view.tiles.filter((tile) => !fact.scored.includes(tile)),
        builder,
        big_die: next === builder ? (next + 1) % players : next,
        big_left: false,
        ammo: [],
      };
    }
    case 'game_ended': {
      const breakdown = view.won.map((tiles) =>
        Object.fromEntries(tiles.map((tile) => [String(tile), POINTS[tile] ?? 0])),
      );
      return {
        ...view,
        phase: 'over',
        result: { scores: fact.scores, winners: fact.winners, breakdown },
      };
    }
  }
}

export function settle(view: KaboumView, _waiting: Waiting | null, _facts: Fact[]): KaboumView {
  return view;
}
