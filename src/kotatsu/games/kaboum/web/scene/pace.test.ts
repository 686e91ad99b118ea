/** A machine that does not keep up gets less to draw, one that does gets more, and what stands still is drawn well. */
import { describe, expect, it } from 'vitest';
import { Pace } from './pace';

const [QUICK_MS, SLOW_MS] = [16, 60];
/** Pictures come so late for so long; what the quality changed to, in order. */
function draw(pace: Pace, late: number, milliseconds: number): string[] {
  const changes: string[] = [];
  for (let time = 0; time < milliseconds; time += late) {
    const quality = pace.busy(late);
    if (quality) changes.push(`${quality.ratio}${quality.shadows ? ' shadows' : ''}`);
  }
  return changes;
}

describe('Pace', () => {
  it('begins with the best the screen can show', () => {
    expect(new Pace(3).best).toEqual({ ratio: 2, shadows: true });
    expect(new Pace(1.5).best).toEqual({ ratio: 1.5, shadows: true });
    expect(new Pace(1).best).toEqual({ ratio: 1, shadows: true });
  });

  it('stays there on a quick machine', () => expect(draw(new Pace(2), QUICK_MS, 60_000)).toEqual([]));

  it('goes down step by step on a slow one, and no further than to the quickest', () => {
    expect(draw(new Pace(2), SLOW_MS, 60_000)).toEqual(['1.5 shadows', '1 shadows', '1', '0.7']);
  });

  it('forgives a moment', () => {
    const pace = new Pace(2);
    expect(draw(pace, SLOW_MS, 1500)).toEqual([]);
    expect(draw(pace, QUICK_MS, 3000)).toEqual([]);
    expect(draw(pace, SLOW_MS, 1500)).toEqual([]);
  });

  it('does not count the time nobody looked at the page', () => {
    const pace = new Pace(2);
    expect(pace.busy(3_600_000)).toBeNull();
    expect(draw(pace, QUICK_MS, 1000)).toEqual([]);
  });

  it('tries a better picture again, but not for ever', () => {
    const pace = new Pace(1);
    expect(draw(pace, SLOW_MS, 3000)).toEqual(['1']);
    expect(draw(pace, QUICK_MS, 7000)).toEqual(['1 shadows']);
    expect(draw(pace, SLOW_MS, 3000)).toEqual(['1']);
    expect(draw(pace, QUICK_MS, 7000)).toEqual(['1 shadows']);
    expect(draw(pace, SLOW_MS, 3000)).toEqual(['1']);
    expect(draw(pace, QUICK_MS, 60_000)).toEqual([]);
  });

  it('draws one good picture once nothing moves, and goes back when something does', () => {
    const pace = new Pace(1);
    draw(pace, SLOW_MS, 3000);
    expect(pace.idle(400)).toBeNull();
    expect(pace.idle(400)).toEqual({ ratio: 1, shadows: true });
    expect(pace.idle(4000), 'one is enough').toBeNull();
    expect(pace.busy(QUICK_MS)).toEqual({ ratio: 1, shadows: false });
    expect(pace.busy(QUICK_MS)).toBeNull();
  });

  it('has nothing better to draw where everything is drawn at its best', () => {
    expect(new Pace(2).idle(9000)).toBeNull();
  });
});
