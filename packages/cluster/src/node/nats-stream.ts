/**
 * Compare-and-set on JetStream streams, such that it holds for writers that write at the same moment.
 *
 * JetStream's own rule for keys ("the last sequence of this subject is …") does not: nats-server 2.9 looks at it before it proposes a write
 * to a replicated stream, and not again when the write is applied, so of five writers at once all five may be told that they won (the
 * contract suite showed it). Two rules are judged when a write is applied, in the one order that all nodes agree on, and only these are used here:
 * "the last sequence of the whole stream is n", and "this subject was never written".
 */

import { JetStreamApiCodes, JetStreamApiError, type JetStreamClient } from "@nats-io/jetstream";
import type { KV } from "@nats-io/kv";
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

/**
 * The keys of a bucket, as far as this process has seen its stream. A write asks for the whole stream to end where this process has read to, so that
 * what it knows of the key is true when the write is applied. If another key was written meanwhile, it reads on and tries again.
 */
export class NatsKeys {
  readonly #js: JetStreamClient;
  readonly #kv: KV;
  readonly #bucket: string;
  readonly #patienceMs: number;
  readonly #newest = new Map<string, KeyEntry>();
  readonly #watchers = new Set<(entry: KeyEntry) => void>();
  readonly #waiting = new Set<() => void>();
  #read = 0;

  constructor(js: JetStreamClient, kv: KV, bucket: string, patienceMs: number) {
    this.#js = js;
    this.#kv = kv;
    this.#bucket = bucket;
    this.#patienceMs = patienceMs;
  }

  /** Reads the stream until the connection is closed. */
  async follow(): Promise<void> {
    for await (const { key, value, revision } of await this.#kv.watch()) {
      if (revision <= this.#read) continue;
      this.#read = revision;
      const entry = { key, value, revision };
      this.#newest.delete(key);
      this.#newest.set(key, entry);
      for (const watcher of [...this.#watchers]) watcher(entry);
      for (const go of [...this.#waiting]) go();
    }
  }

  async put(key: string, value: Uint8Array, expected: number): Promise<Written> {
    const isOver = deadline(this.#patienceMs);
    while (!isOver()) {
      // What the writer names may be newer than what has been read here.
      if (!(await this.#readTo(expected, isOver))) break;
      if ((this.#newest.get(key)?.revision ?? 0) !== expected) return { kind: "conflict" };
      const subject = `$KV.${this.#bucket}.${key}`;
      const outcome = await publishIf(this.#js, subject, value, "Nats-Expected-Last-Sequence", this.#read);
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

  /** Waits until the stream was read up to this sequence. Returns false if that takes too long. */
  async #readTo(sequence: number, isOver: () => boolean): Promise<boolean> {
    while (this.#read < sequence) {
      if (isOver()) return false;
      await new Promise<void>((resolve) => {
        const go = (): void => {
          this.#waiting.delete(go);
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(go, this.#patienceMs);
        this.#waiting.add(go);
      });
    }
    return true;
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
