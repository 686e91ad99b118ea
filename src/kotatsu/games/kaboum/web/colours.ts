/** Whose catapult, name and arc it is. */
export const SEAT_COLOURS = ['#d5472f', '#2f78c4', '#3f9a4c', '#e0a02a', '#8a55b0'];
