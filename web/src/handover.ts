/** Several people with secrets on one device: who is to look at it next. */

/**
 * The seat the device is to be handed to, or `null` while it is in the right hands.
 * Whoever looks stays until they have nothing left to do; then the next who has, clockwise, is asked for.
 */
export function nextEyes(
  held: readonly number[],
  movers: readonly number[],
  eyes: number | null,
): number | null {
  if (eyes !== null && movers.includes(eyes)) return null;
  const after = held.filter((seat) => eyes !== null && seat > eyes);
  const next = [...after, ...held].find((seat) => movers.includes(seat));
  if (next !== undefined) return next;
  return eyes === null ? (held[0] ?? null) : null;
}
