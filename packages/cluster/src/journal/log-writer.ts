/**
 * Appends to a server's own log, one entry after the other. An append of which the outcome is unknown is looked up in the log and, if it is not there,
 * said again after the same entry: so every entry is there once, in order. If another server has sealed the log nothing more can be written,
 * and `done` of what waits is never called.
 */

import type { Bus } from "../bus/bus.ts";

interface Waiting {
  readonly bytes: Uint8Array;
  readonly done: ((sequence: number) => void)[];
}

export function logOf(server: number): string {
  return `journal.${server}`;
}

export class LogWriter {
  /** Somebody else has written to the log: this server was taken for dead. */
  isSealed = false;
  readonly #bus: Bus;
  readonly #log: string;
  readonly #waiting: Waiting[] = [];
  #isBusy = false;
  #last = 0;

  constructor(bus: Bus, server: number) {
    this.#bus = bus;
    this.#log = logOf(server);
  }

  /** @param done is told the entry's sequence once the entry is in the log. */
  append(bytes: Uint8Array, done: (sequence: number) => void = () => {}): void {
    if (this.isSealed) return;
    this.#waiting.push({ bytes, done: [done] });
    this.#next();
  }

  /** Calls `done` when everything that was appended so far is in the log: at once, if it is. Never, if the log is sealed. */
  after(done: () => void): void {
    const last = this.#waiting.at(-1);
    if (last !== undefined) last.done.push(done);
    else if (!this.isSealed) done();
  }

  /** Forgets everything before an entry that is in the log. */
  trim(before: number): void {
    this.#bus.logs.trim(this.#log, before);
  }

  #next(): void {
    const [entry] = this.#waiting;
    if (this.#isBusy || this.isSealed || entry === undefined) return;
    this.#isBusy = true;
    this.#bus.logs.append(this.#log, entry.bytes, this.#last, (outcome) => {
      if (outcome.kind === "written") this.#written(outcome.at);
      else this.#look(entry.bytes);
    });
  }

  #written(sequence: number): void {
    this.#isBusy = false;
    this.#last = sequence;
    const { done } = this.#waiting.shift()!;
    for (const call of done) call(sequence);
    this.#next();
  }

  /** What follows the last entry: the one that was appended, another server's seal, or nothing. */
  #look(sent: Uint8Array): void {
    let next: { readonly payload: Uint8Array; readonly sequence: number } | undefined;
    this.#bus.logs.read(
      this.#log,
      this.#last,
      (payload, sequence) => {
        next ??= { payload, sequence };
      },
      (isWhole) => {
        if (next !== undefined && isSame(next.payload, sent)) this.#written(next.sequence);
        else if (next !== undefined) this.isSealed = true;
        else if (!isWhole) this.#look(sent);
        else {
          this.#isBusy = false;
          this.#next();
        }
      },
    );
  }
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
