import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { language } from '../i18n/i18n.svelte';
import type { SeatInfo } from '../protocol/wire';
import { durationWords } from './duration';
import { digitOf, isModified, stepAround } from './keys';
import { latest } from './log';
import { partsOf, victoryWords } from './outcome';
import { firstOffer, isYou, ownSeat, seatRemarks, seatsFrom } from './seats';
import { keep, kept } from './storage';
import { seatWords } from './teller';
import { counted, wordFor } from './text';
import { Ticking } from './ticking.svelte';
import { clockFace, msLeft, secondsLeft, shareLeft } from './time';

beforeEach(() => void (language.lang = 'en'));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('keys', () => {
  test.each([
    ['ArrowRight', 2, 0],
    ['ArrowDown', 0, 1],
    ['ArrowLeft', 0, 2],
    ['ArrowUp', 1, 0],
    ['Enter', 1, null],
    ['1', 1, null],
  ])('%s from number %i of three leads to %s', (key, at, goal) => {
    expect(stepAround(key, at, 3)).toBe(goal);
  });

  test('there is nowhere to go among nothing', () => {
    expect(stepAround('ArrowRight', 0, 0)).toBeNull();
    expect(stepAround('ArrowRight', 0, 1)).toBe(0);
  });

  test('only the keys 0 to 9 are digits', () => {
    expect(['0', '7', '10', ' ', '', 'F1', '٣'].map(digitOf)).toEqual([0, 7, null, null, null, null, null]);
  });

  test('a key with a modifier is not a game’s', () => {
    const plain = { ctrlKey: false, metaKey: false, altKey: false };
    expect(isModified(plain)).toBe(false);
    for (const held of ['ctrlKey', 'metaKey', 'altKey'])
      expect(isModified({ ...plain, [held]: true })).toBe(true);
  });
});

describe('seats', () => {
  test('the first seat that may move is offered', () => {
    expect(
      firstOffer([
        { seat: 2, moves: ['a', 'b'] },
        { seat: 3, moves: ['c'] },
      ]),
    ).toEqual({
      seat: 2,
      moves: ['a', 'b'],
    });
    expect(firstOffer([])).toEqual({ seat: null, moves: [] });
  });

  test('one’s own seat is the one to move, else the first; a spectator has none', () => {
    expect(ownSeat(2, [0, 2])).toBe(2);
    expect(ownSeat(1, [0, 2])).toBe(0);
    expect(ownSeat(null, [3])).toBe(3);
    expect(ownSeat(1, [])).toBeNull();
  });

  test('who plays one seat is “you”; who plays several goes by their names', () => {
    expect(isYou(1, [1])).toBe(true);
    expect(isYou(0, [1])).toBe(false);
    expect(isYou(1, [0, 1])).toBe(false);
    expect(isYou(0, [])).toBe(false);
    expect(isYou(null, [1])).toBe(false);
  });

  test('seats go around the table', () => {
    expect(seatsFrom(2, 4)).toEqual([2, 3, 0, 1]);
    expect(seatsFrom(3, 3, 2)).toEqual([0, 1]);
    expect(seatsFrom(0, 1, 0)).toEqual([]);
  });

  test('behind a name stand level, “you” and “away”, each where it applies', () => {
    const person = { kind: 'person', here: true } as SeatInfo;
    expect(seatRemarks(person, false, null)).toEqual([]);
    expect(seatRemarks({ ...person, here: false }, true, null)).toEqual(['you', 'away']);
    expect(seatRemarks({ ...person, kind: 'bot', here: false }, false, 'adept')).toEqual(['adept']);
    expect(seatRemarks(undefined, false, null)).toEqual([]);
  });
});

describe('words', () => {
  test('one has a form of its own', () => {
    const forms = ['{count} mask', '{count} masks'];
    expect([0, 1, 2].map((count) => counted(forms, count))).toEqual(['0 masks', '1 mask', '2 masks']);
    expect(counted([], 1)).toBe('');
  });

  test('a key without a word stands for itself', () => {
    expect(wordFor({ fox: 'the fox' }, 'fox')).toBe('the fox');
    expect(wordFor({}, 'heron')).toBe('heron');
  });

  test('seats are named, and only a lone player is “you”', () => {
    const { name, mine, figures } = seatWords(['Ana', 'Bo'], [1]);
    expect([name(0), name(4)]).toEqual(['Ana', '5']);
    expect([mine(1), mine(0)]).toEqual([true, false]);
    expect(seatWords(['Ana', 'Bo'], [0, 1]).mine(1)).toBe(false);
    expect(figures([3, 0, 2])).toBe('Ana 3, Bo 0, 3 2');
  });

  test('minutes begin with two of them', () => {
    expect([45.4, 119, 120, 1000].map(durationWords)).toEqual(['45 s', '119 s', '2 min', '17 min']);
  });
});

