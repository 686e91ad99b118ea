import { expect, test } from 'vitest';
import { scenesOf, talliesOf } from './film';

const placed = (seat: number, mask: number, stack: number) => ({ fact: 'placed', seat, mask, stack });
const stopped = (seat: number, against: number, matches: number, tokens: number) => ({
  fact: 'stopped',
  seat,
  against,
  stack: 0,
  mask: 7,
  matches,
  tokens,
});

const LOG = [
  { fact: 'round_started', round: 1, first: 0, tokens: [5, 5] },
  { seat: 0, move: 'place', stack: 0 },
  placed(0, 7, 0),
  placed(1, 3, 0),
  placed(0, 7, 0),
  stopped(1, 0, 1, 1),
  placed(1, 3, 1),
  stopped(0, 1, 0, -1),
  placed(0, 7, 0),
  { fact: 'round_started', round: 2, first: 1, tokens: [5, 5] },
  placed(1, 7, 0),
];

test('each placement is shown with the stacks of its moment and what became of it', () => {
  const scenes = scenesOf(LOG, 4);
  expect(scenes.map(({ round, kind }) => [round, kind])).toEqual([
    [1, 'fresh'],
    [1, 'fresh'],
    [1, 'right'],
    [1, 'wrong'],
    [1, 'missed'],
    [2, 'fresh'],
  ]);
  expect(scenes[2]).toMatchObject({ caller: 1, tokens: 1, stacks: [[7, 3, 7], [], [], []] });
  expect(scenes[4]).toMatchObject({ caller: null, stacks: [[7, 3, 7, 7], [3], [], []] });
  expect(scenes[5]?.stacks).toEqual([[7], [], [], []]);
});

test('who called rightly and wrongly, who repeated a mask, and how often nobody noticed', () => {
  expect(talliesOf(scenesOf(LOG, 4), 2)).toEqual([
    { right: 0, wrong: 1, slips: 2, lucky: 1 },
    { right: 1, wrong: 0, slips: 0, lucky: 0 },
  ]);
});
