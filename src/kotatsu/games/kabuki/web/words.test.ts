import { beforeEach, describe, expect, test } from 'vitest';
import { language } from '$web/i18n/i18n.svelte';
import type { Receipt, SeatInfo } from '$web/protocol/wire';
import { openMasks } from './check';
import type { Scene } from './film';
import { hasPassed, holdsMask, remarkOn, totalOf } from './scoreboard';
import { stopButton } from './stop';
import type { Check, KabukiView, Placed } from './wire';
import {
  cameWords,
  maskName,
  momentWords,
  openWords,
  pressFigures,
  receiptWords,
  ruling,
  statusWords,
  tell,
  TEXTS,
  theMask,
} from './words';

const { en, fr } = TEXTS;
const names = ['Ana', 'Bo', 'Cleo'];
const [FOX, FLAME, MONKEY] = [0, 1, 2];
const PLACED: Placed = { fact: 'placed', seat: 0, mask: FOX, stack: 2, callers: [1, 2] };
const CHECK: Check = {
  seat: 1,
  against: 0,
  stack: 2,
  masks: [FOX, FLAME, FOX, MONKEY, FOX],
  matches: 2,
  tokens: 2,
};

const view = (change: Partial<KabukiView> = {}): KabukiView => ({
  round: 2,
  rounds: 3,
  phase: 'window',
  turn: 1,
  drawn: FLAME,
  deck: 40,
  stacks: [],
  tokens: [5, 4, 6],
  scores: [[5, 3, 7]],
  placed: PLACED,
  callers: [1, 2],
  check: null,
  result: null,
  ...change,
});

beforeEach(() => void (language.lang = 'en'));

test('masks have names, with and without their article', () => {
  expect([maskName(FOX, en), theMask(FOX, en), maskName(FOX, fr)]).toEqual(['Fox', 'the fox', 'Renard']);
  expect(maskName(99, en)).toBe('');
});

describe('the status', () => {
  const status = (yours: number[], change: Partial<KabukiView> = {}) =>
    statusWords(view(change), yours, names, en);

  test.each([
    ['a caller', [2], {}, 'Has this actor worn the fox before? Call now!'],
    ['a caller who holds the next mask', [1], {}, 'Has this actor worn the fox before? Call now!'],
    [
      'the holder who has let it pass',
      [1],
      { callers: [2] },
      'You hold the flame. You may place it in a moment.',
    ],
    ['whoever placed it', [0], {}, 'Your mask is placed. The others may call.'],
    ['a spectator', [], {}, 'Whoever has seen this mask on this actor may call.'],
    ['everyone at the last mask', [2], { drawn: null }, 'The last mask. Call now, or the round ends.'],
    ['the placer', [1], { phase: 'place' }, 'Your turn: give the flame to an actor who has never worn it.'],
    ['the others', [0], { phase: 'place' }, 'Bo is choosing an actor for the flame.'],
    ['a device of several', [0, 1], { phase: 'place' }, 'Bo is choosing an actor for the flame.'],
    ['a new round', [0], { phase: 'place', turn: null }, 'Round 2'],
    ['a check', [0], { check: CHECK }, 'Bo called “Stop!”'],
  ] as const)('of %s', (_, yours, change, said) => {
    expect(status([...yours], change as Partial<KabukiView>)).toBe(said);
  });

  test('of a game that is over', () => {
    expect(status([0], { result: { scores: [], winners: [], breakdown: [] } })).toBe('The game is over.');
  });
});

test('what lies open is said, and nothing that is covered', () => {
  expect(openWords(view(), [0], names, en)).toBe('Ana puts the fox on actor 3. Bo holds the flame.');
  expect(openWords(view(), [1], names, en)).toBe('Ana puts the fox on actor 3. You hold the flame.');
  expect(openWords(view({ placed: null, drawn: null }), [1], names, en)).toBe('');
  expect(openWords(view({ check: CHECK }), [1], names, en)).toBe('Fox, Flame, Fox, Monkey, Fox');
});

