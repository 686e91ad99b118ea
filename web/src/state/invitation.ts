/** The address others open to come to a table. */
export const tableAddress = (id: string): string => `${location.origin}/t/${encodeURIComponent(id)}`;

/** Whether this page's address means “this very machine”, so that a phone would look for the table in itself. */
export function onlyOnThisMachine(host = location.hostname): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}
