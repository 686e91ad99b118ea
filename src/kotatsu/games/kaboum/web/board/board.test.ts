/** The board as a whole, with a world that only listens: what is offered, shown and drawn. */
import type { Again } from '$web/screens/screens';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FIRST_DIE, PLACES, STOCK } from '../constants';
import type { Aim, Frame, Pose } from '../net/frames';
import { FakeCanvas, FakeEye, FakeWorld, frame, pixels, pose, stock, view } from '../testing/fakes';
import type { Fact, KaboumView } from '../wire';
import { TEXTS } from '../words';
import { Board } from './board';
import { rolesOf, type Roles } from './roles';
import { nothingShown, type Shown } from './shown';

const words = TEXTS.en;
const AIM: Aim = { at: 0.1, yaw: 0, pitch: 0.5, power: 0.5, big: false, loadedIn: 0 };
const key = (name: string) => ({ key: name, shiftKey: false, repeat: false });
const pointer = (x: number, y: number) => ({
  pointerId: 1,
  pointerType: 'mouse',
  button: 0,
  buttons: 1,
  ...pixels(x, y),
});

let told: KaboumView;
let yours: number[];
let again: Again | undefined;
let shown: Shown;
let world: FakeWorld;
let board: Board;
let heard: string[];
let shaken: number;
let film: Frame[] | null;

const roles = (): Roles =>
  rolesOf({ view: shown.frozen ?? told, playing: true, again: again !== undefined, yours, moves: [] });

beforeEach(() => {
  vi.useFakeTimers();
  [told, yours, again, heard, shaken, film] = [view(), [0], undefined, [], 0, null];
  [shown, world] = [nothingShown(), new FakeWorld()];
  board = new Board(shown, {
    told: () => told,
    roles,
    again: () => again,
    players: () => 3,
    words: () => words,
    lang: () => 'en',
    frames: () => Promise.resolve(film),
    sound: (sound) => heard.push(sound),
    shake: () => shaken++,
  });
  board.attach(new FakeEye(board.playback), new FakeCanvas());
  board.connect(world);
  board.take(frame(0, stock()), 0);
});

afterEach(() => vi.useRealTimers());

/** The view changes, and perhaps who sits here. */
function become(next: KaboumView, mine = yours): void {
  [told, yours] = [next, mine];
  board.settle();
}
const tell = (fact: Fact) => board.direct(fact);
const x = (poses: readonly (Pose | null)[], body: number) => poses[body]?.x;

describe('a builder', () => {
  it('sees the chosen piece outlined until it is in hand', () => {
    shown.chosen = 4;
    expect(board.picture(1).halo).toBe(4);
    board.press(key('Enter'), 1);
    expect(world.last('grab').piece).toBe(4);
    expect(board.picture(1).halo).toBeNull();
    board.step(1, 0.02);
    expect(shown.holding).toBe(true);
  });

  it('sees the piece in hand where it is wanted, at once', () => {
    board.pointing?.down(pointer(STOCK[4]?.x ?? 0, STOCK[4]?.y ?? 0));
    board.pointing?.move(pointer(0.3, 0));
    board.step(1, 0.02);
    const { poses } = board.picture(1);
    expect(poses[4]).toBe(shown.hand?.shown?.pose);
    expect(x(poses, 5)).toBe(STOCK[5]?.x);
    expect([shown.dragging, shown.place]).toEqual([true, null]);
  });

  it('is shown where the piece belongs while it is in hand', () => {
    const there = pose(0.1, 0.1, 0.015);
    board.take(frame(2, [], { ghost: there }), 0.1);
    expect(board.picture(1).ghost).toBeNull();
    shown.hand?.grab(3);
    expect(board.picture(1).ghost).toEqual({ piece: 3, pose: there });
    shown.hand?.putDown();
    expect(board.picture(1).ghost).toBeNull();
  });

  it('loses what the world does not give', () => {
    shown.hand?.grab(3);
    board.refused(0, 'KA-13', 'The hourglass is empty.');
    expect(shown.hand?.holding).toBe(false);
  });

  it('has no catapult and no arc', () => {
    board.take(
      frame(2, [], {
        aims: new Map([
          [0, AIM],
          [1, AIM],
        ]),
      }),
      0.1,
    );
    const { arc, aims } = board.picture(1);
    expect([arc, [...aims.keys()]]).toEqual([null, [1]]);
  });

  it('sees the tile that is pointed at, while it is in play', () => {
    const { x: tx = 0, y: ty = 0 } = PLACES[6] ?? {};
    board.pointing?.move({ ...pointer(tx, ty), buttons: 0 });
    expect(board.regarded).toBe(6);
    become(view({ tiles: [1, 2, 3] }));
    expect(board.regarded).toBeNull();
  });
});

