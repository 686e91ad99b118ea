/** What the house says of its games, asked once. */
import { api } from '../protocol/api';
import type { GameInfo } from '../protocol/wire';

let asked: Promise<GameInfo[]> | null = null;

/** A game on the shelf; `null` if it has gone. */
export async function gameInfo(name: string): Promise<GameInfo | null> {
  asked ??= api.games();
  try {
    return (await asked).find((game) => game.name === name) ?? null;
  } catch (error) {
    asked = null;
    throw error;
  }
}

/** The bots for whoever does not choose: the second-easiest. */
export const friendlyLevel = (levels: readonly string[]): string => levels[1] ?? levels[0] ?? 'random';
