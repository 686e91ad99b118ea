/** Several people with secrets on one device: who is to look at it next. */

/**
 * The seat the device is to be handed to, or `null` while it is in the right hands.
 * Whoever looks stays until they have nothing left to do; then the next who has, clockwise, is asked for.
 */
export function nextViewpoint(
  held: readonly number[],
  movers: readonly number[],
  viewpoint: number | null,
): number | null {
  if (viewpoint !== null && movers.includes(viewpoint)) return null;
  const after = held.filter((seat) => viewpoint !== null && seat > viewpoint);
  const next = [...after, ...held].find((seat) => movers.includes(seat));
  if (next !== undefined) return next;
  return viewpoint === null ? (held[0] ?? null) : null;
}