describe('a saboteur', () => {
  beforeEach(() => become(view(), [1]));

  it('sees how a die would fly, as long as there is one', () => {
    expect(board.picture(1).arc).toEqual({ aim: shown.sling?.aim, seat: 1 });
    become(view({ ammo: [0, 0, 4], big_left: false }));
    expect(board.picture(1).arc).toBeNull();
  });

  it('sees the own catapult as it is aimed here, the others as the world says', () => {
    board.take(
      frame(2, [], {
        aims: new Map([
          [1, { ...AIM, loadedIn: 1.2 }],
          [2, AIM],
        ]),
      }),
      0.1,
    );
    shown.sling?.set({ yaw: 2 });
    const { aims } = board.picture(1);
    expect(aims.get(1)).toMatchObject({ yaw: 2, loadedIn: 1.2 });
    expect(aims.get(2)).toBe(AIM);
    board.step(1, 0.02);
    expect(shown.reloading).toBe(true);
  });

  it('has a loaded catapult while there are dice for it', () => {
    const { loaded } = board.picture(1);
    expect([loaded(1, false), loaded(1, true), loaded(2, true), loaded(0, false)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    become(view({ ammo: [0, 0, 4], big_left: false }));
    expect([loaded(1, false), loaded(1, true)]).toEqual([false, false]);
  });

  it('watches the gauge only when there is a blow to give', () => {
    board.step(0.55, 0.02);
    expect(shown.gauge).toBe(0);
    become(view({ striker: 1 }));
    board.step(0.55, 0.02);
    expect(shown.gauge).toBeCloseTo(0.5, 6);
    board.press(key('k'), 1);
    expect(world.last('strike').power).toBe(5);
  });

  it('goes on turning while a key is held, until the window is left', () => {
    const before = shown.sling?.aim.yaw ?? 0;
    board.press(key('ArrowLeft'), 1);
    board.step(2, 0.1);
    const turned = shown.sling?.aim.yaw ?? 0;
    expect(turned - before).toBeGreaterThan(0.05);
    board.leave();
    board.step(3, 0.1);
    expect(shown.sling?.aim.yaw).toBe(turned);
  });

  it('knows which die is in the catapult', () => {
    board.press(key('b'), 1);
    board.step(1, 0.02);
    expect(shown.big).toBe(true);
  });
});

describe('whoever only looks', () => {
  beforeEach(() => become(view(), []));

  it('can neither take nor shoot', () => {
    expect(board.press(key('Enter'), 1)).toBe(false);
    expect(board.pointing?.down(pointer(STOCK[4]?.x ?? 0, STOCK[4]?.y ?? 0))).toBe(false);
    expect(world.of('grab')).toEqual([]);
  });

  it('sees the hourglass run only while it does', () => {
    board.take(frame(60), 1);
    board.step(1, 0.02);
    expect(shown.left).toBe(59);
    become(view({ phase: 'ready' }));
    board.step(1, 0.02);
    expect(shown.left).toBe(0);
    expect([...board.picture(1).aims]).toEqual([]);
  });
});

describe('before the first frame', () => {
  it('the pieces lie in stock, and nobody points at anything', () => {
    const fresh = new Board(nothingShown(), board.page);
    expect(x(fresh.picture(1).poses, 7)).toBe(STOCK[7]?.x);
    expect(fresh.pointing).toBeNull();
    fresh.leave();
  });
});

describe('another turn', () => {
  it('begins with nothing in hand', () => {
    board.take(frame(600, stock()), 10);
    shown.hand?.grab(3);
    board.take(frame(602), 10.1);
    expect(shown.hand?.holding).toBe(true);
    board.take(frame(2, stock()), 20);
    expect(shown.hand?.holding).toBe(false);
  });
});

describe('what is said', () => {
  it('is a refusal in the words of the page, for a moment', () => {
    board.refused(1, 'KA-31', 'The catapult is not ready yet.');
    expect(shown.notice).toBe((words.refusals as Record<string, string>)['KA-31']);
    vi.advanceTimersByTime(3000);
    expect(shown.notice).toBe('');
    board.refused(1, 'no such clause', 'As the server says it.');
    expect(shown.notice).toBe('As the server says it.');
  });

  it('is nothing while a world is being set up', () => {
    board.refused(1, 'turn', 'No turn is under way yet.');
    expect(shown.notice).toBe('');
  });

  it('stays for its own time when something else is said meanwhile', () => {
    board.say('one');
    vi.advanceTimersByTime(2000);
    board.say('two');
    vi.advanceTimersByTime(1000);
    expect(shown.notice).toBe('two');
  });
});

describe('what happens', () => {
  it('is heard, each in its own way', () => {
    const facts: Fact[] = [
      { fact: 'turn_started', turn: 1, builder: 0, ammo: [], big_die: 1, tiles: [] },
      { fact: 'fired', seat: 1, die: 0, big: false },
      { fact: 'landed', seat: 1, die: 0, big: false, tile: null, kaboum: false },
      { fact: 'blocked', tile: 3 },
      { fact: 'completed', tile: 3 },
      { fact: 'toppled', tile: 3 },
      { fact: 'quake_granted', seat: 1 },
      { fact: 'quake', seat: 1 },
      { fact: 'turn_ended', builder: 0, scored: [], points: 0, next: 1, big_die: 2 },
    ];
    for (const fact of facts) expect(tell(fact)).toBeUndefined();
    expect(heard).toEqual(['begin', 'shot', 'knock', 'chime', 'fall', 'warning', 'quake', 'end']);
    expect(shaken).toBe(1);
  });

  it('is said over the tile where it happens, for a moment', () => {
    tell({ fact: 'completed', tile: 6 });
    const { x: tx = 0, y: ty = 0 } = PLACES[6] ?? {};
    expect(shown.pops).toHaveLength(1);
    expect(shown.pops[0]).toMatchObject({ x: (tx + 1) * 50, y: (1 - ty) * 50, kaboum: false });
    vi.advanceTimersByTime(1000);
    tell({ fact: 'toppled', tile: 6 });
    expect(shown.pops.map(({ id }) => id)).toEqual([0, 1]);
    vi.advanceTimersByTime(1000);
    expect(shown.pops.map(({ id }) => id)).toEqual([1]);
    vi.advanceTimersByTime(1000);
    expect(shown.pops).toEqual([]);
  });

  it('is KABOUM over a die that shows the sign, within the picture', () => {
    board.take(frame(2, [[FIRST_DIE + 3, pose(0.99, -0.99, 0)]]), 0.1);
    tell({ fact: 'landed', seat: 1, die: 3, big: false, tile: null, kaboum: false });
    expect(shown.pops).toEqual([]);
    tell({ fact: 'landed', seat: 1, die: 3, big: false, tile: null, kaboum: true });
    expect(shown.pops).toEqual([{ id: 0, text: words.told.kaboum, x: 88, y: 88, kaboum: true }]);
  });
});

describe('a film', () => {
  beforeEach(async () => {
    film = [frame(0, [[4, pose(0.3, 0, 0.1)]], { aims: new Map([[2, AIM]]) }), frame(120)];
    shown.chosen = 4;
    become(view({ phase: 'ready' }), [0]);
    await board.films.watch(1, 1);
  });

  it('is drawn instead of the table', () => {
    board.step(1, 0.5);
    const { poses, aims, halo, arc } = board.picture(1);
    expect([x(poses, 4), [...aims.keys()], halo, arc]).toEqual([0.3, [2], null, null]);
    expect([shown.filmTick, shown.left]).toEqual([30, 60]);
  });

  it('lets nobody touch anything', () => {
    become(view(), [0]);
    expect(board.pointing?.down(pointer(STOCK[4]?.x ?? 0, STOCK[4]?.y ?? 0))).toBe(false);
    board.films.stop();
    expect(board.pointing?.down(pointer(STOCK[4]?.x ?? 0, STOCK[4]?.y ?? 0))).toBe(true);
  });

  it('that is not there is said', async () => {
    film = null;
    board.films.stop();
    await board.films.watch(2, 1);
    expect(shown.notice).toBe(words.noFilm);
  });
});

describe('a game seen again', () => {
  it('shows a fact once the film has come to it', async () => {
    film = [frame(0, stock()), frame(120)];
    const ready = view({ phase: 'ready', turn: 0 });
    const started: Fact = { fact: 'turn_started', turn: 1, builder: 0, ammo: [], big_die: 1, tiles: [] };
    again = {
      steps: [{ seq: 1, at: 0, seat: 0, facts: [started], view: told }],
      at: 0,
      speed: 1,
      flows: true,
    };
    become(ready, []);
    const move = tell(started);
    told = view();
    expect([board.view, heard], 'as it was before').toEqual([ready, []]);
    await move?.();
    expect([board.view, heard]).toEqual([told, ['begin']]);
  });
});
