/**
 * Who is in the cluster, and who owns what: one server's part in it. Decided by compare-and-set on two kinds of keys, never by reading:
 *
 * - `server.N`, the *lease* of server N. N renews it; each renewal counts for `leaseMs` from when it was sent, by N's own clock. A server
 *   that sees no renewal for `takeOverMs` writes "dead" on top of the last renewal that it saw. Either that write or N's next renewal succeeds,
 *   not both. Once it is there N can never renew again: a process that comes back takes a new number. Whoever wrote "dead" is the *executor*: it brings
 *   back what N owned, and then writes "buried". If the executor dies too, somebody else takes its place by the same rule. A server that leaves writes "dead"
 *   by itself, and names its executor.
 * - `map`, the slices. Only the owner of a slice gives it away, or anybody once the owner's lease says "dead".
 *
 * Why no two servers act for a slice: the old owner's last renewal was sent before anybody saw it. Its `leaseMs` are over before the
 * others' `takeOverMs` are, as long as clocks run at rates within takeOverMs ÷ leaseMs of each other. A process that is paused in the middle of
 * a round may still say something afterwards: that carries an old fence, and nobody obeys it.
 */

import type { Off } from "@nearfield/schema";
import { BitReader, BitWriter } from "@nearfield/schema/internal";
import type { Bus, KeyEntry, Written } from "../bus/bus.ts";
import { ClusterError } from "../errors.ts";
import { withoutServers } from "./balance.ts";
import { type Slice, SliceMap } from "./slice-map.ts";

export interface MembershipOptions {
  readonly bus: Bus;
  /** The server's number, as in `serve({ serverNumber })`. No server of this world had it before. */
  readonly number: number;
  /** This server's clock, ms. Only its rate matters. */
  readonly now: () => number;
  /** How long a renewal counts, ms. Default 2000. Longer survives longer pauses, and a dead server is replaced later. */
  readonly leaseMs?: number;
  /** After this time without a renewal others take over, ms. Default 1.5 × `leaseMs`: clocks may differ by half. */
  readonly takeOverMs?: number;
}

/** `leaving`: it lives and gives away what it has. `dead`: what it owned is not brought back yet. `buried`: nothing of it is left. */
type State = "alive" | "leaving" | "dead" | "buried";

const STATES: readonly State[] = ["alive", "leaving", "dead", "buried"];
const STATE_BITS = 2;

/** What a lease says of its server. */
interface Beat {
  readonly state: State;
  /** How much work it has, in whatever unit all servers use. */
  readonly load: number;
  /** The epoch of the map by which the load was counted. */
  readonly countedAt: number;
  /** Of a dead one: who brings back what it owned. 0 else. */
  readonly executor: number;
}

const GONE = { load: 0, countedAt: 0, executor: 0 } as const;

interface Seen extends Beat {
  readonly revision: number;
  /** By this server's clock. */
  readonly seenMs: number;
}

export type Verdict = "obey" | "stale" | "early";

const RENEWALS_PER_LEASE = 4;
/** The same, while the last one is not answered. */
const LOST_RENEWALS_PER_LEASE = 2;

export class Membership {
  readonly number: number;
  readonly #bus: Bus;
  readonly #now: () => number;
  readonly #leaseMs: number;
  readonly #takeOverMs: number;
  readonly #off: Off;
  readonly #servers = new Map<number, Seen>();
  #map: SliceMap | undefined;
  #mapRevision = 0;
  #isProposing = false;
  /** The lease counts until then, by this server's clock. */
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  #lastRenewalMs = Number.NEGATIVE_INFINITY;
  #isRenewing = false;
  #hasRenewed = false;
  /** The revision of this server's own lease, as far as it knows. */
  #revision = 0;
  #isDead = false;
  #isLeaving = false;
  /** Set while this server ends its lease: who brings back what is on its way here, and what is called when the lease has ended. */
  #ending: { readonly executor: number; readonly done: () => void } | undefined;
  #load = 0;
  #countedAt = 0;

  constructor({ bus, number, now, leaseMs = 2000, takeOverMs = 1.5 * leaseMs }: MembershipOptions) {
    if (!(takeOverMs > leaseMs))
      throw new ClusterError("bad-option", `takeOverMs is ${takeOverMs}, but must be above leaseMs, ${leaseMs}`);
    this.number = number;
    this.#bus = bus;
    this.#now = now;
    this.#leaseMs = leaseMs;
    this.#takeOverMs = takeOverMs;
    this.#off = bus.keys.watch((entry) => this.#read(entry));
  }

  /** The newest map that this server knows; undefined before the first. */
  get map(): SliceMap | undefined {
    return this.#map;
  }

