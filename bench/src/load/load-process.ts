/**
 * The two processes of a load: a host whose rounds run on the clock, and a crowd of idle clients. This file is both ends: the parent's handle, and,
 * run by itself, the child.
 */

import { Protocol } from "@nearfield/schema";
import { loadColyseus } from "../peers/colyseus.ts";
import { NearfieldHost, walkerOf } from "../peers/nearfield-side.ts";
import { crowdOf, ROUND_MS, type SceneSize } from "../peers/scene.ts";
import type { Host, IdleCrowd, Shortage } from "../peers/subject.ts";
import { answerCalls, Remote } from "../remote.ts";
import { NearfieldIdleCrowd } from "./nearfield-idle-crowd.ts";

export const MAKERS = ["nearfield", "colyseus"] as const;
export type Maker = (typeof MAKERS)[number];

/**
 * `open`: the README's game, 1,000 × 1,000, in which everybody sees everybody. `budgeted`: the same with a byte budget for each client that is
 * large enough for everything that is asked for. `short`: with a budget that is too small. `spread`: each player sees about 63 others, however many
 * there are.
 */
export type LoadWorld = "open" | "budgeted" | "short" | "spread";

export interface LoadSubject {
  readonly maker: Maker;
  readonly world: LoadWorld;
  readonly clients: number;
}

/** What a client is sent at most, bytes per second. */
export const BUDGETS: Readonly<Record<LoadWorld, number>> = {
  open: Number.POSITIVE_INFINITY,
  budgeted: 16_000,
  short: 2000,
  spread: Number.POSITIVE_INFINITY,
};
const OPEN_SIDE = 1000;
const OPEN_SPEEDS = [50, 100] as const;

function sizeOf({ world, clients }: LoadSubject): SceneSize {
  if (world === "spread") return crowdOf(clients, clients);
  return { objects: clients, clients, side: OPEN_SIDE, speeds: OPEN_SPEEDS };
}

export async function startHost(subject: LoadSubject): Promise<Host> {
  const { maker, world } = subject;
  const size = sizeOf(subject);
  if (maker === "colyseus") return (await loadColyseus()).startHost(size, world === "spread" ? "view" : "open");
  const now = (): number => performance.now();
  const processorMs = (): number => microseconds(process.cpuUsage()) / 1000;
  const budget = BUDGETS[world];
  return NearfieldHost.start(size, world === "spread" ? "tiers" : "open", {
    now,
    processorMs,
    ...(Number.isFinite(budget) && { budget }),
  });
}

function microseconds({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}

export async function startCrowd(subject: LoadSubject, url: string): Promise<IdleCrowd> {
  if (subject.maker === "colyseus") return (await loadColyseus()).startIdleCrowd(url);
  return new NearfieldIdleCrowd(url, new Protocol({ objects: [walkerOf(sizeOf(subject))] }));
}

// ── calls ────────────────────────────────────────────────────────────────────────────────────────────────────────

type Call =
  | { readonly kind: "host"; readonly subject: LoadSubject }
  | { readonly kind: "crowd"; readonly subject: LoadSubject; readonly url: string }
  | { readonly kind: "join"; readonly count: number }
  | { readonly kind: "members" }
  | { readonly kind: "walk" }
  | { readonly kind: "measure"; readonly rounds: number };

/** What some rounds of a host were like. */
export interface LoadSample {
  /** Wall time of each round, ms. */
  readonly roundMs: readonly number[];
  /** Processor time of the whole process per round, sockets included, ms. */
  readonly cpuMs: number;
  /** Rounds that began later than the one after them should have. */
  readonly late: number;
  /** Bytes at the TCP sockets, per round. */
  readonly downBytes: number;
  /** Rounds that clients sat out, and pairs of a client and an object that were over their bound; per round. */
  readonly roundsOut: number;
  readonly pairsOver: number;
  /** Memory of the process after a garbage collection, bytes. */
  readonly memory: number;
}

interface Answers {
  host: { readonly url: string; readonly memory: number };
  crowd: undefined;
  join: undefined;
  members: number;
  walk: undefined;
  measure: LoadSample;
}

export class LoadProcess extends Remote<Call, Answers> {
  constructor() {
    super(import.meta.url);
  }
}

// ── the child ────────────────────────────────────────────────────────────────────────────────────────────────────

/** A host whose rounds run every 50 ms; late ones are not made up for. */
class PacedHost {
  readonly #host: Host;
  readonly #roundMs: number[] = [];
  #late = 0;
  #walks = false;
  #onRound: (() => void) | undefined;

  constructor(host: Host) {
    this.#host = host;
    this.#schedule(performance.now() + ROUND_MS);
  }

  get url(): string {
    return this.#host.url;
  }

  walk(): void {
    this.#walks = true;
  }

  async measure(rounds: number): Promise<LoadSample> {
    globalThis.gc?.();
    this.#roundMs.length = 0;
    this.#late = 0;
    const before = { shortage: this.#shortage(), volume: this.#host.volume(), cpu: process.cpuUsage() };
    await new Promise<void>((resolve) => {
      this.#onRound = () => {
        if (this.#roundMs.length >= rounds) resolve();
      };
    });
    this.#onRound = undefined;
    const cpu = microseconds(process.cpuUsage(before.cpu));
    const count = this.#roundMs.length;
    const { roundsOut, pairRounds } = this.#shortage();
    return {
      roundMs: [...this.#roundMs],
      cpuMs: cpu / 1000 / count,
      roundsOut: (roundsOut - before.shortage.roundsOut) / count,
      pairsOver: (pairRounds - before.shortage.pairRounds) / count,
      late: this.#late,
      downBytes: (this.#host.volume().down - before.volume.down) / count,
      memory: memoryNow(),
    };
  }

  #shortage(): Shortage {
    return this.#host.shortage?.() ?? { roundsOut: 0, pairRounds: 0 };
  }

  #schedule(atMs: number): void {
    setTimeout(() => this.#run(atMs), Math.max(0, atMs - performance.now()));
  }

  #run(atMs: number): void {
    const startMs = performance.now();
    if (startMs - atMs > ROUND_MS) this.#late += 1;
    this.#host.round(this.#walks);
    const endMs = performance.now();
    this.#roundMs.push(endMs - startMs);
    this.#onRound?.();
    this.#schedule(Math.max(atMs + ROUND_MS, endMs));
  }
}

function memoryNow(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

class Child {
  #host: PacedHost | undefined;
  #crowd: IdleCrowd | undefined;

  async carryOut(call: Call): Promise<unknown> {
    switch (call.kind) {
      case "host": {
        this.#host = new PacedHost(await startHost(call.subject));
        return { url: this.#host.url, memory: memoryNow() };
      }
      case "crowd":
        this.#crowd = await startCrowd(call.subject, call.url);
        return undefined;
      case "join":
        return this.#crowd!.join(call.count);
      case "members":
        return this.#crowd!.members;
      case "walk":
        return this.#host!.walk();
      case "measure":
        return this.#host!.measure(call.rounds);
    }
  }
}

const child = new Child();
answerCalls<Call>((call) => child.carryOut(call));
