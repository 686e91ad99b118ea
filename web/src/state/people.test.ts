import { expect, test } from 'vitest';
import { seatNames } from './people.svelte';
import type { SeatInfo } from '../protocol/wire';

const seat = (kind: SeatInfo['kind'], name = ''): SeatInfo =>
  ({ kind, name, level: kind === 'bot' ? 'adept' : null, here: true }) as SeatInfo;

test('people go by their names, bots by those of house spirits', () => {
  const seats = [seat('person', 'Ana'), seat('bot'), seat('person'), seat('open')];
  expect(seatNames(seats)).toEqual(['Ana', 'Kitsune', 'Guest 3', 'Open seat']);
});

test('two of the same name are told apart, open seats need not be', () => {
  const seats = [seat('person', 'Ana'), seat('person', 'Ana'), seat('open'), seat('open')];
  expect(seatNames(seats)).toEqual(['Ana 1', 'Ana 2', 'Open seat', 'Open seat']);
});
