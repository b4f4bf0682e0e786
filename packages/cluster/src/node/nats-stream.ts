/**
 * Compare-and-set on JetStream streams, such that it holds for writers that write at the same moment.
 *
 * JetStream's own rule for keys ("the last sequence of this subject is …") does not: nats-server 2.9 looks at it before it proposes a write
 * to a replicated stream, and not again when the write is applied, so of five writers at once all five may be told that they won (the
 * contract suite showed it). "This subject was never written" is judged when a write is applied, in the one order that all nodes agree on. So a write
 * of a key or a log goes to a subject that names the entry before it, and each entry has one successor.
 *
 * Writers of different keys do not meet. They did when each write asked for the end of the whole stream: on a busy machine four servers that renewed their
 * leases beat each other to it until leases ran out.
 */

import { setTimeout as pause } from "node:timers/promises";
import { JetStreamApiCodes, JetStreamApiError, type JetStreamClient } from "@nats-io/jetstream";
import { headers, NoRespondersError, RequestError, TimeoutError } from "@nats-io/transport-node";
import type { KeyEntry, Written } from "@nearfield/cluster/internal";

/**
 * Appends the entry that follows `expected`. Its subject names the log and the entry before it, and is written once: so an entry has one
 * successor. The first entry of a log follows 0.
 */
export async function appendAfter(
  js: JetStreamClient,
  subject: string,
  entry: Uint8Array,
  expected: number,
): Promise<Written> {
  const given = headers();
  given.set("Nats-Expected-Last-Subject-Sequence", "0");
  try {
    const { seq } = await js.publish(`${subject}.${expected}`, entry, { headers: given });
    return { kind: "written", at: seq };
  } catch (error) {
    const isWritten = error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamWrongLastSequence;
    if (isWritten) return { kind: "conflict" };
    await pause(REFUSED_MS);
    return { kind: "unknown" };
  }
}

/** An entry of the bucket's stream. */
export interface Stored extends KeyEntry {
  /** Revision of the same key's entry before it. */
  readonly after: number;
}

/** A bucket of keys and the ways to it. */
export interface Bucket {
  readonly js: JetStreamClient;
  readonly name: string;
  readonly patienceMs: number;
  /** The first entry from a sequence on; undefined where there is none yet, and where nobody answers. */
  readonly next: (sequence: number) => Promise<Stored | undefined>;
  /** The entry of a sequence: `gone` if it was trimmed, undefined where nobody answers. */
  readonly at: (sequence: number) => Promise<Stored | "gone" | undefined>;
  /** Removes a key's entries before a sequence. */
  readonly trim: (key: string, before: number) => void;
  /** Tells the other members that the stream has grown to this sequence. They may miss it. */
  readonly announce: (sequence: number) => void;
  /** Told of a read that broke, other than by a node that does not answer. */
  readonly failed: (error: unknown) => void;
}

/** While no node leads a stream, questions are refused at once. Whoever asks again at once would ask a thousand times a second. */
export const REFUSED_MS = 50;

/** Without news the stream is looked at so often, ms. Members that write find out by themselves. */
const LOOK_MS = 500;
const RETRY_MS = 10;
/** Entries that are asked for at once. */
const MOST_AT_ONCE = 64;
/** A key's old entries are removed after so many writes, and not before others have followed them for this time, ms. */
const WRITES_TO_TRIM = 32;
const KEPT_MS = 30_000;
/** What a writer has known for less than this time, ms, cannot have a successor that is trimmed: clocks run at rates within three of each other. */
const FRESH_MS = 10_000;

/**
 * The keys of a bucket, as far as this process has seen its stream. Of a key's entries the one that follows the newest is the newest: `after` only rises.
 * A writer that slept so long that the successor of what it knows was trimmed can still write, but nobody obeys that entry. So a writer whose knowledge is
 * old reads up to its own entry before it believes in it. A lease is renewed too often for that: it takes one way to NATS and back.
 *
 * The stream is read from whichever node leads it, when somebody has announced that it has grown. A consumer, as NATS's own watch of a
 * bucket has, lives on one node: when that node died nothing was read for ten seconds, and servers lost their leases.
 */
