/**
 * The view after a fact. It keeps what lies open and nothing else: a mask that is covered is gone
 * from here as well, so that nothing in the page remembers for the player (KB-22).
 */
import type { Fact, Placed, Stopped, KabukiView } from './wire';

export function fold(view: KabukiView, fact: Fact): KabukiView {
  switch (fact.fact) {
    case 'round_started':
      return {
        ...view,
        round: fact.round,
        rounds: fact.rounds,
        phase: 'place',
        turn: null,
        drawn: null,
        deck: fact.deck.reduce((total, copies) => total + copies, 0),
        stacks: Array.from({ length: fact.actors }, () => ({ top: null, height: 0 })),
        tokens: fact.tokens,
        placed: null,
        callers: [],
      };
    case 'drew':
      return { ...view, turn: fact.seat, drawn: fact.mask, deck: view.deck - 1 };
    case 'placed':
      return place(view, fact);
    case 'passed':
      return { ...view, callers: view.callers.filter((seat) => seat !== fact.seat) };
    case 'window_closed':
      return { ...view, phase: 'place' };
    case 'stopped':
      return call(view, fact);
    case 'check_opened':
      return { ...view, check: view.check && { ...view.check, masks: fact.masks } };
    case 'check_closed':
      return { ...view, phase: 'place', check: null };
    case 'round_ended':
      return {
        ...view,
        phase: view.check ? 'check' : 'place',
        scores: [...view.scores, fact.tokens],
        callers: [],
      };
    case 'game_ended': {
      const { scores, winners, breakdown } = fact;
      return { ...view, phase: 'over', result: { scores, winners, breakdown } };
    }
  }
}

/** Everything is in the facts. */
export const settle = (view: KabukiView): KabukiView => view;

function place(view: KabukiView, { callers, ...placed }: Placed): KabukiView {
  const height = (view.stacks[placed.stack]?.height ?? 0) + 1;
  return {
    ...view,
    phase: 'window',
    turn: null,
    drawn: null,
    stacks: view.stacks.with(placed.stack, { top: placed.mask, height }),
    placed,
    callers,
  };
}

function call(view: KabukiView, { seat, against, stack, matches, tokens, held }: Stopped): KabukiView {
  const check = { seat, against, stack, masks: [], matches, tokens };
  return { ...view, phase: 'check', tokens: held, callers: [], check };
}
