/** Keys that do something once, and keys that go on while they are held. */

export interface Action {
  /** When it is pressed. */
  once?: () => void;
  /** In steps: one when it is pressed, then many a second; parts of one with Shift. */
  held?: (steps: number) => void;
}

export type Actions = Readonly<Record<string, Action>>;

const AGAIN_AFTER_S = 0.22;
const STEPS_A_SECOND = 26;
const FINE = 0.2;

/** What of a key's event matters. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'repeat'>;

export class Keys {
  readonly #down = new Map<string, number>();
  #fine = false;

  /** Whether this key means something here. `now` in seconds. */
  press(event: KeyPress, actions: Actions, now: number): boolean {
    const key = nameOf(event);
    const action = actions[key];
    this.#fine = event.shiftKey;
    if (!action) return false;
    if (!event.repeat) {
      this.#down.set(key, now);
      action.once?.();
      action.held?.(this.#fine ? FINE : 1);
    }
    return true;
  }

  release(event: Pick<KeyPress, 'key' | 'shiftKey'>): void {
    this.#fine = event.shiftKey;
    this.#down.delete(nameOf(event));
  }

  clear(): void {
    this.#down.clear();
  }

  /** Once a picture. */
  step(now: number, seconds: number, actions: Actions): void {
    const steps = seconds * STEPS_A_SECOND * (this.#fine ? FINE : 1);
    for (const [key, since] of this.#down) if (now > since + AGAIN_AFTER_S) actions[key]?.held?.(steps);
  }
}

const nameOf = ({ key }: Pick<KeyPress, 'key'>): string => (key === ' ' ? 'space' : key.toLowerCase());
