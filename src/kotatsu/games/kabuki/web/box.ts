/** What is in the box, from the same file the rules read. */
import data from '../data.json';

/** The designs by their number, as the drawings and the texts name them. */
export const MASKS = data.masks;
export const ACTORS = data.actors;
