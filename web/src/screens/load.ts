/**
 * Which games bring a screen of their own. No list names them: every game folder with a
 * `web/index.ts` is found when the page is built, and loaded when it is needed.
 */
import type { Screen } from './screens';

const found = import.meta.glob<{ default: Screen }>('../../../src/kotatsu/games/*/web/index.ts');

const loaders = new Map(
  Object.entries(found).map(([path, load]) => [path.split('/').at(-3) ?? path, load] as const),
);

/** The screen of a game, or `null` if it brings none. */
export async function loadScreen(game: string): Promise<Screen | null> {
  const load = loaders.get(game);
  return load ? (await load()).default : null;
}

/** Begin to load every screen, before the house has said which games it has: they come together. */
export function fetchScreens(): void {
  for (const load of loaders.values()) void load().catch(() => undefined);
}
