/**
 * What the servers of a cluster share: messages, keys with compare-and-set, and logs. `LocalBus` is one in this process on virtual time,
 * `NatsBus` one over NATS with JetStream; `test/bus-contract.ts` holds for both.
 *
 * Everything answers by a callback, never by a promise: a round on virtual time cannot wait for one. A callback is called once, and never
 * before the call that was given it has returned.
 *
 * What can be relied on. Messages of one publisher reach one subscriber in order, each at most once: a message may be lost. A write of a
 * key or an append to a log happens at most once, and only on top of the revision that the writer names. `unknown` means that the bus did
 * not answer in time: the write may have happened, or may still happen.
 */

import type { Off } from "@nearfield/schema";
import { ClusterError } from "../errors.ts";

export interface Bus {
  /** Sends a message to everybody who subscribes to the subject now, the sender included. */
  publish(subject: string, payload: Uint8Array): void;
  /** Calls `receive` for every message of the subject. A message that is published after the subscription reached the bus is not missed. */
  subscribe(subject: string, receive: (payload: Uint8Array) => void): Off;
  /** Asks whoever answers this subject. */
  request(subject: string, payload: Uint8Array, answered: (answer: Answer) => void): void;
  /** Answers requests. Of several who answer a subject, the first answer counts. */
  answer(subject: string, reply: (payload: Uint8Array) => Uint8Array): Off;
  readonly keys: Keys;
  readonly logs: Logs;
  /** Ends all subscriptions. No callback is called after this. */
  close(): void;
}

/** `none`: nobody answered in time. The request may have been carried out all the same. */
export type Answer = { readonly kind: "reply"; readonly payload: Uint8Array } | { readonly kind: "none" };

/** `at`: the revision of the key, or the sequence of the log's entry, that the write made. */
export type Written =
  | { readonly kind: "written"; readonly at: number }
  | { readonly kind: "conflict" }
  | { readonly kind: "unknown" };

export interface KeyEntry {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revisions count the writes of all keys together, from 1 on. So a later write of any key has a higher one. */
  readonly revision: number;
}

export interface Keys {
  /** Writes a key, if its revision is `expected` now; 0: if it was never written. `expected` is a revision that this key had. */
  put(key: string, value: Uint8Array, expected: number, done: (outcome: Written) => void): void;
  /**
   * Calls `changed` with the newest entry of every key, in the order of their revisions, and then with every later one. A key that is
   * written several times while the watcher is cut off may be told only once, with its newest entry.
   */
  watch(changed: (entry: KeyEntry) => void): Off;
}

export interface Logs {
  /**
   * Appends to a log, if the sequence of its last entry is `expected`; 0: if it has none. `expected` is a sequence that this log had. Sequences
   * rise, but not by one.
   */
  append(log: string, entry: Uint8Array, expected: number, done: (outcome: Written) => void): void;
  /** Calls `entry` for every entry after that sequence (0: for all that are left), in order, and then `done`: false if the bus did not answer in time. */
  read(
    log: string,
    after: number,
    entry: (payload: Uint8Array, sequence: number) => void,
    done: (isWhole: boolean) => void,
  ): void;
  /**
   * Forgets the entries before that sequence, sooner or later; a reader may still get some of them. The last entry of a log must stay: what follows
   * it is decided by its sequence.
   */
  trim(log: string, before: number): void;
}

/** The largest message, value or entry, bytes. NATS refuses more than 1 MiB, headers included. */
export const MOST_PAYLOAD_BYTES = 1_000_000;

/** Throws `ClusterError` where a subject, key or log has a name that some bus would not take. */
export function checkName(name: string): void {
  if (/^[\w-]+(\.[\w-]+)*$/.test(name) && name.length <= 200) return;
  const rule = "a name has letters, digits, _ and -, in words with dots between them, and at most 200 characters";
  throw new ClusterError("bad-subject", `"${name}": ${rule}`);
}

export function checkPayload(name: string, payload: Uint8Array): void {
  if (payload.length <= MOST_PAYLOAD_BYTES) return;
  const text = `${name}: ${payload.length} bytes, at most ${MOST_PAYLOAD_BYTES} travel in one message`;
  throw new ClusterError("too-large", text);
}
