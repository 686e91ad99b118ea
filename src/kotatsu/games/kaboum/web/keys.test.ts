/** Keys act when they are pressed, go on while they are held, and do less with Shift. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Keys, type Actions, type KeyPress } from './keys';

const key = (name: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key: name,
  shiftKey: false,
  repeat: false,
  ...more,
});
let keys: Keys;
let once: number;
let steps: number[];
let actions: Actions;

beforeEach(() => {
  keys = new Keys();
  once = 0;
  steps = [];
  actions = { space: { once: () => once++ }, a: { held: (by) => steps.push(by) } };
});

describe('Keys', () => {
  it('knows its own keys, large or small', () => {
    expect(keys.press(key('x'), actions, 0)).toBe(false);
    expect(keys.press(key('A'), actions, 0)).toBe(true);
    expect(keys.press(key(' '), actions, 0)).toBe(true);
    expect([once, steps]).toEqual([1, [1]]);
  });

  it('acts once, however long it is held', () => {
    keys.press(key(' '), actions, 0);
    keys.press(key(' ', { repeat: true }), actions, 0.5);
    keys.step(1, 0.5, actions);
    expect(once).toBe(1);
  });

  it('goes on after a moment, until it is let go', () => {
    keys.press(key('a'), actions, 10);
    keys.step(10.1, 0.1, actions);
    expect(steps, 'not at once').toEqual([1]);
    keys.step(10.5, 0.5, actions);
    expect(steps[1]).toBeCloseTo(13, 6);
    keys.release(key('a'));
    keys.step(11, 0.5, actions);
    expect(steps).toHaveLength(2);
  });

  it('does a fifth with Shift', () => {
    keys.press(key('A', { shiftKey: true }), actions, 0);
    keys.step(1, 0.5, actions);
    expect(steps[0]).toBeCloseTo(0.2, 6);
    expect(steps[1]).toBeCloseTo(2.6, 6);
    keys.release(key('Shift'));
    keys.step(2, 0.5, actions);
    expect(steps[2], 'Shift is let go first').toBeCloseTo(13, 6);
  });

  it('forgets everything when whoever pressed has gone', () => {
    keys.press(key('a'), actions, 0);
    keys.clear();
    keys.step(1, 0.5, actions);
    expect(steps).toHaveLength(1);
  });

  it('does nothing with a key that means nothing any more', () => {
    keys.press(key('a'), actions, 0);
    keys.step(1, 0.5, {});
    expect(steps).toHaveLength(1);
  });
});
