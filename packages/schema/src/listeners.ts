/**
 * The handlers of one event. `add` returns a function that removes the handler again. Handlers may be added and removed while handlers run;
 * this takes effect at the next call. A walk over the handlers allocates nothing.
 */

/** Removes a handler. Calling it twice is harmless. */
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