describe('the button', () => {
  test('says what would be called, or why nothing can be', () => {
    expect(stopButton(view(), 2, false, en).label).toBe('Stop! Actor 3 has worn the fox before');
    expect(stopButton(view(), 2, true, en).label).toBe('Stop! Pressed!');
    expect(stopButton(view(), 0, false, en).label).toBe('Stop! Your own mask');
    expect(stopButton(view({ callers: [] }), 2, false, en).label).toBe('Stop! You let it pass');
    expect(stopButton(view({ callers: [], phase: 'place' }), 2, false, en).label).toBe(
      'Stop! Nothing to call on',
    );
    expect(stopButton(view({ callers: [], phase: 'check' }), 0, false, en).label).toBe(
      'Stop! Nothing to call on',
    );
    expect(stopButton(view({ callers: [], placed: null }), 2, false, en).label).toBe(
      'Stop! Nothing to call on',
    );
  });
});

describe('the fan', () => {
  test('marks what was called on and where it was before, each mask at its place', () => {
    const { size, masks } = openMasks(CHECK, en);
    expect(size).toBeGreaterThan(0);
    expect(masks.map(({ label }) => label)).toEqual([
      'Fox, the same',
      'Flame',
      'Fox, the same',
      'Monkey',
      'Fox, on top',
    ]);
    expect(masks.map(({ match }) => match)).toEqual([true, false, true, false, false]);
    expect(masks.map(({ top }) => top)).toEqual([false, false, false, false, true]);
    expect(new Set(masks.map(({ angle }) => angle)).size).toBe(5);
  });

  test('is empty before the masks are shown', () => {
    expect(openMasks({ ...CHECK, masks: [] }, en).masks).toEqual([]);
  });
});

test('a ruling says who takes how much from whom', () => {
  expect(ruling({ ...CHECK, matches: 1, tokens: 1 }, names, en)).toBe(
    'It was there already: Bo takes 1 token from Ana.',
  );
  expect(ruling(CHECK, names, en)).toBe('It was there 2 times already: Bo takes 2 tokens from Ana.');
  expect(ruling({ ...CHECK, matches: 0, tokens: -1 }, names, en)).toBe(
    'It was not there: Bo gives a token back to the box.',
  );
});

describe('the scoreboard', () => {
  const person = { kind: 'person', here: true } as SeatInfo;
  const nobody = { you: false, level: null };

  test('adds up the rounds that are over', () => {
    const scores = [
      [5, 3, 7],
      [2, 8, 5],
    ];
    expect([0, 1, 2].map((seat) => totalOf(view({ scores }), seat))).toEqual([7, 11, 12]);
    expect(totalOf(view({ scores: [] }), 0)).toBe(0);
  });

  test('marks whoever holds the mask until the game is over', () => {
    expect([0, 1].map((seat) => holdsMask(view(), seat))).toEqual([false, true]);
    expect(holdsMask(view({ result: { scores: [], winners: [], breakdown: [] } }), 1)).toBe(false);
  });

  test('says who has let it pass, who is away, who is you, how well a bot plays', () => {
    expect([0, 1, 2].map((seat) => hasPassed(view({ callers: [2] }), seat))).toEqual([false, true, false]);
    expect(remarkOn(view({ callers: [2] }), 1, { ...person, here: false }, nobody, en)).toBe('lets it pass');
    expect(remarkOn(view(), 1, { ...person, here: false }, { you: true, level: null }, en)).toBe('away');
    expect(remarkOn(view(), 1, person, { you: true, level: null }, en)).toBe('you');
    expect(remarkOn(view(), 1, { ...person, kind: 'bot' }, { you: false, level: 'adept' }, en)).toBe('adept');
    expect(remarkOn(view(), 1, person, nobody, en)).toBe('');
    expect(remarkOn(view({ phase: 'place', callers: [2] }), 1, undefined, nobody, en)).toBe('');
  });
});

