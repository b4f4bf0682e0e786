/**
 * Questions that wait for the server's answer: locks by object, additions and views by request number. Each is answered
 * once, or fails when the client ends.
 */

import type { ClientError } from "./errors.ts";

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: ClientError) => void;
}

export class Requests<K, T> {
  readonly #waiting = new Map<K, Waiting<T>[]>();
  /** Questions asked so far. */
  count = 0;

  has(key: K): boolean {
    return this.#waiting.has(key);
  }

  keys(): readonly K[] {
    return [...this.#waiting.keys()];
  }

  wait(key: K): Promise<T> {
    this.count += 1;
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(key) ?? [];
      waiting.push({ resolve, reject });
      this.#waiting.set(key, waiting);
    });
  }

  resolve(key: K, value: T): void {
    for (const { resolve } of this.#take(key)) resolve(value);
  }

  reject(key: K, error: ClientError): void {
    for (const { reject } of this.#take(key)) reject(error);
  }

  rejectAll(error: ClientError): void {
    for (const key of [...this.#waiting.keys()]) this.reject(key, error);
  }

  #take(key: K): readonly Waiting<T>[] {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    return waiting;
  }
}
