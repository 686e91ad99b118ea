/** Frames are read as they were written, and shown smoothly on an uneven link. */
import { describe, expect, it } from 'vitest';
import samples from '../testing/samples.json';
import { TICKS_A_SECOND } from '../constants';
import { between, Playback, readFrame, readMotion, type Frame, type Pose } from './frames';

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

const bytesOf = (base64: string): ArrayBuffer => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)).buffer;
const parts = ({ x, y, z, qw, qx, qy, qz }: Pose): number[] => [x, y, z, qw, qx, qy, qz];
function close(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((each, i) => expect(found[i]).toBeCloseTo(each, 6));
}

describe('readMotion', () => {
  it('reads every frame as the server does', async () => {
    const frames = await readMotion(bytesOf(samples.motion));
    expect(frames).toHaveLength(samples.frames.length);
    expect(samples.frames.flatMap(({ aims }) => aims)).not.toEqual([]);
    expect(samples.frames.filter(({ ghost }) => ghost)).toHaveLength(2);
    samples.frames.forEach((wanted, number) => {
      const { tick, held, secondsLeft, bodies, aims, ghost } = frames[number] ?? frame(-1);
      expect([tick, held, secondsLeft]).toEqual([wanted.tick, wanted.held, wanted.left]);
      expect([...bodies.keys()]).toEqual(wanted.bodies.map(({ body }) => body));
      for (const { body, pose: at } of wanted.bodies) close(parts(bodies.get(body) ?? pose(NaN)), at);
      expect([...aims.keys()]).toEqual(wanted.aims.map(({ seat }) => seat));
      for (const { seat, aim: aimed, big, in: loadedIn } of wanted.aims) {
        const aim = aims.get(seat);
        close([aim?.at ?? NaN, aim?.yaw ?? NaN, aim?.pitch ?? NaN, aim?.power ?? NaN], aimed);
        expect([aim?.big, aim?.loadedIn]).toEqual([big, loadedIn]);
      }
      if (wanted.ghost === null) expect(ghost).toBeUndefined();
      else if ((wanted.ghost[2] ?? 0) < -0.5) expect(ghost, 'nowhere in particular').toBeNull();
      else close(parts(ghost ?? pose(NaN)), wanted.ghost);
    });
  });

  it('refuses what is no motion', async () => {
    await expect(readMotion(new ArrayBuffer(20))).rejects.toThrow('no motion');
  });
});

describe('between', () => {
  it('goes along the line, and turns the shorter way', () => {
    const [a, b] = [pose(0), { ...pose(0.2), qw: -Math.SQRT1_2, qz: -Math.SQRT1_2 }];
    const half = between(a, b, 0.5);
    const eighth = Math.PI / 8;
    close(parts(half), [0.1, 0, 0, Math.cos(eighth), 0, 0, Math.sin(eighth)]);
  });

  it('does not fly what was put elsewhere', () => {
    const far = pose(1.5);
    expect(between(pose(0), far, 0.1)).toBe(far);
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

  it('keeps what a frame does not mention, until another turn', () => {
    const playback = new Playback();
    const aim = { at: 0.1, yaw: 0, pitch: 0, power: 0, big: false, loadedIn: 0 };
    playback.take({ ...frame(0), held: 4, ghost: pose(0.3), aims: new Map([[1, aim]]), secondsLeft: 9 }, 0);
    playback.take(frame(2), 0.03);
    expect(playback.ghost?.x).toBe(0.3);
    expect(playback.aims.get(1)).toBe(aim);
    expect([playback.held, playback.secondsLeft]).toEqual([null, 0]);
    playback.take({ ...frame(4), ghost: null }, 0.07);
    expect(playback.ghost).toBeNull();
    playback.take({ ...frame(6), ghost: pose(0.3) }, 0.1);
    playback.take(frame(1), 5);
    expect([playback.aims.size, playback.ghost]).toEqual([0, null]);
  });

  it('shows a body that begins to move from where it lay, not as if it had moved all the time', () => {
    const playback = new Playback();
    playback.take(frame(0, [0, pose(0)]), 0);
    playback.take(frame(60, [0, pose(0.1)]), 1);
    const halfway = playback.at(0.5 + Playback.DELAY)[0]?.x;
    expect(halfway).toBe(0);
  });

  it('knows nothing before the first frame', () => {
    const playback = new Playback();
    expect(playback.at(1)).toEqual([]);
    expect(playback.newest).toEqual([]);
    expect(playback.isNewTurn(frame(0))).toBe(true);
  });
});
