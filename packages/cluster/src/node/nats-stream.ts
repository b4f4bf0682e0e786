/**
 * Compare-and-set on JetStream streams, such that it holds for writers that write at the same moment.
 *
 * JetStream's own rule for keys ("the last sequence of this subject is …") does not: nats-server 2.9 looks at it before it proposes a write
 * to a replicated stream, and not again when the write is applied, so of five writers at once all five may be told that they won (the
 * contract suite showed it). Two rules are judged when a write is applied, in the one order that all nodes agree on, and only these are used here:
 * "the last sequence of the whole stream is n", and "this subject was never written".
 */

import { setTimeout as pause } from "node:timers/promises";
import { JetStreamApiCodes, JetStreamApiError, type JetStreamClient } from "@nats-io/jetstream";
import { headers, NoRespondersError, RequestError, TimeoutError } from "@nats-io/transport-node";
import type { KeyEntry, Written } from "@nearfield/cluster/internal";

/** Writes a message under a rule: a name of JetStream's, and the sequence that it asks for. */
async function publishIf(
  js: JetStreamClient,
  subject: string,
  payload: Uint8Array,
  rule: "Nats-Expected-Last-Sequence" | "Nats-Expected-Last-Subject-Sequence",
  sequence: number,
): Promise<Written | { readonly kind: "behind"; readonly last: number }> {
  const given = headers();
  given.set(rule, `${sequence}`);
  try {
    const { seq } = await js.publish(subject, payload, { headers: given });
    return { kind: "written", at: seq };
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamWrongLastSequence) {
      return { kind: "unknown" };
    }
    return { kind: "behind", last: Number(/(\d+)$/.exec(error.message)?.[1] ?? 0) };
  }
}

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
  const outcome = await publishIf(js, `${subject}.${expected}`, entry, "Nats-Expected-Last-Subject-Sequence", 0);
  return outcome.kind === "behind" ? { kind: "conflict" } : outcome;
}

/** Reads of the bucket's stream: the next entry from a sequence on; undefined where there is none yet. */
export type ReadNext = (sequence: number) => Promise<KeyEntry | undefined>;

/** A bucket of keys and the ways to it. */
export interface Bucket {
  readonly js: JetStreamClient;
  readonly name: string;
  readonly patienceMs: number;
  readonly next: ReadNext;
  /** Tells the other members that the stream has grown to this sequence. They may miss it. */
  readonly announce: (sequence: number) => void;
  /** Told of a read that broke, other than by a node that does not answer. */
  readonly failed: (error: unknown) => void;
}

/** Without news the stream is looked at so often, ms. Members that write find out by themselves. */
const LOOK_MS = 500;
const RETRY_MS = 10;

/**
 * The keys of a bucket, as far as this process has seen its stream. A write asks for the whole stream to end where this process has read to, so that
 * what it knows of the key is true when the write is applied. If another key was written meanwhile, it reads on and tries again.
 *
 * The stream is read entry by entry from whichever node leads it, when somebody has announced that it has grown. A consumer, as NATS's own watch of a
 * bucket has, lives on one node: when that node died nothing was read for ten seconds, and servers lost their leases.
 */
export class NatsKeys {
  readonly #bucket: Bucket;
  readonly #newest = new Map<string, KeyEntry>();
  readonly #watchers = new Set<(entry: KeyEntry) => void>();
  readonly #timer: NodeJS.Timeout;
  #read = 0;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
    this.#timer = setInterval(() => void this.#readOn(), LOOK_MS);
    this.#timer.unref();
  }

  /** Somebody says that the stream has grown to this sequence. */
  grown(sequence: number): void {
    if (sequence > this.#read) void this.#readOn();
  }

  async put(key: string, value: Uint8Array, expected: number): Promise<Written> {
    const { js, name, patienceMs, announce } = this.#bucket;
    const isOver = deadline(patienceMs);
    while (!isOver()) {
      // What the writer names may be newer than what has been read here.
      if (!(await this.#readTo(expected, isOver))) break;
      if ((this.#newest.get(key)?.revision ?? 0) !== expected) return { kind: "conflict" };
      const outcome = await publishIf(js, `$KV.${name}.${key}`, value, "Nats-Expected-Last-Sequence", this.#read);
      if (outcome.kind === "written") {
        announce(outcome.at);
        this.grown(outcome.at);
      }
      if (outcome.kind !== "behind") return outcome;
      if (!(await this.#readTo(outcome.last, isOver))) break;
    }
    return { kind: "unknown" };
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
    for (;;) {
      const entry = this.#isClosed ? undefined : await this.#bucket.next(this.#read + 1);
      if (entry === undefined || this.#isClosed) return;
      this.#read = entry.revision;
      this.#newest.delete(entry.key);
      this.#newest.set(entry.key, entry);
      for (const watcher of [...this.#watchers]) watcher(entry);
    }
  }
}

function deadline(ms: number): () => boolean {
  const endMs = performance.now() + ms;
  return () => performance.now() >= endMs;
}

export function isNoMessage(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.NoMessageFound;
}

/** Nobody is there to answer, or the answer did not come in time. */
export function isUnanswered(error: unknown): boolean {
  const cause = error instanceof RequestError ? error.cause : error;
  return error instanceof TimeoutError || cause instanceof TimeoutError || cause instanceof NoRespondersError;
}