describe('outcome', () => {
  const names = ['Ana', 'Bo', 'Cleo'];

  test('the victory is told by name, as “you” to a lone winner, or shared', () => {
    expect(victoryWords([1], names)).toBe('Bo wins');
    expect(victoryWords([1], names, [1])).toBe('You win!');
    expect(victoryWords([1], names, [0, 1])).toBe('Bo wins');
    expect(victoryWords([0, 2], names, [0])).toBe('Ana and Cleo share the victory');
    expect(victoryWords([5], names)).toBe('6 wins');
    expect(victoryWords([], names, [0])).toBe('The game is over');
    language.lang = 'fr';
    expect(victoryWords([0, 2], names)).toBe('Ana et Cleo se partagent la victoire');
  });

  test('parts that brought nobody anything are left out', () => {
    const breakdown = [
      { stones: 3, house: 0, bonus: 0 },
      { stones: 0, house: 0, bonus: -1 },
    ];
    expect(partsOf(breakdown)).toEqual(['stones', 'bonus']);
    expect(partsOf([])).toEqual([]);
  });
});

describe('the log', () => {
  const lines = Array.from({ length: 50 }, (_, id) => ({ id, text: `line ${id}` }));

  test('shows the latest forty, the newest first, and leaves what it was given as it is', () => {
    const shown = latest(lines);
    expect(shown).toHaveLength(40);
    expect([shown[0]?.id, shown.at(-1)?.id]).toEqual([49, 10]);
    expect(lines[0]?.id).toBe(0);
    expect(latest([])).toEqual([]);
  });
});

describe('time', () => {
  test('what is left is never less than nothing, and the last second counts until it is over', () => {
    expect([msLeft(500, 200), msLeft(200, 500)]).toEqual([300, 0]);
    expect([secondsLeft(3000, 0), secondsLeft(3000, 1), secondsLeft(3000, 2999), secondsLeft(0, 1)]).toEqual([
      3, 3, 1, 0,
    ]);
  });

  test('the share that is left stays between none and all', () => {
    expect([shareLeft(4000, 0, 8), shareLeft(9000, 0, 8), shareLeft(0, 9000, 8)]).toEqual([0.5, 1, 0]);
  });

  test('a clock shows minutes and two digits of seconds', () => {
    expect([0, 1, 59_001, 60_000, 247_000, 3_600_000].map(clockFace)).toEqual([
      '0:00',
      '0:01',
      '1:00',
      '1:00',
      '4:07',
      '60:00',
    ]);
  });

  test('a ticking clock is read until it is stopped', () => {
    vi.useFakeTimers();
    const ticking = new Ticking();
    const begun = ticking.now;
    const stop = ticking.every(100);
    vi.advanceTimersByTime(250);
    expect(ticking.now - begun).toBe(200);
    stop();
    vi.advanceTimersByTime(1000);
    expect(ticking.now - begun).toBe(200);
  });

  test('a clock that is started again begins with the present', () => {
    vi.useFakeTimers();
    const ticking = new Ticking();
    const begun = ticking.now;
    vi.advanceTimersByTime(5000);
    expect(ticking.now).toBe(begun);
    ticking.every(100)();
    expect(ticking.now - begun).toBe(5000);
  });
});

describe('storage', () => {
  test('keeps a value until it is forgotten', () => {
    const store = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => store.set(key, value),
      removeItem: (key: string) => store.delete(key),
    });
    keep('a', '1');
    expect(kept('a')).toBe('1');
    keep('a', null);
    expect(kept('a')).toBeNull();
    expect(store.size).toBe(0);
  });

  test('a storage that refuses fails nobody', () => {
    const refuse = () => {
      throw new Error('forbidden');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
    keep('a', '1');
    keep('a', null);
    expect(kept('a')).toBeNull();
  });
});