describe('the receipt', () => {
  const press = { arrived_ms: 0, allowed_ms: 0, effective_ms: 0, behind_ms: 0 };
  const receipt: Receipt = {
    seq: 9,
    seat: 1,
    decided_by: 'time',
    margin_ms: 12,
    presses: [
      { ...press, seat: 1, arrived_ms: 40, allowed_ms: 60, effective_ms: -20 },
      { ...press, seat: 2, behind_ms: 20 },
    ],
  };

  test('says how it was decided', () => {
    expect(receiptWords(receipt, names, en)).toBe('Bo pressed first, by 12 ms.');
    expect(receiptWords({ ...receipt, decided_by: 'alone' }, names, en)).toBe('Only Bo pressed.');
    expect(receiptWords({ ...receipt, decided_by: 'seat' }, names, en)).toBe(
      'An exact tie: Bo sits nearest to the placer’s left.',
    );
  });

  test('has every press’s figures, with a minus that is one', () => {
    expect(pressFigures(receipt, en)).toEqual([
      { seat: 1, figures: ['40 ms', '−60 ms', '−20 ms', '–'] },
      { seat: 2, figures: ['0 ms', '0 ms', '0 ms', '+20 ms'] },
    ]);
  });
});

test('the film tells each placement and what became of it', () => {
  const scene: Scene = {
    round: 1,
    seat: 0,
    mask: FOX,
    stack: 2,
    stacks: [],
    kind: 'right',
    caller: 1,
    tokens: 2,
  };
  expect(momentWords(scene, 4, 30, names, en)).toBe('Placement 5 of 30: Ana puts the fox on actor 3.');
  expect(cameWords(scene, names, en)).toBe('Bo called rightly and took 2 tokens.');
  expect(cameWords({ ...scene, kind: 'wrong', tokens: -1 }, names, en)).toBe(
    'Bo called wrongly and lost a token.',
  );
  expect(cameWords({ ...scene, kind: 'missed', caller: null }, names, en)).toBe(
    'It was there already, and nobody called.',
  );
  expect(cameWords({ ...scene, kind: 'fresh', caller: null }, names, en)).toBe('Nothing to call on.');
});

test('the log never names a mask', () => {
  const told = (fact: Parameters<typeof tell>[0]) => tell(fact, { names, yours: [0], lang: 'en' });
  expect(told(PLACED)).toBeNull();
  expect(told({ fact: 'drew', seat: 0, mask: FOX })).toBeNull();
  expect(told({ fact: 'check_opened', masks: [FOX] } as Parameters<typeof tell>[0])).toBeNull();
  expect(told({ fact: 'stopped', mask: FOX, held: [3, 7, 5], ...CHECK } as Parameters<typeof tell>[0])).toBe(
    'Bo calls “Stop!”. It was there 2 times already: Bo takes 2 tokens from Ana.',
  );
  expect(
    told({
      fact: 'round_started',
      round: 2,
      first: 1,
      tokens: [5, 5, 5],
      rounds: 3,
      deck: Array<number>(10).fill(5),
      actors: 4,
    }),
  ).toBe('Round 2: Bo begins.');
  expect(told({ fact: 'round_ended', by: 1, cause: 'tokens', tokens: [7, 0, 8] })).toBe(
    'The round ends: Bo has no token left. Ana 7, Bo 0, Cleo 8.',
  );
  expect(told({ fact: 'round_ended', by: 1, cause: 'deck', tokens: [7, 1, 7] })).toBe(
    'The round ends with the last mask, placed by Bo. Ana 7, Bo 1, Cleo 7.',
  );
  expect(told({ fact: 'game_ended', scores: [9, 6, 3], winners: [0], breakdown: [] })).toBe(
    'The game is over: Ana 9, Bo 6, Cleo 3.',
  );
});
