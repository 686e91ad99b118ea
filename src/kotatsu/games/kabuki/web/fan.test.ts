import { expect, test } from 'vitest';
import { fanOf } from './fan';

test.each([1, 2, 9, 13, 20, 33, 50])(
  'a stack of %i masks fits on the fan, each in a place of its own',
  (count) => {
    const { size, blades } = fanOf(count);
    expect(blades).toHaveLength(count);
    const places = blades.map(({ angle, radius }) => {
      const turn = (angle * Math.PI) / 180;
      return [radius * Math.sin(turn), radius * Math.cos(turn)] as const;
    });
    for (const [index, [x, y]] of places.entries()) {
      expect(Math.abs(x) + size / 2).toBeLessThanOrEqual(0.5);
      for (const [otherX, otherY] of places.slice(index + 1))
        expect(Math.hypot(x - otherX, y - otherY)).toBeGreaterThan(size * 0.75);
    }
  },
);
