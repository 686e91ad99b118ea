/** The board's state needs no browser: it may know neither what draws it nor what shows it. */
import { expect, test } from 'vitest';

const files = import.meta.glob<string>(['./*.ts', '../*.ts', '../net/*.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
/** Those that are for the page. */
const OF_THE_PAGE = ['./shown.svelte.ts', '../index.ts', '../events.ts'];
const SEEN = Object.keys(files).filter((file) => !OF_THE_PAGE.includes(file) && !file.endsWith('.test.ts'));

test('these are all the files of it', () => {
  expect(SEEN).toEqual(
    expect.arrayContaining(['./board.ts', './controls.ts', '../hand.ts', '../pointing.ts']),
  );
});

test.each(SEEN)('%s imports neither three.js nor a component nor the scene', (file) => {
  const imports = (files[file] ?? '').match(/^import (?!type )[^;]*;/gm) ?? [];
  expect(
    imports.filter((each) => /'three|\.svelte';|\/scene\//.test(each) && !/i18n\.svelte'/.test(each)),
  ).toEqual([]);
});