  /** Whether this server may act for what it owns. */
  get isHeld(): boolean {
    return !this.#isDead && this.#ending === undefined && this.#now() < this.#heldUntilMs;
  }

  /** Others have declared this server dead, or its number was taken already. It never owns anything again. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** Servers that live as far as this one knows, with their loads. */
  get alive(): ReadonlyMap<number, number> {
    const alive = new Map<number, number>();
    for (const [number, { state, load }] of this.#servers) if (isAlive(state)) alive.set(number, load);
    return alive;
  }

  /** Those of them that may be given slices. A server that leaves knows so before its lease says it. */
  get staying(): ReadonlyMap<number, number> {
    const staying = new Map<number, number>();
    for (const [number, { state, load }] of this.#servers) if (state === "alive") staying.set(number, load);
    if (this.#isLeaving) staying.delete(this.number);
    return staying;
  }

  /** How much work this server has now: the next renewal says it. */
  report(load: number): void {
    this.#load = load;
    this.#countedAt = this.#map?.epoch ?? 0;
  }

  /** Whether what is known of a server's load was counted since its slices last changed. Before that it says nothing about what the server has now. */
  hasCounted(server: number): boolean {
    const epochs = this.#map?.ofOwner(server).map(({ since }) => since) ?? [];
    return (this.#servers.get(server)?.countedAt ?? 0) >= Math.max(0, ...epochs);
  }

  /** Dead servers whose objects are not brought back yet. */
  get unburied(): readonly number[] {
    return this.#numbersOf("dead");
  }

  /** Servers of which nothing is left. */
  get buried(): readonly number[] {
    return this.#numbersOf("buried");
  }

  /** Whether a server is known to be dead or buried. The map may name it for a while yet. */
  isGone(server: number): boolean {
    return !isAlive(this.#servers.get(server)?.state ?? "alive");
  }

  /** Whether it is this server that brings back what a dead one owned. */
  isExecutorOf(server: number): boolean {
    const seen = this.#servers.get(server);
    return this.isHeld && seen?.state === "dead" && seen.executor === this.number;
  }

  /** Everything that a dead server owned is brought back, and safe. */
  bury(server: number): void {
    const seen = this.#servers.get(server);
    if (seen === undefined || !this.isExecutorOf(server)) return;
    this.#bus.keys.put(keyOf(server), encode({ ...GONE, state: "buried" }), seen.revision, () => {});
  }

  /** From now on nobody gives this server slices. */
  leave(): void {
    this.#isLeaving = true;
  }

  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /**
   * Ends the lease of this server, which owns nothing any more and never acts again: its next renewals say "dead". Something may be on its way to it all the same,
   * so it has an executor like any other. `done` is called when the lease has ended.
   */
  end(executor: number, done: () => void): void {
    this.#ending = { executor, done };
    this.#renew(this.#now());
  }

  /** Whether this server may act for a slice now. */
  mayActFor({ owner }: Slice): boolean {
    return owner === this.number && this.isHeld;
  }

  /** Whether a message of server `from`, that speaks for a slice with a fence, is to be obeyed. `early`: by a map that is not known here yet. */
  judge(from: number, slice: string, fence: number): Verdict {
    if (this.#map === undefined || fence > this.#map.epoch) return "early";
    const known = this.#map.get(slice);
    return known !== undefined && known.owner === from && known.fence === fence ? "obey" : "stale";
  }

  /** To be called in every round: renews the lease, and takes over from servers that are silent. */
  tick(): void {
    if (this.#isDead) return;
    const nowMs = this.#now();
    if (nowMs - this.#lastRenewalMs >= this.#renewalMs) this.#renew(nowMs);
    if (!this.isHeld) return;
    for (const [number, seen] of this.#servers) {
      if (number === this.number || !this.#isToBeTakenOver(seen, nowMs)) continue;
      // Not again before the outcome of this one can be known.
      this.#servers.set(number, { ...seen, seenMs: nowMs });
      const dead = encode({ ...GONE, state: "dead", executor: this.number });
      this.#bus.keys.put(keyOf(number), dead, seen.revision, () => {});
    }
    if (this.#map === undefined) return this.propose(() => SliceMap.whole(this.number));
    const heirs = this.staying.size > 0 ? this.staying : this.alive;
    const isGone = (server: number): boolean => this.isGone(server);
    if (this.#map.slices.some(({ owner }) => isGone(owner)))
      this.propose((map) => withoutServers(map!, isGone, [...heirs.keys()]));
  }

  /** A server that is silent, or a dead one whose executor is dead. */
  #isToBeTakenOver({ state, seenMs, executor }: Seen, nowMs: number): boolean {
    if (state === "buried") return false;
    if (state === "dead" && isAlive(this.#servers.get(executor)?.state ?? "dead")) return false;
    return nowMs - seenMs >= (state === "dead" ? this.#leaseMs / RENEWALS_PER_LEASE : this.#takeOverMs);
  }

  #numbersOf(wanted: State): number[] {
    return [...this.#servers].flatMap(([number, { state }]) => (state === wanted ? [number] : []));
  }

  /**
   * Writes the map that `change` makes of the newest one. Another server may be faster: then nothing happens, and the caller decides anew by the
   * map that it sees next. One proposal at a time; others are left out.
   */
  propose(change: (map: SliceMap | undefined) => SliceMap | undefined): void {
    if (this.#isProposing || !this.isHeld) return;
    const next = change(this.#map);
    if (next === undefined || next === this.#map) return;
    this.#isProposing = true;
    this.#bus.keys.put("map", next.encode(), this.#mapRevision, () => {
      this.#isProposing = false;
    });
  }

  /** Stops reading. The lease ends by itself. */
  close(): void {
    this.#off();
    this.#isDead = true;
  }

  /** Time between two renewals. One that is not answered may be lost with a connection: of two on their way one is written. The first of all is waited for. */
  get #renewalMs(): number {
    if (!this.#isRenewing) return this.#leaseMs / RENEWALS_PER_LEASE;
    return this.#revision === 0 ? Number.POSITIVE_INFINITY : this.#leaseMs / LOST_RENEWALS_PER_LEASE;
  }

  #renew(nowMs: number): void {
    this.#isRenewing = true;
    this.#hasRenewed = true;
    this.#lastRenewalMs = nowMs;
    const isFirst = this.#revision === 0;
    this.#bus.keys.put(keyOf(this.number), encode(this.#beat), this.#revision, (outcome) =>
      this.#renewed(outcome, nowMs, isFirst),
    );
  }

  get #beat(): Beat {
    if (this.#ending !== undefined) return { ...GONE, state: "dead", executor: this.#ending.executor };
    const state = this.#isLeaving ? "leaving" : "alive";
    return { state, load: this.#load, countedAt: this.#countedAt, executor: 0 };
  }

  /** What was not written for sure counts for nothing: if it was written all the same, the watch says so, and the next renewal goes on from there. */
  #renewed(outcome: Written, sentMs: number, isFirst: boolean): void {
    this.#isRenewing = false;
    if (isFirst && outcome.kind === "conflict") this.#die();
    if (outcome.kind !== "written") return;
    this.#revision = Math.max(this.#revision, outcome.at);
    if (!this.isHeld) this.#waitAnew();
    this.#heldUntilMs = Math.max(this.#heldUntilMs, sentMs + this.#leaseMs);
  }

  /** A server that could not write for a while has perhaps not heard of the others either: they get their whole time once more. */
  #waitAnew(): void {
    const seenMs = this.#now();
    for (const [number, seen] of this.#servers) this.#servers.set(number, { ...seen, seenMs });
  }

  #die(): void {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#ending?.done();
  }

  #read({ key, value, revision }: KeyEntry): void {
    if (key === "map") {
      this.#mapRevision = revision;
      this.#map = readable(value) ?? this.#map;
      return;
    }
    const number = Number(/^server\.(\d+)$/.exec(key)?.[1] ?? Number.NaN);
    if (Number.isNaN(number)) return;
    const beat = decode(value);
    this.#servers.set(number, { ...beat, revision, seenMs: this.#now() });
    if (number !== this.number) return;
    this.#revision = Math.max(this.#revision, revision);
    // A lease that is there before this server wrote one belongs to a server that had the number before.
    if (!isAlive(beat.state) || !this.#hasRenewed) this.#die();
  }
}

/** A map that cannot be read is as if it were not there: the next one that anybody proposes takes its place. */
function readable(bytes: Uint8Array): SliceMap | undefined {
  try {
    return SliceMap.decode(bytes);
  } catch (error) {
    if (error instanceof ClusterError) return undefined;
    throw error;
  }
}

function keyOf(number: number): string {
  return `server.${number}`;
}

function isAlive(state: State): boolean {
  return state === "alive" || state === "leaving";
}

function encode({ state, load, countedAt, executor }: Beat): Uint8Array {
  const writer = new BitWriter(16);
  writer.writeBits(STATES.indexOf(state), STATE_BITS);
  writer.writeFloat64(load);
  writer.writeVar(countedAt);
  writer.writeVar(executor);
  return writer.finish();
}

function decode(bytes: Uint8Array): Beat {
  const reader = new BitReader(bytes);
  const state = STATES[reader.readBits(STATE_BITS)]!;
  return { state, load: Math.max(0, reader.readFloat64()), countedAt: reader.readVar(), executor: reader.readVar() };
}
