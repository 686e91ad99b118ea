/** One chapter of a game's how-to-play page; a game adds what its pictures need. */
export interface Chapter {
  title: string;
  /** Its paragraphs. */
  text: string[];
}
