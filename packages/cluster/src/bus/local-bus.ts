/** One member of a `LocalHub`. Invariant: after `close` it calls nobody back, and while it is paused nobody either. */

import type { Off } from "@nearfield/schema";
import { ClusterError } from "../errors.ts";
import {
  type Answer,
  type Bus,
  checkName,
  checkPayload,
  type KeyEntry,
  type Keys,
  type Logs,
  type Written,
} from "./bus.ts";
import type { LocalHub } from "./local-hub.ts";

/** The name of the middle of the hub, on ways to it and from it. */
const MIDDLE = "";

type Receive = (payload: Uint8Array) => void;
type Reply = (payload: Uint8Array) => Uint8Array;

interface Watch {
  readonly changed: (entry: KeyEntry) => void;
  /** The newest revision that was sent to the watcher, and the newest that arrived. */
  sent: number;
  arrived: number;
}

export class LocalBus implements Bus {
  readonly name: string;
  readonly keys: Keys;
  readonly logs: Logs;
  readonly #hub: LocalHub;
  readonly #receivers = new Map<string, Set<Receive>>();
  readonly #replies = new Map<string, Set<Reply>>();
  readonly #watches = new Set<Watch>();
  /** What arrived while it was paused. */
  readonly #backlog: (() => void)[] = [];
  #isPaused = false;
  #isClosed = false;

  constructor(hub: LocalHub, name: string) {
    this.#hub = hub;
    this.name = name;
    this.keys = {
      put: (key, value, expected, done) => {
        this.#check(key, value);
        this.#write(() => hub.put(key, value, expected), done);
      },
      watch: (changed) => this.#watch(changed),
    };
    this.logs = {
      append: (log, entry, expected, done) => {
        this.#check(log, entry);
        this.#write(() => hub.append(log, entry, expected), done);
      },
      read: (log, after, entry, done) => {
        this.#check(log);
        this.#read(log, after, entry, done);
      },
      trim: (log, before) => {
        this.#check(log);
        hub.carry(name, MIDDLE, () => hub.trim(log, before));
      },
    };
  }

  publish(subject: string, payload: Uint8Array): void {
    this.#check(subject, payload);
    const copy = payload.slice();
    for (const member of this.#hub.members) {
      this.#hub.carry(this.name, member.name, () => {
        for (const receive of member.#receivers.get(subject) ?? []) member.#run(() => receive(copy));
      });
    }
  }

  subscribe(subject: string, receive: Receive): Off {
    this.#check(subject);
    return added(this.#receivers, subject, receive);
  }

  request(subject: string, payload: Uint8Array, answered: (answer: Answer) => void): void {
    this.#check(subject, payload);
    const copy = payload.slice();
    const settle = this.#once<Answer>(answered, { kind: "none" });
    for (const member of this.#hub.members) {
      this.#hub.carry(this.name, member.name, () => {
        for (const reply of member.#replies.get(subject) ?? []) {
          member.#run(() => {
            const answer = reply(copy).slice();
            this.#hub.carry(member.name, this.name, () => settle({ kind: "reply", payload: answer }));
          });
        }
      });
    }
  }

  answer(subject: string, reply: Reply): Off {
    this.#check(subject);
    return added(this.#replies, subject, reply);
  }

  close(): void {
    this.#isClosed = true;
    this.#backlog.length = 0;
    this.#hub.leave(this);
  }

  // ── faults ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The process gets no time until `resume`: what arrives waits. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    while (!this.#isPaused && this.#backlog.length > 0) this.#run(this.#backlog.shift()!);
  }

  // ── for the hub ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Sends watchers what is new. */
  showKeys(): void {
    for (const watch of this.#watches) this.#show(watch);
  }

  /** The member was cut off, and what was on its way to it is lost. */
  reconnect(): void {
    for (const watch of this.#watches) {
      watch.sent = watch.arrived;
      this.#show(watch);
    }
  }

  // ── inside ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #watch(changed: Watch["changed"]): Off {
    this.#check("watch");
    const watch: Watch = { changed, sent: 0, arrived: 0 };
    this.#watches.add(watch);
    this.#hub.carry(this.name, MIDDLE, () => this.#show(watch));
    return () => void this.#watches.delete(watch);
  }

  #show(watch: Watch): void {
    for (const entry of this.#hub.entriesAfter(watch.sent)) {
      watch.sent = entry.revision;
      this.#hub.carry(MIDDLE, this.name, () => {
        if (entry.revision <= watch.arrived) return;
        watch.arrived = entry.revision;
        this.#run(() => {
          if (this.#watches.has(watch)) watch.changed(entry);
        });
      });
    }
  }

  #write(write: () => Written, done: (outcome: Written) => void): void {
    const settle = this.#once<Written>(done, { kind: "unknown" });
    this.#hub.carry(this.name, MIDDLE, () => {
      const outcome = write();
      this.#hub.carry(MIDDLE, this.name, () => settle(outcome));
    });
  }

  #read(log: string, after: number, entry: Parameters<Logs["read"]>[2], done: (isWhole: boolean) => void): void {
    const settle = this.#once<ReturnType<LocalHub["entriesOf"]> | undefined>((entries) => {
      for (const { payload, sequence } of entries ?? []) if (sequence > after) entry(payload, sequence);
      done(entries !== undefined);
    }, undefined);
    this.#hub.carry(this.name, MIDDLE, () => {
      const entries = [...this.#hub.entriesOf(log)];
      this.#hub.carry(MIDDLE, this.name, () => settle(entries));
    });
  }

  /** Calls `done` with the first outcome, or with `late` when the hub's patience is over. */
  #once<T>(done: (outcome: T) => void, late: T): (outcome: T) => void {
    let isDone = false;
    const settle = (outcome: T): void =>
      this.#run(() => {
        if (isDone) return;
        isDone = true;
        cancel();
        done(outcome);
      });
    const cancel = this.#hub.clock.after(this.#hub.patienceMs, () => settle(late));
    return settle;
  }

  #run(task: () => void): void {
    if (this.#isClosed) return;
    if (this.#isPaused) this.#backlog.push(task);
    else task();
  }

  #check(name: string, payload?: Uint8Array): void {
    if (this.#isClosed) throw new ClusterError("closed", `bus ${this.name} is closed`);
    checkName(name);
    if (payload !== undefined) checkPayload(name, payload);
  }
}

function added<T>(table: Map<string, Set<T>>, name: string, entry: T): Off {
  const entries = table.get(name) ?? new Set();
  entries.add(entry);
  table.set(name, entries);
  return () => void entries.delete(entry);
}
