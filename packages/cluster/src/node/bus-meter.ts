/** Counts what a server says to each other server over the bus. It stands between the guest and the bus, and changes nothing. */

import type { Bus } from "@nearfield/cluster/internal";

export interface Said {
  messages: number;
  bytes: number;
}

const TO_SERVER = /^to\.(\d+)$/;

export class BusMeter implements Bus {
  readonly keys: Bus["keys"];
  readonly logs: Bus["logs"];
  /** By the number of the server that was spoken to. */
  readonly said: Map<number, Said> = new Map();
  readonly #bus: Bus;
  /** By subject; undefined: not to one server. */
  readonly #bySubject = new Map<string, Said | undefined>();

  constructor(bus: Bus) {
    this.#bus = bus;
    this.keys = bus.keys;
    this.logs = bus.logs;
  }

  publish(subject: string, payload: Uint8Array): void {
    this.#bus.publish(subject, payload);
    const said = this.#bySubject.has(subject) ? this.#bySubject.get(subject) : this.#meet(subject);
    if (said === undefined) return;
    said.messages += 1;
    said.bytes += payload.length;
  }

  subscribe(...args: Parameters<Bus["subscribe"]>): ReturnType<Bus["subscribe"]> {
    return this.#bus.subscribe(...args);
  }

  request(...args: Parameters<Bus["request"]>): void {
    this.#bus.request(...args);
  }

  answer(...args: Parameters<Bus["answer"]>): ReturnType<Bus["answer"]> {
    return this.#bus.answer(...args);
  }

  close(): void {
    this.#bus.close();
  }

  #meet(subject: string): Said | undefined {
    const number = Number(TO_SERVER.exec(subject)?.[1] ?? Number.NaN);
    const said = Number.isNaN(number) ? undefined : { messages: 0, bytes: 0 };
    this.#bySubject.set(subject, said);
    if (said !== undefined) this.said.set(number, said);
    return said;
  }
}
