/**
 * Who listens to one thing. Whoever adds a handler gets the function that takes it back; both may happen while the handlers run, and
 * count from the next time on. Going through them allocates nothing.
 */

/** Takes a handler back. Calling it twice is harmless. */
export type Off = () => void;

export class Listeners<Handler> {
  #list: readonly Handler[] = [];

  add(handler: Handler): Off {
    this.#list = [...this.#list, handler];
    let isOn = true;
    return () => {
      if (!isOn) return;
      isOn = false;
      this.#list = this.#list.toSpliced(this.#list.indexOf(handler), 1);
    };
  }

  get size(): number {
    return this.#list.length;
  }

  /** The handlers of this moment, in the order in which they were added. */
  get list(): readonly Handler[] {
    return this.#list;
  }
}

/** Listeners of several things, by key. */
export class ListenersByKey<Key, Handler> {
  readonly #byKey = new Map<Key, Listeners<Handler>>();

  add(key: Key, handler: Handler): Off {
    const listeners = this.#byKey.get(key) ?? new Listeners<Handler>();
    this.#byKey.set(key, listeners);
    return listeners.add(handler);
  }

  of(key: Key): readonly Handler[] {
    return this.#byKey.get(key)?.list ?? NOBODY;
  }
}

const NOBODY: readonly never[] = [];
