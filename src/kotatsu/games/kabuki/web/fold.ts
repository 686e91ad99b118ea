/**
 * The view after a fact. It keeps what lies open and nothing else: a mask that is covered is gone
 * from here as well, so that nothing in the page remembers for the player (KB-22).
 */
import { ACTORS, DECK } from './box';
import type { Fact, KabukiGameEnded, Placed, Stopped, KabukiView } from './wire';

export function fold(view: KabukiView, fact: Fact): KabukiView {
  switch (fact.fact) {
    case 'round_started':
      return {
        ...view,
        round: fact.round,
        phase: 'place',
        turn: null,
        drawn: null,
        deck: DECK,
        stacks: Array.from({ length: ACTORS }, () => ({ top: null, height: 0 })),
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
    case 'game_ended':
      return end(view, fact);
  }
}

/** Everything is in the facts. */
export const settle = (view: KabukiView): KabukiView => view;

function place(view: KabukiView, placed: Placed): KabukiView {
  const players = view.tokens.length;
  const height = (view.stacks[placed.stack]?.height ?? 0) + 1;
  return {
    ...view,
    phase: 'window',
    turn: null,
    drawn: null,
    stacks: view.stacks.with(placed.stack, { top: placed.mask, height }),
    placed,
    callers: Array.from({ length: players - 1 }, (_, step) => (placed.seat + 1 + step) % players),
  };
}

function call(view: KabukiView, { seat, against, stack, matches, tokens }: Stopped): KabukiView {
  const held = view.tokens.map((count, holder) => {
    if (holder === seat) return count + tokens;
    return holder === against && matches > 0 ? count - tokens : count;
  });
  const check = { seat, against, stack, masks: [], matches, tokens };
  return { ...view, phase: 'check', tokens: held, callers: [], check };
}

function end(view: KabukiView, { scores, winners }: KabukiGameEnded): KabukiView {
  const breakdown = scores.map((_, seat) =>
    Object.fromEntries(view.scores.map((tokens, round) => [`round_${round + 1}`, tokens[seat] ?? 0])),
  );
  return { ...view, phase: 'over', result: { scores, winners, breakdown } };
}
