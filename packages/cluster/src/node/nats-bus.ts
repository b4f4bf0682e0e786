/**
 * The bus over NATS: messages by core NATS, keys in a JetStream key-value bucket, logs in one JetStream stream. Why compare-and-set holds:
 * `nats-stream.ts` and docs/decisions/0044-nats.md.
 */

import { setTimeout as pause } from "node:timers/promises";
import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type SeqMsgRequest,
} from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import {
  ClosedConnectionError,
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
} from "@nats-io/transport-node";
import {
  type Answer,
  type Bus,
  ClusterError,
  checkName,
  checkPayload,
  type Keys,
  type Logs,
  type Written,
} from "@nearfield/cluster/internal";
import type { Off } from "@nearfield/schema";
import { hasLostOthers, Unanswered } from "./lost-node.ts";
import { appendAfter, isNoMessage, isUnanswered, NatsKeys, REFUSED_MS, type Stored } from "./nats-stream.ts";

export interface NatsBusOptions {
  /** Addresses of the nodes, `host:port`. */
  readonly servers: readonly string[];
  /** Of the world: a word of letters and digits. Worlds with different names share nothing. */
  readonly world: string;
  /** Nodes that hold each key and log: 1, or 3 where there are three nodes. Default 1. More survive the loss of a node, and a write takes longer. */
  readonly replicas?: 1 | 3;
  /** After this time without an answer a request ends as `none`, a write as `unknown`, ms. Default 2000. */
  readonly patienceMs?: number;
  /** For NATS with passwords. Default: none is sent. */
  readonly user?: string;
  readonly password?: string;
  /** For NATS with TLS, as PEM texts: whose certificates are believed, and this server's own, where NATS asks for one. Default: no TLS of our own accord. */
  readonly tls?: NatsTls;
  /** Told of what a callback throws and of broken watches. Default: it is thrown where nobody catches it, which ends the process. */
  readonly onError?: (error: unknown) => void;
}

/** Three of these are less than a lease: a server whose node has lost its power finds another one before it loses its place. */
const PING_MS = 500;
/** So often the bus looks whether its node answers. */
const LOOK_MS = 100;
/** Subject on which writers of keys tell how long their stream is now. */
const GROWN = "keys-grown";

export interface NatsTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export class NatsBus implements Bus {
  readonly keys: Keys;
  readonly logs: Logs;
  readonly #connection: NatsConnection;
  readonly #parts: Parts;
  readonly #options: NatsBusOptions;
  readonly #unanswered = new Unanswered();
  readonly #timer: NodeJS.Timeout;
  /** For each write without an answer: takes its outcome as unknown. */
  readonly #writes = new Set<() => void>();
  #isLooking = false;
  #isClosed = false;

  /** Connects, and makes the world's bucket and stream where they are not there yet. */
  static async connect(options: NatsBusOptions): Promise<NatsBus> {
    checkName(options.world);
    if (options.world.includes("."))
      throw new ClusterError("bad-subject", `world "${options.world}": one word, no dots`);
    const { patienceMs = 2000 } = options;
    const address = addressOf(options, options.servers);
    // A connection that tries again and again would never say that its certificate is refused: the first one does not.
    const first = await connect({ ...address, reconnect: false });
    await first.close();
    const connection = await connect({ ...address, maxReconnectAttempts: -1, reconnectTimeWait: 100 });
    const js = jetstream(connection, { timeout: patienceMs });
    const stream = `${options.world}-log`;
    const manager = await openParts(connection, js, stream, options).catch(async (error: unknown) => {
      await connection.close();
      throw error;
    });
    const grown = `${options.world}.${GROWN}`;
    const keys = new NatsKeys({
      js,
      name: options.world,
      patienceMs,
      next: async (sequence) => {
        const entry = await bus.#entry({ next_by_subj: `$KV.${options.world}.>`, seq: sequence });
        return entry === "gone" ? undefined : entry;
      },
      at: (sequence) => bus.#entry({ seq: sequence }),
      trim: (key, before) => bus.#trimmed(`KV_${options.world}`, `$KV.${options.world}.${key}.*`, before),
      announce: (sequence) => connection.publish(grown, `${sequence}`),
      failed: (error) => bus.#failed(error),
    });
    // Who misses one looks by itself.
    connection.subscribe(grown, {
      callback: (error, message) => (error === null ? keys.grown(Number(message.string())) : undefined),
    });
    const parts = { keys, manager, stream, append: appendAfter.bind(undefined, js) };
    const bus: NatsBus = new NatsBus(connection, parts, options);
    void bus.#follow();
    return bus;
  }

