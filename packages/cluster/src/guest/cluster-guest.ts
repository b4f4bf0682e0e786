/**
 * One server of a cluster, as a guest of its room. Its round:
 *
 *     roundBegins:  renew lease → read messages → follow the map → bring back what dead servers owned → sweep copies → carry out commands that came back
 *     committed:    write the journal
 *     roundEnded:   rename players → send news → hand objects over → state interests → send commands → balance
 *
 * News comes first, so that everybody gets the last round of an object from its old owner.
 *
 * A player keeps its link to the server that it joined, its gateway. The gateway has copies of what its players' views reach, and judges these
 * views by itself; other servers know areas, not players. Why so, and what it costs: docs/decisions/0040-cluster.md.
 */

import type { WorldObserver } from "@nearfield/core/internal";
import type { WorldId } from "@nearfield/schema";
import type { Guest, Release, RoomSeam } from "@nearfield/server/seam";
import { Journal } from "../journal/journal.ts";
import { LogWriter } from "../journal/log-writer.ts";
import { Membership } from "../slices/membership.ts";
import type { SliceMap } from "../slices/slice-map.ts";
import { Balancer } from "./balancer.ts";
import type { ClusterCounters, ClusterOptions } from "./cluster-options.ts";
import { Departure } from "./departure.ts";
import { Events } from "./events.ts";
import { Executor } from "./executor.ts";
import { Forwarder } from "./forwarder.ts";
import { Gateway } from "./gateway.ts";
import { Inbox } from "./inbox.ts";
import { Interests } from "./interests.ts";
import { Ledger } from "./ledger.ts";
import { liveSlots } from "./live-slots.ts";
import { LockClaims } from "./lock-claims.ts";
import { LockWishes } from "./lock-wishes.ts";
import type { Commands, Handover, Message, News, Statement } from "./messages.ts";
import { encodeMessage } from "./messages-codec.ts";
import { Mirrors } from "./mirrors.ts";
import type { Entry, Moved } from "./objects-codec.ts";
import { Refuge } from "./refuge.ts";
import { RoutedSteps } from "./routed-steps.ts";
import { RoutedWrites } from "./routed-writes.ts";
import { Sessions } from "./sessions.ts";
import { countObjects, joinSights, type Sight } from "./sight.ts";
import { Transfers } from "./transfers.ts";

const ROUNDS_TO_ASK_AGAIN = 10;
/** How often a server says how much it has to do, and looks whether others should have some of it. */
const BALANCE_MS = 500;
/** Whoever has copies and no news hears how far this server is, so that a loss is noticed. */
const BEAT_MS = 1000;
const SNAPSHOT_MS = 5000;
/** Neighbouring server numbers write their snapshots this share of the time apart. */
const SNAPSHOT_PHASE = 0.382;

export class ClusterGuest implements Guest, WorldObserver {
  readonly name = "cluster";
  readonly membership: Membership;
  readonly counters: ClusterCounters = { forwarded: 0, updates: 0, messages: 0, bytes: 0, interests: 0, dropped: 0 };
  readonly #seam: RoomSeam;
  readonly #options: ClusterOptions;
  readonly #ledger: Ledger;
  readonly #sessions: Sessions;
  readonly #interests: Interests;
  readonly #forwarder: Forwarder;
  readonly #mirrors: Mirrors;
  readonly #transfers: Transfers;
  readonly #gateway: Gateway;
  readonly #steps: RoutedSteps;
  readonly #writes: RoutedWrites;
  readonly #wishes: LockWishes;
  readonly #claims: LockClaims;
  readonly #executor: Executor;
  readonly #journal: Journal;
  readonly #refuge: Refuge;
  readonly #events: Events;
  readonly #departure: Departure;
  readonly #balancer: Balancer;
  readonly #inbox: Inbox;
  /** Own objects that moved or are new since the last round. */
  readonly #moved = new Set<number>();
  readonly #askedAgain = new Map<number, number>();
  #map: SliceMap | undefined;
  #dead: readonly number[] = [];
  #buried: readonly number[] = [];
  #isNewMap = false;

