/** The view after a fact. No rules: who may do what comes from the server. */
import type { Waiting } from '$web/protocol/wire';
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
      return {
        ...view,
        layout: fact.layout,
        tiles: fact.tiles,
        builder: fact.builder,
        big_die: fact.big_die,
        turns_left: fact.turns,
      };
    case 'turn_started':
      return {
        ...view,
        ...CLEARED,
        phase: 'running',
        turn: fact.turn,
        turns_left: view.turns_left === null ? null : view.turns_left - (fact.turn - view.turn),
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
        turns_left: view.turns_left === null ? null : view.turns_left + 1,
        ammo: [],
        big_left: false,
      };
    case 'turn_ended': {
      const won = view.won.map((tiles, seat) => (seat === fact.builder ? [...tiles, ...fact.scored] : tiles));
      return {
        ...view,
        ...CLEARED,
        phase: 'ready',
        won,
        points: view.points.with(fact.builder, (view.points[fact.builder] ?? 0) + fact.points),
        tiles: view.tiles.filter((tile) => !fact.scored.includes(tile)),
        builder: fact.next,
        big_die: fact.big_die,
        big_left: false,
        ammo: [],
      };
    }
    case 'game_ended': {
      const { scores, winners, breakdown, capped } = fact;
      return { ...view, phase: 'over', result: { scores, winners, breakdown }, capped };
    }
  }
}

export function settle(view: KaboumView, _waiting: Waiting | null, _facts: Fact[]): KaboumView {
  return view;
}