  private constructor(connection: NatsConnection, parts: Parts, options: NatsBusOptions) {
    this.#connection = connection;
    this.#parts = parts;
    this.#options = options;
    this.#timer = setInterval(() => void this.#lookAtNode(), LOOK_MS);
    this.#timer.unref();
    const { keys, append, stream } = parts;
    this.keys = {
      put: (key, value, expected, done) => {
        this.#check(key, value);
        this.#write(keys.put(key, value.slice(), expected), done);
      },
      watch: (changed) => {
        this.#check("watch");
        let off: Off | undefined;
        // Not before this call returns: the watcher may not be ready to be called.
        queueMicrotask(() => {
          off ??= keys.watch((entry) => this.#run(() => changed(entry)));
        });
        return () => {
          off?.();
          off = () => {};
        };
      },
    };
    this.logs = {
      append: (log, entry, expected, done) => {
        this.#check(log, entry);
        this.#write(append(`${stream}.${log}`, entry.slice(), expected), done);
      },
      read: (log, after, entry, done) => {
        this.#check(log);
        this.#wait(this.#read(log, after, entry), done);
      },
      trim: (log, before) => {
        this.#check(log);
        this.#trimmed(stream, `${stream}.${log}.*`, before);
      },
    };
  }

  publish(subject: string, payload: Uint8Array): void {
    this.#check(subject, payload);
    this.#connection.publish(this.#own(subject), payload);
  }

  subscribe(subject: string, receive: (payload: Uint8Array) => void): Off {
    this.#check(subject);
    const subscription = this.#connection.subscribe(this.#own(subject), {
      callback: (error, { data }) =>
        this.#run(() => {
          if (error !== null) throw error;
          receive(data);
        }),
    });
    return () => subscription.unsubscribe();
  }

  request(subject: string, payload: Uint8Array, answered: (answer: Answer) => void): void {
    this.#check(subject, payload);
    const asked = this.#connection.request(this.#own(`ask.${subject}`), payload, { timeout: this.#patienceMs });
    const answer = asked.then(
      ({ data }): Answer => ({ kind: "reply", payload: data }),
      (error: unknown): Answer => {
        if (isUnanswered(error)) return { kind: "none" };
        throw error;
      },
    );
    this.#wait(answer, answered);
  }

  answer(subject: string, reply: (payload: Uint8Array) => Uint8Array): Off {
    this.#check(subject);
    const subscription = this.#connection.subscribe(this.#own(`ask.${subject}`), {
      callback: (error, message) =>
        this.#run(() => {
          if (error !== null) throw error;
          message.respond(reply(message.data));
        }),
    });
    return () => subscription.unsubscribe();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#parts.keys.close();
    this.#connection.close().catch((error: unknown) => this.#failed(error));
  }

  /** Resolves when everything that was said so far has reached the bus: for tests, and before a process ends. */
  flush(): Promise<void> {
    return this.#connection.flush();
  }

  get #patienceMs(): number {
    return this.#options.patienceMs ?? 2000;
  }

  /** Subjects of other worlds begin with another word. */
  #own(subject: string): string {
    return `${this.#options.world}.${subject}`;
  }

  /** Follows the entries, each to its one successor, from the given one or from the first that is left. */
  async #read(log: string, after: number, entry: Parameters<Logs["read"]>[2]): Promise<boolean> {
    const { manager, stream } = this.#parts;
    try {
      // Not by the subject that names the entry before: that entry may be trimmed meanwhile.
      for (let sequence = after; ; ) {
        const query = { next_by_subj: `${stream}.${log}.*`, seq: sequence + 1 };
        const message = await manager.streams.getMessage(stream, query);
        if (message === null) return true;
        sequence = message.seq;
        this.#run(() => entry(message.data, message.seq));
      }
    } catch (error) {
      if (isNoMessage(error)) return true;
      if (!isUnanswered(error)) throw error;
      await pause(REFUSED_MS);
      return false;
    }
  }

  /** Trimming only saves space, and is asked for again later. */
  #trimmed(stream: string, filter: string, before: number): void {
    this.#parts.manager.streams.purge(stream, { filter, seq: before }).catch((error: unknown) => {
      if (!isUnanswered(error)) this.#failed(error);
    });
  }

  /** An entry of the keys' stream: `gone` where there is none, undefined where nobody answers. */
  async #entry(request: SeqMsgRequest | NextMessageRequest): Promise<Stored | "gone" | undefined> {
    this.#unanswered.asks("read", performance.now());
    const entry = await readEntry(this.#parts.manager, this.#options.world, request);
    if (entry !== undefined) this.#unanswered.hears("read");
    return entry;
  }

  #write(outcome: Promise<Written>, done: (outcome: Written) => void): void {
    this.#unanswered.asks("write", performance.now());
    const tell = (written: Written): void => {
      if (this.#writes.delete(giveUp)) done(written);
    };
    const giveUp = (): void => this.#run(() => tell({ kind: "unknown" }));
    this.#writes.add(giveUp);
    this.#wait(outcome, (written) => {
      if (written.kind !== "unknown") this.#unanswered.hears("write");
      tell(written);
    });
  }

  /** Answers that were on their way over a connection that broke may never come. Whoever waits for one would lose time that its lease does not have. */
  async #follow(): Promise<void> {
    for await (const { type } of this.#connection.status())
      if (type === "reconnect") for (const giveUp of [...this.#writes]) giveUp();
  }

  async #lookAtNode(): Promise<void> {
    if (this.#isLooking || !this.#unanswered.isInDoubt(performance.now())) return;
    this.#isLooking = true;
    try {
      const own = this.#connection.getServer();
      const others = this.#options.servers.filter((server) => server !== own);
      const isLost = await hasLostOthers(
        this.#connection,
        others.map((other) => addressOf(this.#options, [other])),
      );
      if (isLost && !this.#isClosed) await this.#connection.reconnect();
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isLooking = false;
    }
  }

  #wait<T>(promise: Promise<T>, done: (value: T) => void): void {
    promise.then((value) => this.#run(() => done(value))).catch((error: unknown) => this.#failed(error));
  }

  #run(task: () => void): void {
    if (this.#isClosed) return;
    try {
      task();
    } catch (error) {
      this.#failed(error);
    }
  }

  /** What breaks because the bus was closed meanwhile is no error. */
  #failed(error: unknown): void {
    if (this.#isClosed) return;
    const { onError } = this.#options;
    if (onError !== undefined) return onError(error);
    queueMicrotask(() => {
      throw error;
    });
  }

  #check(name: string, payload?: Uint8Array): void {
    if (this.#isClosed) throw new ClusterError("closed", `the bus of world ${this.#options.world} is closed`);
    checkName(name);
    if (payload !== undefined) checkPayload(name, payload);
  }
}

function addressOf({ user, password, tls }: NatsBusOptions, servers: readonly string[]): NodeConnectionOptions {
  return {
    servers: [...servers],
    // Nodes tell of each other by addresses that their certificates need not name.
    ignoreClusterUpdates: true,
    // A connection that has fallen silent is given up after three of these.
    pingInterval: PING_MS,
    ...(user !== undefined && { user, pass: password }),
    ...(tls !== undefined && { tls }),
  };
}

/** The world's bucket and stream, made where they are not there yet. */
async function openParts(
  connection: NatsConnection,
  js: JetStreamClient,
  stream: string,
  { world, replicas = 1, patienceMs = 2000 }: NatsBusOptions,
): Promise<JetStreamManager> {
  const manager = await jetstreamManager(connection, { timeout: patienceMs });
  await new Kvm(js).create(world, { replicas, history: 1 });
  await manager.streams.add({ name: stream, subjects: [`${stream}.>`], num_replicas: replicas });
  return manager;
}

/** NATS answers it from the stream's leader, but its client knows it for reads from any node only, which may be behind. */
interface NextMessageRequest extends SeqMsgRequest {
  readonly next_by_subj: string;
}

async function readEntry(
  manager: JetStreamManager,
  bucket: string,
  request: SeqMsgRequest,
): Promise<Stored | "gone" | undefined> {
  try {
    const message = await manager.streams.getMessage(`KV_${bucket}`, request);
    if (message === null) return "gone";
    const subject = message.subject.slice(`$KV.${bucket}.`.length);
    const at = subject.lastIndexOf(".");
    const after = Number(subject.slice(at + 1));
    return { key: subject.slice(0, at), after, value: message.data, revision: message.seq };
  } catch (error) {
    if (isNoMessage(error)) return "gone";
    if (isUnanswered(error) || error instanceof ClosedConnectionError) return undefined;
    throw error;
  }
}

interface Parts {
  readonly keys: NatsKeys;
  readonly manager: JetStreamManager;
  readonly append: (subject: string, entry: Uint8Array, expected: number) => Promise<Written>;
  /** Name of the stream that holds the logs. */
  readonly stream: string;
}
