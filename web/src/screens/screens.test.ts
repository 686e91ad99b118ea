/**
 * Every screen's fold, held against the server's own views: after each step the folded view has
 * what the server's has. `tests/web/test_vitest.py` plays the games; their file is in KOTATSU_TOLD.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { GameTexts } from './screens';
import { loadScreen } from './load';
import { plainTitle } from './screens';
import type { Waiting } from '../protocol/wire';

interface ToldGame {
  players: number;
  seat: number | null;
  view: unknown;
  steps: { facts: unknown[]; waiting: Waiting | null; view: object }[];
}

const file = process.env.KOTATSU_TOLD;
const games = file ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, ToldGame[]>) : {};
const screens = Object.keys(import.meta.glob('../../../src/kotatsu/games/*/web/index.ts')).map(
  (path) => path.split('/').at(-3) ?? '',
);

function shape(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shape(item)]));
}

const words = ({ options, ...texts }: GameTexts) => texts;

describe.each(screens)('the screen of %s', (name) => {
  test('has the same words in both languages', async () => {
    const screen = await loadScreen(name);
    expect(shape(words(screen!.texts.fr))).toEqual(shape(words(screen!.texts.en)));
    expect(Object.keys(screen!.texts.fr.options)).toEqual(Object.keys(screen!.texts.en.options));
  });

  test.skipIf(!file)('folds what it is told into what the server sees', async () => {
    const screen = await loadScreen(name);
    expect(games[name]?.length).toBeGreaterThan(0);
    for (const told of games[name] ?? []) {
      let view = told.view;
      for (const [number, step] of told.steps.entries()) {
        view = screen!.settle(step.facts.reduce(screen!.fold, view), step.waiting, step.facts);
        expect(view, `${told.players} players, seat ${told.seat}, step ${number + 2}`).toMatchObject(
          step.view,
        );
      }
    }
  });

  test.skipIf(!file)('tells every fact in both languages, and how the game ended', async () => {
    const screen = await loadScreen(name);
    const told = games[name]?.find(({ steps }) => screen!.outcome(steps.at(-1)?.view));
    expect(told, 'no game came to its end').toBeDefined();
    const names = Array.from({ length: told?.players ?? 0 }, (_, seat) => `player ${seat}`);
    for (const fact of told?.steps.flatMap((step) => step.facts) ?? [])
      for (const lang of ['en', 'fr'] as const) {
        const line = screen!.tell(fact, { names, yours: [0], lang });
        if (line !== null) expect(line).toMatch(/^[^{}]+$/);
      }
    expect(screen!.outcome(told?.steps.at(-1)?.view)?.scores).toHaveLength(told?.players ?? 0);
  });
});

test('a game without a screen plays through the generic one, under its own name', async () => {
  expect(await loadScreen('no_such_game')).toBeNull();
  expect(plainTitle('tic_tac_toe')).toBe('Tic tac toe');
});
