/** The parts of the kit that ask the page, with a page that is made up. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { copyText } from './copy';
import { fly } from './flight';
import { haste, pauseBetweenFacts, still } from './motion';

function page({ hidden = false, less = false } = {}) {
  vi.stubGlobal('document', { hidden });
  vi.stubGlobal('matchMedia', () => ({ matches: less }));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('motion', () => {
  test('nothing moves where nobody looks, or for whoever asked for less', () => {
    page();
    expect(still()).toBe(false);
    page({ hidden: true });
    expect(still()).toBe(true);
    page({ less: true });
    expect(still()).toBe(true);
  });

  test('the more waits, the quicker it goes', () => {
    expect([0, 1, 2].map(haste)).toEqual([1, 1, 1]);
    expect(haste(5)).toBe(0.5);
    expect(haste(8)).toBeLessThan(haste(5));
  });

  async function paused(waiting: number): Promise<number> {
    let over = false;
    void pauseBetweenFacts(waiting).then(() => (over = true));
    let ms = 0;
    for (await Promise.resolve(); !over; ms += 10) await vi.advanceTimersByTimeAsync(10);
    return ms;
  }

  test('between two facts there is a pause, a short one without motion, and none where nobody looks', async () => {
    page();
    expect(await paused(0)).toBe(260);
    expect(await paused(5)).toBe(130);
    page({ less: true });
    expect(await paused(0)).toBe(60);
    page({ hidden: true });
    expect(await paused(0)).toBe(0);
  });
});

describe('the clipboard', () => {
  const field = { value: '', select: vi.fn(), remove: vi.fn() };
  const withCommand = (works: boolean) =>
    vi.stubGlobal('document', {
      createElement: () => field,
      body: { append: vi.fn() },
      execCommand: () => works,
    });

  test('is asked first', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText } });
    expect(await copyText('a link')).toBe(true);
    expect(writeText).toHaveBeenCalledWith('a link');
  });

  test.each([true, false])(
    'where there is none, a selected field copies if the browser lets it (%s)',
    async (works) => {
      vi.stubGlobal('navigator', {});
      withCommand(works);
      expect(await copyText('a link')).toBe(works);
      expect(field.value).toBe('a link');
      expect(field.select).toHaveBeenCalled();
      expect(field.remove).toHaveBeenCalled();
    },
  );
});

describe('flight', () => {
  const box = (left: number, top: number, width: number): DOMRect =>
    ({ left, top, width, height: width }) as DOMRect;

  /** An element that can be measured, copied and animated; what was done to it is in `animated`. */
  class Thing {
    style: Record<string, string> = {};
    children: Thing[] = [];
    animated: { transform?: string }[] = [];
    parentElement: Thing | null = null;
    land: () => void = () => undefined;
    constructor(readonly rect: DOMRect) {}
    getBoundingClientRect = () => this.rect;
    setAttribute = vi.fn();
    removeAttribute = vi.fn();
    remove = () =>
      void (this.parentElement!.children = this.parentElement!.children.filter((each) => each !== this));
    append(thing: Thing) {
      thing.parentElement = this;
      this.children.push(thing);
    }
    cloneNode = () => new Thing(this.rect);
    animate(frames: { transform?: string }[]) {
      this.animated = frames;
      return { finished: new Promise<void>((done) => (this.land = done)) };
    }
  }

  function thingIn(parent: Thing, rect: DOMRect): Thing {
    const thing = new Thing(rect);
    parent.append(thing);
    return thing;
  }

  test('a copy flies from where the thing lay, and the thing shows when it has landed', async () => {
    page();
    vi.stubGlobal('HTMLElement', Thing);
    const parent = new Thing(box(0, 0, 500));
    const to = thingIn(parent, box(100, 50, 40));
    const flight = fly([{ to: to as unknown as Element, from: box(10, 20, 20) }]);
    const copy = parent.children[1]!;
    expect(copy.animated[0]?.transform).toBe('translate(-90px, -30px) scale(0.5)');
    expect(to.style.visibility).toBe('hidden');
    copy.land();
    await flight;
    expect(parent.children).toEqual([to]);
    expect(to.style.visibility).toBe('');
  });

  test('nothing flies from or to what is not on screen, nor for whoever wants no motion', async () => {
    vi.stubGlobal('HTMLElement', Thing);
    const parent = new Thing(box(0, 0, 500));
    const to = thingIn(parent, box(100, 50, 40));
    const gone = thingIn(parent, box(0, 0, 0));
    page();
    await fly([
      { to: to as unknown as Element, from: box(0, 0, 0) },
      { to: gone as unknown as Element, from: box(1, 1, 9) },
    ]);
    page({ less: true });
    await fly([{ to: to as unknown as Element, from: box(10, 20, 20) }]);
    expect(parent.children).toEqual([to, gone]);
    expect(to.animated).toEqual([]);
  });
});

describe('hands', () => {
  test('whoever pressed a key last is typing, whoever pointed last is not', async () => {
    const listeners: Record<string, () => void> = {};
    vi.stubGlobal('document', {
      addEventListener: (name: string, does: () => void) => (listeners[name] = does),
    });
    const { isTyping } = await import('./hands');
    expect(isTyping()).toBe(false);
    listeners.keydown?.();
    expect(isTyping()).toBe(true);
    listeners.pointerdown?.();
    expect(isTyping()).toBe(false);
  });
});
