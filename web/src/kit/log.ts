/** The log beside a board. */

/** What happened, in words; `id` rises from line to line. */
export interface LogLine {
  id: number;
  text: string;
}

/** More than this nobody reads while a game goes on; the replay has all of it. */
const SHOWN = 40;

/** The lines the log shows: the newest first. */
export const latest = (lines: readonly LogLine[]): LogLine[] => lines.slice(-SHOWN).toReversed();
