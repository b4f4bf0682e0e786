/**
 * A bus in one process, on a clock that the caller gives: for tests and for the simulator. Every member has a way to the middle, where keys
 * and logs live, and to every other member. A message takes a time from `delayMs`, by the dice that the caller gives, and never overtakes
 * another one on the same way.
 *
 * What can happen to a member: it is cut off from everything (`isolate`), or from one other member (`cut`): what is on these ways then is
 * lost. It is paused, as a process is that the machine gives no time: what arrives waits. It dies (`LocalBus.close`).
 */

import type { KeyEntry, Written } from "./bus.ts";
import { LocalBus } from "./local-bus.ts";

export interface HubOptions {
  readonly clock: HubClock;
  /** Rolls the delays: from 0 up to, not including, 1. */
  readonly random: () => number;
  /** How long a message travels, ms: from, and up to. Default [0.3, 1.5]. */
  readonly delayMs?: readonly [number, number];
  /** After this time without an answer a request ends as `none`, a write as `unknown`, ms. Default 2000. */
  readonly patienceMs?: number;
}

export interface HubClock {
  readonly nowMs: number;
  /** Runs a task later; returns a function that cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

export class LocalHub {
  readonly clock: HubClock;
  readonly patienceMs: number;
  readonly #random: () => number;
  readonly #members = new Map<string, LocalBus>();
  readonly #isolated = new Set<string>();
  readonly #cuts = new Set<string>();
  /** When the last message on a way arrives. */
  readonly #lastArrival = new Map<string, number>();
  readonly #entries = new Map<string, KeyEntry>();
  readonly #logs = new Map<string, { readonly payload: Uint8Array; readonly sequence: number }[]>();
  #delayMs: readonly [number, number];
  #revision = 0;
  #sequence = 0;

  constructor(options: HubOptions) {
    this.clock = options.clock;
    this.patienceMs = options.patienceMs ?? 2000;
    this.#random = options.random;
    this.#delayMs = options.delayMs ?? [0.3, 1.5];
  }

  /** A member of its own name; one that died may come back under it. */
  join(name: string): LocalBus {
    const bus = new LocalBus(this, name);
    this.#members.set(name, bus);
    return bus;
  }

  // ── faults ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Cuts a member off from everything. */
  isolate(name: string): void {
    this.#isolated.add(name);
  }

  /** Cuts the ways between two members. Keys and logs stay in reach of both. */
  cut(a: string, b: string): void {
    this.#cuts.add(wayOf(a, b)).add(wayOf(b, a));
  }

  /** Everybody reaches everything again. */
  heal(): void {
    const returned = [...this.#isolated];
    this.#isolated.clear();
    this.#cuts.clear();
    for (const name of returned) this.#members.get(name)?.reconnect();
  }

  setDelay(delayMs: readonly [number, number]): void {
    this.#delayMs = delayMs;
  }

  // ── for members ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Those who are there, in the order in which they joined. */
  get members(): Iterable<LocalBus> {
    return this.#members.values();
  }

  leave(bus: LocalBus): void {
    if (this.#members.get(bus.name) === bus) this.#members.delete(bus.name);
  }

  /** Runs `arrive` when a message on this way has travelled, unless the way is cut when it leaves or when it would arrive. */
  carry(from: string, to: string, arrive: () => void): void {
    if (this.#isCut(from, to)) return;
    const [least, most] = this.#delayMs;
    const way = wayOf(from, to);
    const soonest = this.clock.nowMs + least + this.#random() * (most - least);
    const atMs = Math.max(soonest, this.#lastArrival.get(way) ?? 0);
    this.#lastArrival.set(way, atMs);
    this.clock.after(atMs - this.clock.nowMs, () => {
      if (!this.#isCut(from, to)) arrive();
    });
  }

  put(key: string, value: Uint8Array, expected: number): Written {
    if ((this.#entries.get(key)?.revision ?? 0) !== expected) return { kind: "conflict" };
    this.#revision += 1;
    // A key that is written again moves to the end, so that entries stay in the order of their revisions.
    this.#entries.delete(key);
    this.#entries.set(key, { key, value: value.slice(), revision: this.#revision });
    for (const member of this.#members.values()) member.showKeys();
    return { kind: "written", at: this.#revision };
  }

  *entriesAfter(revision: number): Iterable<KeyEntry> {
    for (const entry of this.#entries.values()) if (entry.revision > revision) yield entry;
  }

  append(log: string, payload: Uint8Array, expected: number): Written {
    const entries = this.#logs.get(log) ?? [];
    if ((entries.at(-1)?.sequence ?? 0) !== expected) return { kind: "conflict" };
    this.#sequence += 1;
    entries.push({ payload: payload.slice(), sequence: this.#sequence });
    this.#logs.set(log, entries);
    return { kind: "written", at: this.#sequence };
  }

  entriesOf(log: string): readonly { readonly payload: Uint8Array; readonly sequence: number }[] {
    return this.#logs.get(log) ?? [];
  }

  trim(log: string, before: number): void {
    const entries = this.#logs.get(log) ?? [];
    const kept = entries.findIndex(({ sequence }) => sequence >= before);
    if (kept > 0) entries.splice(0, kept);
  }

  #isCut(from: string, to: string): boolean {
    return this.#isolated.has(from) || this.#isolated.has(to) || this.#cuts.has(wayOf(from, to));
  }
}

function wayOf(from: string, to: string): string {
  return `${from}>${to}`;
}
