/**
 * One server of a cluster, as a guest of its room. Its round:
 *
 *     roundBegins:  renew lease → read messages → follow the map → sweep copies → carry out commands that came back
 *     roundEnded:   send news → hand objects over → state interests → send commands → balance
 *
 * News comes first, so that everybody gets the last round of an object from its old owner.
 *
 * A player keeps its link to the server that it joined, its gateway. The gateway has copies of what its players' views reach, and judges these
 * views by itself; other servers know areas, not players. Why so, and what it costs: docs/decisions/0040-cluster.md.
 */

import type { WorldObserver } from "@nearfield/core/internal";
import type { CommandType, WorldId } from "@nearfield/schema";
import { numberOf, originOf } from "@nearfield/schema/internal";
import type { Player } from "@nearfield/server";
import type { Guest, RoomSeam } from "@nearfield/server/seam";
import type { Bus } from "../bus/bus.ts";
import { type Load, nextMap } from "../slices/balance.ts";
import { Membership } from "../slices/membership.ts";
import type { SliceMap } from "../slices/slice-map.ts";
import { Forwarder } from "./forwarder.ts";
import { Interests } from "./interests.ts";
import { Ledger } from "./ledger.ts";
import { type Commands, decodeMessage, encodeMessage, type Message, type News, type Statement } from "./messages.ts";
import { Mirrors } from "./mirrors.ts";
import { RoutedCommands } from "./routed-commands.ts";
import { Sessions } from "./sessions.ts";
import { countObjects, joinSights, type Sight } from "./sight.ts";
import { Transfers } from "./transfers.ts";

export interface ClusterOptions {
  readonly bus: Bus;
  /** As in the server's option `serverNumber`. */
  readonly server: number;
  /** This server's clock, ms. Only its rate matters. */
  readonly now: () => number;
  /** How far ahead of views copies are brought in, world units. Half of it covers how far pivots move before they are stated anew, half what objects move while messages travel. A larger one costs more copies. */
  readonly lead: number;
  /** How far beyond its borders a server has copies of everything, whatever its players see: for rules of the game that look at neighbours. World units, default 0. */
  readonly margin?: number;
  /** See `Membership`. */
  readonly leaseMs?: number;
  readonly takeOverMs?: number;
  /** Whether slices are cut and given away by load. Default true. */
  readonly balances?: boolean;
}

/** What a server of a cluster has done so far. */
export interface ClusterCounters {
  /** Updates of own objects that were sent to other servers, once for each receiver: what V tab. 4 counts. */
  forwarded: number;
  /** Updates of own objects, forwarded or not. */
  updates: number;
  /** Messages of each kind, batched by round and receiver, and their bytes. */
  messages: number;
  bytes: number;
  interests: number;
  /** Messages that could not be read, or did not fit into the inbox. */
  dropped: number;
}

