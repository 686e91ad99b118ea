import { expect, test } from 'vitest';
import { readOptions } from './options';

test('switches, numbers with their limits and choices are offered; other kinds keep their default', () => {
  const schema = {
    properties: {
      fast: { type: 'boolean', default: true },
      rounds: { type: 'integer', default: 3, minimum: 1, maximum: 9 },
      deck: { enum: ['short', 'long'], default: 'short' },
      help: { anyOf: [{ type: 'array' }, { enum: ['much', 'none'] }], default: 'much' },
      note: { type: 'string', default: '' },
    },
  };
  expect(readOptions(schema)).toEqual([
    { name: 'fast', kind: 'switch', value: true, choices: [] },
    { name: 'rounds', kind: 'number', value: 3, choices: [], min: 1, max: 9 },
    { name: 'deck', kind: 'choice', value: 'short', choices: ['short', 'long'] },
    { name: 'help', kind: 'choice', value: 'much', choices: ['much', 'none'] },
  ]);
  expect(readOptions({})).toEqual([]);
});

test('defaults of the table take the place of those of the schema', () => {
  const schema = {
    properties: { turn_s: { type: 'number', default: 0 }, loud: { type: 'boolean', default: true } },
  };
  expect(readOptions(schema, { turn_s: 30, loud: false }).map((option) => option.value)).toEqual([30, false]);
});
