/** Frames are read as they were written, and shown smoothly on an uneven link. */
import { describe, expect, it } from 'vitest';
import { TICKS_A_SECOND } from '../constants';
import { Playback, readFrame, type Frame, type Pose } from './frames';

const pose = (x: number): Pose => ({ x, y: 0, z: 0, qw: 1, qx: 0, qy: 0, qz: 0 });
const frame = (tick: number, ...bodies: [number, Pose][]): Frame => ({
  tick,
  held: null,
  secondsLeft: 0,
  bodies: new Map(bodies),
  aims: new Map(),
  ghost: undefined,
});

describe('readFrame', () => {
  it('reads a header and a body', () => {
    const bytes = new DataView(new ArrayBuffer(21));
    bytes.setUint8(0, 1);
    bytes.setUint8(1, 3);
    bytes.setUint16(2, 1250, true);
    bytes.setUint32(4, 77, true);
    bytes.setUint8(8, 5 + 32 * 3);
    bytes.setInt16(9, 4000, true);
    bytes.setInt16(11, -4000, true);
    bytes.setInt16(13, 600, true);
    const read = readFrame(bytes.buffer);
    expect(read).toMatchObject({ tick: 77, held: 3, secondsLeft: 12.5 });
    const { x, y, z, qw, qz } = read?.bodies.get(5) ?? { x: 0, y: 0, z: 0, qw: 0, qz: 0 };
    [0.1, -0.1, 0.015, 0, 1].forEach((wanted, i) => expect([x, y, z, qw, qz][i]).toBeCloseTo(wanted, 6));
  });

  it('refuses what is no frame', () => {
    expect(readFrame(new ArrayBuffer(0))).toBeNull();
    expect(readFrame(new ArrayBuffer(9))).toBeNull();
    expect(readFrame(new ArrayBuffer(8))).toBeNull();
  });
});

describe('Playback', () => {
  it('moves evenly on a link of 100 ± 30 ms', () => {
    const playback = new Playback();
    const speed = 0.5;
    const arrivals: { at: number; frame: Frame }[] = [];
    for (let tick = 0; tick < 240; tick += 2) {
      const jitter = ((tick * 7919) % 61) / 1000 - 0.03;
      const at = tick / TICKS_A_SECOND + 0.1 + jitter;
      arrivals.push({ at, frame: frame(tick, [0, pose((speed * tick) / TICKS_A_SECOND)]) });
    }
    // A socket keeps the order: what comes late holds up what is behind it.
    for (let i = 1; i < arrivals.length; i++) {
      const [before, now] = [arrivals[i - 1], arrivals[i]];
      if (before && now) now.at = Math.max(now.at, before.at);
    }
    const seen: number[] = [];
    let next = 0;
    for (let now = 0.5; now < 3.5; now += 1 / 60) {
      for (; (arrivals[next]?.at ?? Infinity) <= now; next++) {
        const arrived = arrivals[next];
        if (arrived) playback.take(arrived.frame, arrived.at);
      }
      seen.push(playback.at(now)[0]?.x ?? 0);
    }
    const steps = seen.slice(1).map((x, i) => x - (seen[i] ?? 0));
    const even = speed / 60;
    expect(Math.min(...steps)).toBeGreaterThan(0.4 * even);
    expect(Math.max(...steps)).toBeLessThan(1.6 * even);
  });

  it('lets a body rest that no frame mentions', () => {
    const playback = new Playback();
    playback.take(frame(0, [0, pose(0)], [1, pose(5)]), 0);
    playback.take(frame(60, [0, pose(0.1)]), 1);
    expect(playback.at(1)[1]?.x).toBe(5);
    expect(playback.at(0.9)[0]?.x).toBe(0);
    expect(playback.at(2)[0]?.x).toBe(0.1);
  });

  it('begins anew with another turn', () => {
    const playback = new Playback();
    playback.take(frame(500, [0, pose(1)]), 10);
    playback.take(frame(2, [0, pose(0)]), 11);
    expect(playback.at(12)[0]?.x).toBe(0);
  });
});
