/** What is offered to whom, and in which words. */
import { describe, expect, it } from 'vitest';
import { view } from '../testing/fakes';
import { TEXTS } from '../words';
import { hintOf, rolesOf, startOf, statusOf, type Situation } from './roles';

const NAMES = ['Ana', 'Bo', 'Cleo'];
const words = TEXTS.en;
const situation = (changes: Partial<Situation> = {}): Situation => ({
  view: view(),
  playing: true,
  again: false,
  yours: [],
  moves: [],
  ...changes,
});
function told(changes: Partial<Situation>): { status: string; hint: string } {
  const now = situation(changes);
  const roles = rolesOf(now);
  return { status: statusOf(roles, now.view, NAMES, words), hint: hintOf(roles, words) };
}

describe('rolesOf', () => {
  it('gives whoever builds the pieces, and nobody else', () => {
    expect(rolesOf(situation({ yours: [0] }))).toMatchObject({
      builder: 0,
      shooter: null,
      shared: false,
      small: 0,
    });
    expect(rolesOf(situation({ yours: [2] }))).toMatchObject({
      builder: null,
      shooter: 2,
      small: 4,
      large: false,
    });
    expect(rolesOf(situation())).toMatchObject({ builder: null, shooter: null, running: true, live: true });
  });

  it('gives the large die to whoever has it, until it is shot', () => {
    expect(rolesOf(situation({ yours: [1] })).large).toBe(true);
    expect(rolesOf(situation({ yours: [1], view: view({ big_left: false }) })).large).toBe(false);
    expect(
      rolesOf(situation({ yours: [0], view: view({ big_die: 0 }) })).large,
      'who builds does not shoot',
    ).toBe(false);
  });

  it('lets the builder and the first saboteur of a device play together', () => {
    expect(rolesOf(situation({ yours: [0, 1, 2] }))).toMatchObject({ builder: 0, shooter: 1, shared: true });
    expect(rolesOf(situation({ yours: [1, 2] }))).toMatchObject({ builder: null, shooter: 1, shared: false });
  });

  it('has nobody do anything before the turn, after the game, and in a game seen again', () => {
    const nothing = { builder: null, shooter: null, shared: false, small: 0, large: false, mayStrike: null };
    const striker = view({ striker: 1 });
    expect(rolesOf(situation({ yours: [0, 1], view: view({ phase: 'ready' }) }))).toMatchObject(nothing);
    expect(rolesOf(situation({ yours: [0, 1], view: striker, playing: false }))).toMatchObject(nothing);
    expect(rolesOf(situation({ yours: [0, 1], view: striker, again: true }))).toMatchObject({
      ...nothing,
      live: false,
    });
  });

  it('offers the hourglass to the builder who may turn it', () => {
    const ready = view({ phase: 'ready' });
    const moves = [{ seat: 0, moves: [{ move: 'flip' }] }];
    expect(rolesOf(situation({ view: ready, yours: [0], moves })).mayFlip).toBe(0);
    expect(rolesOf(situation({ view: ready, yours: [0] })).mayFlip, 'facts are still being shown').toBeNull();
    expect(rolesOf(situation({ yours: [0], moves })).mayFlip, 'it runs').toBeNull();
  });

  it('offers the blow to whoever was granted it', () => {
    expect(rolesOf(situation({ yours: [1], view: view({ striker: 1 }) })).mayStrike).toBe(1);
    expect(rolesOf(situation({ yours: [2], view: view({ striker: 1 }) })).mayStrike).toBeNull();
    expect(rolesOf(situation({ yours: [1] })).mayStrike).toBeNull();
  });

  it('offers the last turn between two turns', () => {
    expect(rolesOf(situation({ view: view({ phase: 'ready', turn: 3 }) })).lastTurn).toBe(3);
    expect(rolesOf(situation({ view: view({ phase: 'over', turn: 9 }), playing: false })).lastTurn).toBe(9);
    expect(rolesOf(situation({ view: view({ phase: 'ready', turn: 0 }) })).lastTurn).toBeNull();
    expect(rolesOf(situation()).lastTurn).toBeNull();
    expect(rolesOf(situation({ view: view({ phase: 'ready', turn: 3 }), again: true })).lastTurn).toBeNull();
  });
});

describe('the words', () => {
  it('say what is to be done, and how', () => {
    const flip = [{ seat: 0, moves: [{ move: 'flip' }] }];
    const ready = view({ phase: 'ready' });
    expect(told({ view: ready, yours: [0], moves: flip })).toEqual({ status: words.phase.flipYou, hint: '' });
    expect(told({ view: ready }).status).toContain('Ana');
    expect(told({ yours: [0] })).toEqual({ status: words.phase.build, hint: words.hints.build });
    expect(told({ yours: [2] })).toEqual({ status: words.phase.shoot, hint: words.hints.shoot });
    expect(told({ yours: [0, 2] })).toEqual({ status: words.phase.both, hint: words.hints.both });
    expect(told({}).status).toContain('Ana');
    expect(told({ view: view({ phase: 'over' }) })).toEqual({ status: words.phase.over, hint: '' });
  });
});

describe('startOf', () => {
  it('spreads saboteurs along the far side', () => {
    const starts = [0, 1, 3, 4].map((seat) => startOf(seat, 2, 5));
    expect(starts).toEqual([...starts].sort());
    expect(new Set(starts).size).toBe(4);
    for (const start of starts) {
      expect(start).toBeGreaterThan(0.5);
      expect(start).toBeLessThan(0.75);
    }
    expect(startOf(1, 0, 2)).toBeCloseTo(0.62, 6);
  });
});