  constructor(seam: RoomSeam, options: ClusterOptions) {
    const { bus, server, lead, margin = 0, eventReach = 0 } = options;
    const { world } = seam;
    this.#seam = seam;
    this.#options = options;
    this.membership = new Membership({ ...options, number: server });
    const ledger = new Ledger(server);
    const sessions = new Sessions(seam, server);
    const { membership } = this;
    this.#ledger = ledger;
    this.#sessions = sessions;
    this.#interests = new Interests(world, lead, eventReach);
    this.#forwarder = new Forwarder({ server, world, ledger, lead, margin });
    const ownOf = (entry: Entry) => this.#writes.ownOf(entry) ?? this.#wishes.ownOf(entry);
    this.#mirrors = new Mirrors({ seam, membership, ledger, sessions, ownOf });
    const transfers = new Transfers({ server, seam, ledger, sessions });
    this.#transfers = transfers;
    const send = (to: number, statement: Statement): void => this.#send(to, statement);
    const journal = new Journal({
      seam,
      ledger,
      sessions,
      writer: new LogWriter(bus, server),
      durable: new Set(options.durable),
      snapshotMs: options.snapshotMs ?? SNAPSHOT_MS,
      phase: (server * SNAPSHOT_PHASE) % 1,
      pending: () => transfers.pending(),
      onSafe: (id) => this.#touch(id),
    });
    this.#journal = journal;
    const oldestWrite = (session: number) => least(this.#writes.oldestOf(session), this.#wishes.oldestOf(session));
    this.#gateway = new Gateway({ server, seam, ledger, sessions, journal, send, oldestWrite });
    this.#steps = new RoutedSteps({ server, seam, ledger, sessions, send });
    const touch = (id: WorldId): void => this.#touch(id);
    const cap = (session: number) => this.#gateway.cap(session);
    this.#writes = new RoutedWrites({ server, seam, ledger, sessions, journal, send, touch, cap });
    const wishes = new LockWishes({ server, seam, ledger, sessions, send, cap });
    this.#wishes = wishes;
    const endVisit = (player: WorldId): void => this.#endVisit(player);
    this.#claims = new LockClaims({ server, seam, membership, ledger, sessions, journal, wishes, touch, endVisit });
    const forwarder = this.#forwarder;
    this.#events = new Events({ server, seam, membership, sessions, forwarder, journal, reach: eventReach, send });
    const countOwn = (): number => this.#countOwn();
    this.#departure = new Departure({ seam, membership, transfers, journal, countOwn });
    this.#balancer = new Balancer({ world, membership, proposes: options.balances !== false });
    const adopt = (object: Moved): void => void this.#adopt(server, object, [...membership.alive.keys()]);
    this.#executor = new Executor({ bus, seam, membership, ledger, sessions, transfers, journal, send, adopt });
    const isOut = (): boolean => this.#departure.isOut;
    this.#refuge = new Refuge({ server, seam, membership, ledger, sessions, journal, send, touch, isOut });
    seam.observe(this);
    seam.routeCommands((player, type, values, number) => this.#gateway.route(player, type, values, number));
    this.#inbox = new Inbox(bus, subjectOf(server), world.protocol);
  }

  /** Hand-overs to other servers so far. */
  get transfers(): number {
    return this.#transfers.count;
  }

  /** News that nobody obeyed here, because its sender did not own the slice any more. */
  get staleNews(): number {
    return this.#mirrors.stale;
  }

  /** Whether this server owns a place now, and may act for it. */
  owns(x: number, y: number, z = 0): boolean {
    const slice = this.membership.map?.at(x, y, z);
    return slice !== undefined && this.membership.mayActFor(slice);
  }

  /** What there is to tell of this server now. Looks at every object once. */
  look(): Sight {
    const { membership } = this;
    const { forwarded, updates, dropped } = this.counters;
    const players = [...this.#seam.players.keys()].filter((session) => !this.#sessions.isVisitor(session)).length;
    return {
      server: membership.number,
      isHeld: membership.isHeld,
      ...countObjects(this.#seam.world, membership),
      players,
      updates,
      forwarded,
      dropped,
      to: joinSights(this.#transfers.to, this.#forwarder.subscribers()),
    };
  }

  /** Objects of dead servers that this one brought back. */
  get recovered(): number {
    return this.#executor.recovered;
  }

  /** What was written to the log so far. */
  get journal(): Readonly<Journal["counters"]> {
    return this.#journal.counters;
  }

  roundBegins(round: number): void {
    this.membership.tick();
    this.#mirrors.beginRound();
    this.#gateway.beginRound();
    this.#inbox.read(
      (message) => this.#isEarly(message),
      (message) => this.#read(message, round),
    );
    this.counters.dropped = this.#inbox.dropped;
    this.#followMap();
    this.#executor.tick(round);
    this.#refuge.tick(round);
    this.#mirrors.sweep(round);
    for (const server of this.#mirrors.silent(round)) this.#askAgain(server, round);
    this.#gateway.carryOutReturned();
    this.#steps.carryOutReturned();
    this.#writes.settle();
    this.#wishes.settle();
  }

  /** Also without a lease: what cannot be written is never confirmed. */
  committed(round: number, hold: () => Release): void {
    this.#journal.commit(round, hold);
  }

  roundEnded(round: number): void {
    this.#refuge.endRound();
    const { map } = this.membership;
    if (map === undefined || !this.membership.isHeld) return;
    this.#claims.tick();
    this.#sendNews(map, round);
    this.#handOver(map, round);
    this.#stateInterests(map, round);
    this.#gateway.sendCommands(round);
    this.#steps.sendAll(round);
    this.#writes.sendAll(round);
    this.#wishes.sendAll(round);
    this.#gateway.sendLeft();
    if (this.#isEvery(BALANCE_MS, round)) this.#balancer.balance(map);
    this.#departure.tick(map, round);
  }

  /**
   * Leaves the cluster in order: gives everything away, sends this server's clients to other gateways, and ends the lease. `done` is called when nothing is
   * left here; the server can be closed then.
   */
  drain(done: () => void): void {
    this.#departure.begin(done);
  }

  dismissed(): void {
    this.#inbox.close();
    this.membership.close();
  }

  // ── what happens in the world ──────────────────────────────────────────────────────────────────────────────────

  spawned(slot: number): void {
    if (this.#isForeign(slot)) return;
    this.#noteOwner(slot);
    this.#moved.add(slot);
    this.#forwarder.updated(slot);
    this.#noteChange(slot);
  }

  updated(slot: number): void {
    if (this.#isForeign(slot)) return;
    this.counters.updates += 1;
    this.#forwarder.updated(slot);
    this.#noteChange(slot);
  }

  moved(slot: number): void {
    if (this.#isForeign(slot)) return;
    this.#moved.add(slot);
    this.#forwarder.touched(slot);
  }

  reclassified(slot: number): void {
    if (this.#isForeign(slot)) return;
    this.#noteOwner(slot);
    this.#forwarder.updated(slot);
  }

  destroyed(slot: number): void {
    const { world } = this.#seam;
    const id = world.worldIdOf(world.store.idAt(slot));
    if (!this.#isForeign(slot)) {
      this.#forwarder.destroyed(id, this.#ledger.own(id).hop);
      this.#journal.destroyed(id, world.store.tableAt(slot).type);
    } else if (this.#mirrors.isApplying) return;
    else this.#gateway.copyRemoved(id);
    this.#ledger.forget(id);
  }

  #noteChange(slot: number): void {
    const { world } = this.#seam;
    this.#journal.changed(world.worldIdOf(world.store.idAt(slot)), world.store.tableAt(slot).type);
  }

  /** Everybody who has a copy of an own object is to be told of it anew. */
  #touch(id: WorldId): void {
    const { world } = this.#seam;
    const entity = world.byWorldId(id);
    if (entity !== undefined && !world.isForeign(entity)) this.#forwarder.updated(world.store.liveSlot(entity.id));
  }

  #countOwn(): number {
    let count = 0;
    for (const slot of liveSlots(this.#seam.world)) if (!this.#isForeign(slot)) count += 1;
    return count;
  }

  #isForeign(slot: number): boolean {
    const { world } = this.#seam;
    return world.isForeign(world.store.idAt(slot));
  }

  #noteOwner(slot: number): void {
    const { world } = this.#seam;
    const player = this.#sessions.playerOf(world.store.owner[slot]!);
    const id = world.worldIdOf(world.store.idAt(slot));
    if (player === 0 && this.#ledger.get(id) === undefined) return;
    const record = this.#ledger.own(id);
    // Every player's writes are counted anew.
    if (record.player !== player) record.written = 0;
    record.player = player;
  }

  // ── messages in ────────────────────────────────────────────────────────────────────────────────────────────────

  #isEarly(message: Message): boolean {
    if (message.kind === "handover") return message.epoch > (this.membership.map?.epoch ?? 0);
    if (message.kind !== "news") return false;
    return message.slices.some(({ id, fence }) => this.membership.judge(message.from, id, fence) === "early");
  }

  #read(message: Message, round: number): void {
    const { from } = message;
    switch (message.kind) {
      case "interest":
        return this.#forwarder.asked(from, message);
      case "news":
        return this.#readNews(from, message, round);
      case "handover":
        return this.#takeOver(from, message);
      case "taken":
        if (this.#transfers.taken(message.id, message.hop)) this.#journal.handedOn(message.id);
        return;
      case "commands":
        return this.#carryOut(message);
      case "steps":
        if (this.membership.isHeld) this.#steps.carryOut(message);
        return;
      case "writes":
        if (this.membership.isHeld) this.#writes.carryOut(message);
        return;
      case "writeRefused":
        return this.#writes.refused(message);
      case "locks":
        if (this.membership.isHeld) this.#claims.stated(message);
        return;
      case "inquest":
        return this.#executor.asked(from, message);
      case "testimony":
        return this.#executor.heard(from, message);
      case "left":
        return this.#removePlayer(message.player);
      case "seek":
        return this.#refuge.sought(from, message.token);
      case "found":
        return this.#refuge.found(message.session);
      case "renamed":
        return this.#refuge.renamed(message.player, message.to);
      case "heard":
        return this.#events.heard(message);
    }
  }

  #readNews(from: number, news: News, round: number): void {
    if (this.#mirrors.isGap(from, news)) return this.#askAgain(from, round);
    const obeyed = this.#mirrors.apply(from, news);
    this.#gateway.hear(obeyed);
    this.#steps.hear(obeyed);
    this.#writes.hear(from, obeyed);
    this.#wishes.hear(from, obeyed);
  }

  #askAgain(server: number, round: number): void {
    const { map, number } = this.membership;
    if (map === undefined || round < (this.#askedAgain.get(server) ?? 0)) return;
    this.#askedAgain.set(server, round + ROUNDS_TO_ASK_AGAIN);
    this.#send(server, this.#interests.again(map, number, server, round));
  }

  /**
   * A server that may not act takes nothing over: the hand-over is said again, to whoever owns the place then. That the object was taken is said
   * once it is in this server's log: until then its old owner keeps it.
   */
  #takeOver(from: number, { object, copies }: Handover): void {
    if (!this.membership.isHeld || !this.membership.alive.has(from)) return;
    const { id, hop } = object;
    const taken = (): void => this.#send(from, { kind: "taken", id, hop });
    if (!this.#adopt(from, object, copies, taken)) this.#journal.afterAll(taken);
  }

  /** Returns false if it was here before. */
  #adopt(from: number, object: Moved, copies: readonly number[], isSafe?: () => void): boolean {
    const slot = this.#transfers.take({ ...object, player: this.#sessions.nowOf(object.player) });
    if (slot < 0) return false;
    this.#claims.adopted(object.id);
    this.#journal.adopted(object.id, isSafe);
    this.#forwarder.adopted(object.id, slot, from, copies);
    this.#moved.add(slot);
    return true;
  }

  #carryOut({ player, nickname, avatar, confirmed, after, list }: Commands): void {
    const { world } = this.#seam;
    const entity = world.byWorldId(avatar);
    if (!this.membership.isHeld || entity === undefined || world.isForeign(entity)) return;
    const record = this.#ledger.own(avatar);
    const standIn = this.#sessions.standIn(player, nickname);
    if (standIn === undefined || record.player !== player) return;
    record.applied = Math.max(record.applied, confirmed);
    record.safe = Math.max(record.safe, confirmed);
    if (after > record.applied) return;
    for (const { number, type, values } of list) {
      if (number <= record.applied) continue;
      record.applied = number;
      this.#seam.carryOut(standIn, type, values);
      this.#journal.advanced(avatar);
    }
    this.#forwarder.updated(world.store.liveSlot(entity.id));
  }

  #removePlayer(player: WorldId): void {
    const { world } = this.#seam;
    for (const [id, record] of [...this.#ledger]) {
      const entity = world.byWorldId(id);
      if (record.player === player && entity !== undefined && !world.isForeign(entity)) world.destroy(entity);
    }
    this.#claims.end(player);
    this.#sessions.end(player);
  }

  // ── the map ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Notes who has died, and whose objects are brought back. */
  #followMap(): void {
    const { map, unburied, buried } = this.membership;
    if (map === undefined) return;
    this.#isNewMap ||= map !== this.#map;
    this.#map = map;
    for (const server of [...unburied, ...buried]) {
      if (this.#dead.includes(server)) continue;
      this.#mirrors.orphan(server);
      this.#interests.forget(server);
      this.#forwarder.forget(server);
    }
    for (const server of buried) {
      if (this.#buried.includes(server)) continue;
      this.#mirrors.buried(server);
      this.#transfers.forget(server);
    }
    this.#dead = [...unburied, ...buried];
    this.#buried = buried;
  }

  // ── messages out ───────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Nothing is handed to a server that is known to be dead, though the map may still name it: what this server testified of objects on their way must
   * stay true. Such an object stays here until a new map names somebody else.
   */
  #handOver(map: SliceMap, round: number): void {
    const { world } = this.#seam;
    const { membership } = this;
    const { number, isLeaving } = membership;
    for (const slot of this.#isNewMap || isLeaving ? liveSlots(world) : this.#moved) {
      if (!world.store.isLive(slot) || this.#isForeign(slot)) continue;
      const owner = this.#ownerOf(map, slot);
      if (owner === number || membership.isGone(owner)) continue;
      const id = world.worldIdOf(world.store.idAt(slot));
      this.#steps.ceding(id);
      this.#claims.ceding(id);
      const copies = this.#forwarder.holdersOf(id);
      const object = this.#transfers.cede(slot, owner, round, copies);
      this.#forwarder.ceded(object.id, object.hop, owner);
      this.#send(owner, { kind: "handover", epoch: map.epoch, object, copies });
      if (object.player !== 0) this.#endVisit(object.player);
    }
    this.#moved.clear();
    this.#isNewMap = false;
    for (const { to, object, copies } of this.#transfers.unconfirmed(membership.alive, round))
      this.#send(to, { kind: "handover", epoch: map.epoch, object, copies });
  }

  /** Who is to own an own object. One without a position stays where it is, unless this server leaves. */
  #ownerOf(map: SliceMap, slot: number): number {
    const { world } = this.#seam;
    const { number, isLeaving, staying } = this.membership;
    if (world.isSpatial(slot)) return map.at(world.x[slot]!, world.y[slot]!, world.z[slot]!).owner;
    return isLeaving ? (staying.keys().next().value ?? number) : number;
  }

  /** A visitor stands in the room while something of it is owned here. */
  #endVisit(player: WorldId): void {
    const { world } = this.#seam;
    for (const [id, record] of this.#ledger) {
      if (record.player === player && record.source === this.membership.number && world.byWorldId(id) !== undefined)
        return;
    }
    this.#sessions.end(player);
  }

  #sendNews(map: SliceMap, round: number): void {
    for (const [to, news] of this.#forwarder.pass(map, this.membership.alive, this.#isEvery(BEAT_MS, round))) {
      this.counters.forwarded += news.entries.length;
      this.#send(to, news);
    }
  }

  #stateInterests(map: SliceMap, round: number): void {
    const { players } = this.#seam;
    const views = [...players.values()]
      .filter(({ id }) => !this.#sessions.isVisitor(id))
      .map((player) => [player.id, player.settingsWithUnits] as const);
    this.#interests.look(views);
    for (const [to, interest] of this.#interests.changes(map, this.membership.number, round)) {
      this.counters.interests += 1;
      this.#send(to, interest);
    }
  }

  #send(to: number, statement: Statement): void {
    const bytes = encodeMessage(this.#seam.world.protocol, { ...statement, from: this.#options.server });
    this.counters.messages += 1;
    this.counters.bytes += bytes.length;
    this.#options.bus.publish(subjectOf(to), bytes);
  }

  #isEvery(ms: number, round: number): boolean {
    return round % Math.ceil(ms / this.#seam.roundMs) === 0;
  }
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function subjectOf(server: number): string {
  return `to.${server}`;
}
