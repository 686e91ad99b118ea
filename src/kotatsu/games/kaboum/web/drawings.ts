/** The drawings of the towers, by tile. */
const files = import.meta.glob<string>('./art/towers/*.svg', {
  query: '?url',
  import: 'default',
  eager: true,
});

export const DRAWINGS: string[] = Object.keys(files).map(
  (_, tile) => files[`./art/towers/${tile}.svg`] ?? '',
);
