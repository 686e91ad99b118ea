import { expect, test } from 'vitest';
import { onlyOnThisMachine } from './invitation';

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['192.168.1.20', false],
  ['kotatsu.example.org', false],
])('%s', (host, here) => {
  expect(onlyOnThisMachine(host)).toBe(here);
});