export class NatsKeys {
  readonly #bucket: Bucket;
  readonly #newest = new Map<string, Stored>();
  readonly #watchers = new Set<(entry: KeyEntry) => void>();
  readonly #timer: NodeJS.Timeout;
  /** By key: how often this process wrote it, and what it wrote over since the last trim, with the times. */
  readonly #writes = new Map<string, { count: number; past: { readonly revision: number; readonly ms: number }[] }>();
  /** By key: the revision that was read or written here last, and when. */
  readonly #knownMs = new Map<string, { readonly revision: number; readonly ms: number }>();
  #read = 0;
  /** When what is being read was asked for. */
  #readFromMs = 0;
  /** The stream has grown at least to this sequence. */
  #grownTo = 0;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
    this.#timer = setInterval(() => void this.#readOn(), LOOK_MS);
    this.#timer.unref();
  }

  /** Somebody says that the stream has grown to this sequence. */
  grown(sequence: number): void {
    this.#grownTo = Math.max(this.#grownTo, sequence);
    if (sequence > this.#read) void this.#readOn();
  }

  async put(key: string, value: Uint8Array, expected: number): Promise<Written> {
    const { js, name, patienceMs, announce } = this.#bucket;
    const isOver = deadline(patienceMs);
    const sentMs = performance.now();
    if (this.#revisionOf(key) > expected) return { kind: "conflict" };
    const outcome = await appendAfter(js, `$KV.${name}.${key}`, value, expected);
    if (outcome.kind === "conflict") void this.#readOn();
    if (outcome.kind !== "written") return outcome;
    announce(outcome.at);
    this.grown(outcome.at);
    if (!this.#isFresh(key, expected)) {
      if (!(await this.#readTo(outcome.at, isOver))) return { kind: "unknown" };
      // A later write of the key follows this one, if this one counts.
      if (this.#revisionOf(key) < outcome.at) return { kind: "conflict" };
    }
    this.#learn(key, outcome.at, sentMs);
    this.#trim(key, expected);
    return outcome;
  }

  /** Whether this revision of a key was the newest one a short time ago. */
  #isFresh(key: string, revision: number): boolean {
    const known = this.#knownMs.get(key);
    return known?.revision === revision && performance.now() - known.ms < FRESH_MS;
  }

  #learn(key: string, revision: number, ms: number): void {
    if (revision > (this.#knownMs.get(key)?.revision ?? 0)) this.#knownMs.set(key, { revision, ms });
  }

  #revisionOf(key: string): number {
    return this.#newest.get(key)?.revision ?? 0;
  }

  #trim(key: string, revision: number): void {
    const writes = this.#writes.get(key) ?? { count: 0, past: [] };
    this.#writes.set(key, writes);
    const nowMs = performance.now();
    writes.count += 1;
    writes.past.push({ revision, ms: nowMs });
    if (writes.count % WRITES_TO_TRIM !== 0) return;
    const old = writes.past.findLast(({ ms }) => nowMs - ms >= KEPT_MS);
    if (old === undefined) return;
    writes.past = writes.past.filter(({ revision: at }) => at > old.revision);
    this.#bucket.trim(key, old.revision);
  }

  watch(changed: (entry: KeyEntry) => void): () => void {
    for (const entry of this.#newest.values()) changed(entry);
    this.#watchers.add(changed);
    return () => void this.#watchers.delete(changed);
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
  }

  /** Reads until the stream was read up to this sequence. Returns false if that takes too long. */
  async #readTo(sequence: number, isOver: () => boolean): Promise<boolean> {
    while (this.#read < sequence) {
      if (isOver() || this.#isClosed) return false;
      await this.#readOn();
      // While no node leads the stream there is nothing to read.
      if (this.#read < sequence) await pause(RETRY_MS);
    }
    return true;
  }

  /** Reads what there is. One reader at a time, so that entries are told in their order. */
  #readOn(): Promise<void> {
    this.#reading ??= this.#readAll()
      .catch((error: unknown) => {
        // What breaks because the keys were closed meanwhile is no error.
        if (!this.#isClosed) this.#bucket.failed(error);
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    while (!this.#isClosed) {
      this.#readFromMs = performance.now();
      const from = this.#read + 1;
      const count = Math.min(MOST_AT_ONCE, this.#grownTo - this.#read);
      if (count <= 0) {
        const entry = await this.#bucket.next(from);
        if (entry === undefined) return;
        this.#note(entry);
        continue;
      }
      const asked = await Promise.all(Array.from({ length: count }, (_, i) => this.#bucket.at(from + i)));
      for (const entry of asked) {
        if (entry === undefined) return;
        if (entry !== "gone") this.#note(entry);
        else if (await this.#skip()) break;
        else return;
      }
    }
  }

  /**
   * Reads on after an entry that is not there. It was trimmed only if there is a later one: a key's newest entry stays. A node that has lost the others
   * and does not know yet that it leads no longer lacks what was written since.
   */
  async #skip(): Promise<boolean> {
    const entry = await this.#bucket.next(this.#read + 1);
    if (entry !== undefined) this.#note(entry);
    return entry !== undefined;
  }

  #note(entry: Stored): void {
    if (this.#isClosed) return;
    this.#read = entry.revision;
    const known = this.#newest.get(entry.key);
    if (known !== undefined && entry.after <= known.after) return;
    this.#newest.delete(entry.key);
    this.#newest.set(entry.key, entry);
    this.#learn(entry.key, entry.revision, this.#readFromMs);
    for (const watcher of [...this.#watchers]) watcher(entry);
  }
}

function deadline(ms: number): () => boolean {
  const endMs = performance.now() + ms;
  return () => performance.now() >= endMs;
}

export function isNoMessage(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound;
}

const UNAVAILABLE = 503;

/** Nobody is there to answer, the answer did not come in time, or the nodes have no leader who could give it. */
export function isUnanswered(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.status === UNAVAILABLE;
  const cause = error instanceof RequestError ? error.cause : error;
  return error instanceof TimeoutError || cause instanceof TimeoutError || cause instanceof NoRespondersError;
}
