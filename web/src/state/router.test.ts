import { expect, test } from 'vitest';
import { routeOf } from './router.svelte';

test.each([
  ['/', { page: 'home' }],
  ['/t/abc', { page: 'table', table: 'abc' }],
  ['/how/kimono', { page: 'how', game: 'kimono' }],
  ['/replay/abc', { page: 'replay', table: 'abc' }],
  ['/big/abc', { page: 'big', table: 'abc' }],
  ['/history', { page: 'history' }],
  ['/replay/', { page: 'lost' }],
  ['/t/', { page: 'lost' }],
  ['/t/abc/more', { page: 'lost' }],
  ['/elsewhere', { page: 'lost' }],
])('%s', (path, route) => {
  expect(routeOf(path)).toEqual(route);
});
