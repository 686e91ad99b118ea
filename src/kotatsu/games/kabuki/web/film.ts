/** The game as it was, once it is over: every placement, what lay there, and who noticed. */
import type { Fact } from './wire';

export type Kind = 'fresh' | 'right' | 'wrong' | 'missed';

export interface Scene {
  round: number;
  seat: number;
  mask: number;
  stack: number;
  /** All four stacks after the placement, each from its bottom. */
  stacks: number[][];
  kind: Kind;
  caller: number | null;
  /** What a right call took. */
  tokens: number;
}

export interface Tally {
  right: number;
  wrong: number;
  /** Placements of a mask the actor had worn already, and how many of them nobody called. */
  slips: number;
  lucky: number;
}

export function scenesOf(log: readonly unknown[], actors: number): Scene[] {
  const scenes: Scene[] = [];
  let round = 0;
  let stacks: number[][] = [];
  for (const entry of log as Fact[]) {
    const last = scenes.at(-1);
    if (entry.fact === 'round_started') {
      round = entry.round;
      stacks = Array.from({ length: actors }, () => []);
    } else if (entry.fact === 'placed') {
      const { seat, mask, stack } = entry;
      const missed = stacks[stack]?.includes(mask) ?? false;
      stacks = stacks.with(stack, [...(stacks[stack] ?? []), mask]);
      scenes.push({
        round,
        seat,
        mask,
        stack,
        stacks,
        kind: missed ? 'missed' : 'fresh',
        caller: null,
        tokens: 0,
      });
    } else if (entry.fact === 'stopped' && last) {
      last.kind = entry.matches > 0 ? 'right' : 'wrong';
      last.caller = entry.seat;
      last.tokens = entry.tokens;
    }
  }
  return scenes;
}

export function talliesOf(scenes: readonly Scene[], players: number): Tally[] {
  const tallies = Array.from({ length: players }, () => ({ right: 0, wrong: 0, slips: 0, lucky: 0 }));
  for (const { seat, kind, caller } of scenes) {
    const placer = tallies[seat];
    const called = caller === null ? undefined : tallies[caller];
    if (called && kind === 'right') called.right += 1;
    if (called && kind === 'wrong') called.wrong += 1;
    if (placer && (kind === 'right' || kind === 'missed')) placer.slips += 1;
    if (placer && kind === 'missed') placer.lucky += 1;
  }
  return tallies;
}