/** Messages that may wait for the next round. More are dropped; lost news is noticed and asked for again. */
const MOST_IN_INBOX = 10_000;
const ROUNDS_TO_ASK_AGAIN = 10;
const BALANCE_MS = 1000;
/** Whoever has copies and no news hears how far this server is, so that a loss is noticed. */
const BEAT_MS = 1000;
/** A player that left is said so often, once in this many rounds: a message may be lost. */
const LEFT_TIMES = 3;

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
  readonly #off: () => void;
  #inbox: Message[] = [];
  /** Own objects that moved or are new since the last round. */
  readonly #moved = new Set<number>();
  /** By session number. */
  readonly #routed = new Map<number, RoutedCommands>();
  /** Players whose avatar came back in this round with commands waiting: later ones must stay behind them. */
  readonly #returned = new Set<number>();
  readonly #left = new Map<WorldId, { readonly to: number; times: number }>();
  readonly #askedAgain = new Map<number, number>();
  #map: SliceMap | undefined;
  #alive = new Set<number>();
  #isNewMap = false;

  constructor(seam: RoomSeam, options: ClusterOptions) {
    const { bus, server, lead, margin = 0 } = options;
    const { world } = seam;
    this.#seam = seam;
    this.#options = options;
    this.membership = new Membership({ ...options, number: server });
    const ledger = new Ledger(server);
    const sessions = new Sessions(seam, server);
    const { membership } = this;
    this.#ledger = ledger;
    this.#sessions = sessions;
    this.#interests = new Interests(world, lead);
    this.#forwarder = new Forwarder({ server, world, ledger, lead, margin });
    this.#mirrors = new Mirrors({ seam, membership, ledger, sessions });
    this.#transfers = new Transfers({ server, seam, ledger, sessions });
    seam.observe(this);
    seam.routeCommands((player, type, values) => this.#route(player, type, values));
    this.#off = bus.subscribe(subjectOf(server), (payload) => this.#receive(payload));
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

  roundBegins(round: number): void {
    this.membership.tick();
    this.#mirrors.beginRound();
    this.#returned.clear();
    this.#readMessages(round);
    this.#followMap();
    this.#mirrors.sweep(round);
    for (const server of this.#mirrors.silent(round)) this.#askAgain(server, round);
    this.#carryOutReturned();
  }

  roundEnded(round: number): void {
    const { map } = this.membership;
    if (map === undefined || !this.membership.isHeld) return;
    this.#sendNews(map, round);
    this.#handOver(map, round);
    this.#stateInterests(map);
    this.#sendCommands(round);
    this.#sendLeft();
    this.#balance(map, round);
  }

  dismissed(): void {
    this.#off();
    this.membership.close();
  }

  // ── what happens in the world ──────────────────────────────────────────────────────────────────────────────────

  spawned(slot: number): void {
    if (this.#isForeign(slot)) return;
    this.#noteOwner(slot);
    this.#moved.add(slot);
    this.#forwarder.updated(slot);
  }

  updated(slot: number): void {
    if (this.#isForeign(slot)) return;
    this.counters.updates += 1;
    this.#forwarder.updated(slot);
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
    } else if (this.#mirrors.isApplying) return;
    else this.#ownerLeft(id);
    this.#ledger.forget(id);
  }

  /** The room removed a copy, since its player is gone. Its owner is told. */
  #ownerLeft(id: WorldId): void {
    const record = this.#ledger.get(id);
    if (record === undefined || record.player === 0 || originOf(record.player) !== this.#options.server) return;
    if (this.#seam.players.has(numberOf(record.player))) return;
    this.#left.set(record.player, { to: record.source, times: LEFT_TIMES });
    this.#routed.delete(numberOf(record.player));
  }

  #isForeign(slot: number): boolean {
    const { world } = this.#seam;
    return world.isForeign(world.store.idAt(slot));
  }

  #noteOwner(slot: number): void {
    const { world } = this.#seam;
    const player = this.#sessions.playerOf(world.store.owner[slot]!);
    const id = world.worldIdOf(world.store.idAt(slot));
    if (player !== 0 || this.#ledger.get(id) !== undefined) this.#ledger.own(id).player = player;
  }

  // ── messages in ────────────────────────────────────────────────────────────────────────────────────────────────

  #receive(payload: Uint8Array): void {
    if (this.#inbox.length >= MOST_IN_INBOX) {
      this.counters.dropped += 1;
      return;
    }
    try {
      this.#inbox.push(decodeMessage(this.#seam.world.protocol, payload));
    } catch {
      this.counters.dropped += 1;
    }
  }

  /** Reads what has arrived. What speaks by a map that is not known here yet waits, and with it all that its sender said later. */
  #readMessages(round: number): void {
    const waiting = new Set<number>();
    const messages = this.#inbox;
    this.#inbox = [];
    for (const message of messages) {
      if (waiting.has(message.from) || this.#isEarly(message)) {
        waiting.add(message.from);
        this.#inbox.push(message);
      } else this.#readSafely(message, round);
    }
  }

  /** A message that says something impossible is dropped, and the others are read. */
  #readSafely(message: Message, round: number): void {
    try {
      this.#read(message, round);
    } catch {
      this.counters.dropped += 1;
    }
  }

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
        return this.#takeOver(from, message.object);
      case "taken":
        return this.#transfers.taken(message.id, message.hop);
      case "commands":
        return this.#carryOut(message);
      default:
        return this.#removePlayer(message.player);
    }
  }

  #readNews(from: number, news: News, round: number): void {
    if (this.#mirrors.isGap(from, news)) return this.#askAgain(from, round);
    this.#mirrors.apply(from, news);
    for (const { player, applied, id } of news.entries) {
      if (player === 0 || originOf(player) !== this.#options.server) continue;
      const routed = this.#routed.get(numberOf(player));
      if (routed?.avatar === id) routed.confirm(applied);
    }
  }

  #askAgain(server: number, round: number): void {
    const { map, number } = this.membership;
    if (map === undefined || round < (this.#askedAgain.get(server) ?? 0)) return;
    this.#askedAgain.set(server, round + ROUNDS_TO_ASK_AGAIN);
    this.#send(server, this.#interests.again(map, number, server));
  }

  /** A server that may not act takes nothing over: the hand-over is said again, to whoever owns the place then. */
  #takeOver(from: number, object: Parameters<Transfers["take"]>[0]): void {
    if (!this.membership.isHeld || !this.membership.alive.has(from)) return;
    const slot = this.#transfers.take(object);
    this.#send(from, { kind: "taken", id: object.id, hop: object.hop });
    if (slot < 0) return;
    this.#forwarder.adopted(object.id, slot, from);
    this.#moved.add(slot);
  }

  #carryOut({ player, nickname, avatar, first, list }: Commands): void {
    const { world } = this.#seam;
    const entity = world.byWorldId(avatar);
    if (!this.membership.isHeld || entity === undefined || world.isForeign(entity)) return;
    const record = this.#ledger.own(avatar);
    const standIn = this.#sessions.standIn(player, nickname);
    if (standIn === undefined || record.player !== player) return;
    for (const [index, { type, values }] of list.entries()) {
      if (first + index !== record.applied + 1) continue;
      record.applied += 1;
      this.#seam.carryOut(standIn, type, values);
      this.#forwarder.updated(world.store.liveSlot(entity.id));
    }
  }

  #removePlayer(player: WorldId): void {
    const { world } = this.#seam;
    for (const [id, record] of [...this.#ledger]) {
      const entity = world.byWorldId(id);
      if (record.player === player && entity !== undefined && !world.isForeign(entity)) world.destroy(entity);
    }
    this.#sessions.end(player);
  }

  // ── the map ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Takes over copies of what dead servers owned in slices that are this server's now, and lets others wait for their heirs. */
  #followMap(): void {
    const { map, alive } = this.membership;
    if (map === undefined) return;
    const dead = [...this.#alive].filter((server) => !alive.has(server));
    this.#isNewMap ||= map !== this.#map;
    if (dead.length === 0 && map === this.#map) return;
    this.#map = map;
    this.#alive = new Set(alive.keys());
    for (const server of dead) {
      this.#mirrors.orphan(server);
      this.#interests.forget(server);
      this.#forwarder.forget(server);
    }
    if (this.membership.isHeld) this.#adoptOrphans(map, alive);
  }

  #adoptOrphans(map: SliceMap, alive: ReadonlyMap<number, number>): void {
    const { world } = this.#seam;
    for (const [id, record] of this.#ledger) {
      if (alive.has(record.source)) continue;
      const entity = world.byWorldId(id);
      const slot = entity === undefined ? -1 : world.store.liveSlot(entity.id);
      if (slot < 0 || !world.isForeign(entity!)) continue;
      if (map.at(world.x[slot]!, world.y[slot]!, world.z[slot]!).owner !== this.membership.number) continue;
      record.source = this.membership.number;
      record.hop += 1;
      record.goesInRound = undefined;
      this.#seam.adopt(entity!);
      this.#moved.add(slot);
      this.#forwarder.updated(slot);
    }
  }

  // ── messages out ───────────────────────────────────────────────────────────────────────────────────────────────

  #handOver(map: SliceMap, round: number): void {
    const { world } = this.#seam;
    for (const slot of this.#isNewMap ? liveSlots(world.store) : this.#moved) {
      if (!world.store.isLive(slot) || !world.isSpatial(slot) || this.#isForeign(slot)) continue;
      const { owner } = map.at(world.x[slot]!, world.y[slot]!, world.z[slot]!);
      if (owner === this.membership.number) continue;
      const object = this.#transfers.cede(slot, owner, round);
      this.#forwarder.ceded(object.id, object.hop, owner);
      this.#send(owner, { kind: "handover", epoch: map.epoch, object });
      if (object.player !== 0) this.#endVisit(object.player);
    }
    this.#moved.clear();
    this.#isNewMap = false;
    for (const [owner, object] of this.#transfers.unconfirmed(map, this.membership.alive, round)) {
      if (owner === this.membership.number) this.#takeOver(owner, object);
      else this.#send(owner, { kind: "handover", epoch: map.epoch, object });
    }
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

  #stateInterests(map: SliceMap): void {
    const { players } = this.#seam;
    const views = [...players.values()]
      .filter(({ id }) => !this.#sessions.isVisitor(id))
      .map((player) => [player.id, player.settingsWithUnits] as const);
    this.#interests.look(views);
    for (const [to, interest] of this.#interests.changes(map, this.membership.number)) {
      this.counters.interests += 1;
      this.#send(to, interest);
    }
  }

  #sendCommands(round: number): void {
    for (const [session, routed] of this.#routed) {
      const player = this.#seam.players.get(session);
      const owner = this.#ledger.get(routed.avatar)?.source;
      if (player === undefined) this.#routed.delete(session);
      if (player === undefined || owner === undefined || owner === this.membership.number) continue;
      const due = routed.toSend(owner, round);
      if (due === undefined) continue;
      const { avatar } = routed;
      this.#send(owner, { kind: "commands", player: player.worldId, nickname: player.nickname, avatar, ...due });
    }
  }

  #sendLeft(): void {
    for (const [player, left] of this.#left) {
      this.#send(left.to, { kind: "left", player });
      left.times -= 1;
      if (left.times === 0) this.#left.delete(player);
    }
  }

  #send(to: number, statement: Statement): void {
    const bytes = encodeMessage(this.#seam.world.protocol, { ...statement, from: this.#options.server });
    this.counters.messages += 1;
    this.counters.bytes += bytes.length;
    this.#options.bus.publish(subjectOf(to), bytes);
  }

  // ── commands of this server's players ──────────────────────────────────────────────────────────────────────────

  /** Returns whether a command is taken from the room: its avatar lives on another server. */
  #route(player: Player, type: CommandType, values: Readonly<{ [field: string]: unknown }>): boolean {
    if (this.#sessions.isVisitor(player.id)) return false;
    const { world } = this.#seam;
    const [avatar] = player.owned();
    let routed = this.#routed.get(player.id);
    if (avatar === undefined) {
      routed?.add(type, values);
      return routed !== undefined;
    }
    if (!world.isForeign(avatar)) {
      if (!this.#returned.has(player.id)) return false;
      this.#seam.carryOut(player, type, values);
      return true;
    }
    const id = world.worldIdOf(avatar);
    if (routed?.avatar !== id) {
      routed = new RoutedCommands(id, this.#ledger.get(id)?.applied ?? 0);
      this.#routed.set(player.id, routed);
    }
    routed.add(type, values);
    return true;
  }

  #carryOutReturned(): void {
    const { world, players } = this.#seam;
    for (const [session, routed] of this.#routed) {
      const entity = world.byWorldId(routed.avatar);
      const player = players.get(session);
      if (routed.isEmpty || entity === undefined || player === undefined || world.isForeign(entity)) continue;
      const record = this.#ledger.own(routed.avatar);
      const { last, list } = routed.takeAfter(record.applied);
      for (const { type, values } of list) this.#seam.carryOut(player, type, values);
      record.applied = last;
      this.#returned.add(session);
    }
  }

  // ── balance ────────────────────────────────────────────────────────────────────────────────────────────────────

  #balance(map: SliceMap, round: number): void {
    if (!this.#isEvery(BALANCE_MS, round)) return;
    const own = this.#ownLoads();
    const { membership } = this;
    membership.load = own.length;
    if (this.#options.balances === false) return;
    const loads = new Map(membership.alive).set(membership.number, own.length);
    membership.propose(() => nextMap(map, { me: membership.number, loads, own }));
  }

  #isEvery(ms: number, round: number): boolean {
    return round % Math.ceil(ms / this.#seam.roundMs) === 0;
  }

  #ownLoads(): Load[] {
    const { world } = this.#seam;
    const loads: Load[] = [];
    for (const slot of liveSlots(world.store)) {
      if (!world.isSpatial(slot) || this.#isForeign(slot)) continue;
      loads.push({ x: world.x[slot]!, y: world.y[slot]!, z: world.z[slot]!, weight: 1 });
    }
    return loads;
  }
}

function subjectOf(server: number): string {
  return `to.${server}`;
}

function* liveSlots(store: { readonly slotHigh: number; isLive(slot: number): boolean }): Iterable<number> {
  for (let slot = 0; slot < store.slotHigh; slot++) if (store.isLive(slot)) yield slot;
}
