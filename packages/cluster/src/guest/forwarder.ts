/**
 * Sends copies of this server's objects to the servers whose players see them, and to nobody else (V §3.4.1: server synchronisation). An object
 * goes to a server while it lies in an area that the server asked for, or near a slice of that server, or if one of its players owns it or wants its lock. An object
 * without a position goes to all, since everybody sees it.
 * One message for each receiver and round; an update of an object is in it once, however many players there see it.
 */

import type { World } from "@nearfield/core";
import type { ObjectId, WorldId } from "@nearfield/schema";
import { originOf } from "@nearfield/schema/internal";
import { distanceToBox, type SliceMap } from "../slices/slice-map.ts";
import { distance, LEAVES_AT, reachOf } from "./interests.ts";
import type { Ledger } from "./ledger.ts";
import { liveSlots } from "./live-slots.ts";
import type { Area, Gone, Interest, News, Reach } from "./messages.ts";
import type { Entry } from "./objects-codec.ts";

/** Whoever had copies from another owner says within this many passes what it wants from this one: two ways over the bus, and two rounds. */
const PASSES_TO_ASK = 8;
/** The old owner itself says so in the round in which it hands an object over; only the bus may bring that later than the object. */
const PASSES_FOR_OLD_OWNER = 3;

/** What one server is sent. */
class Subscriber {
  areas: readonly Area[] = [];
  lists: readonly (readonly Reach[])[] = [];
  /** What it has a copy of. */
  readonly known = new Set<WorldId>();
  /** Copies that it had from another owner: it is told of them until it has said what it wants here. By the pass after which it must have. */
  readonly inherited = new Map<WorldId, number>();
  sequence = 0;
  /** All objects are to be judged, since what it asks for has changed. */
  isAll = true;
  /** It is to be sent everything anew; and it asked for that, so it is told also if there is nothing. */
  isWhole = true;
  isAsked = false;
}

export interface ForwarderOptions {
  readonly server: number;
  readonly world: World;
  readonly ledger: Ledger;
  readonly lead: number;
  /** How far beyond its borders a slice's server has copies of everything, world units. */
  readonly margin: number;
}

export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #subscribers = new Map<number, Subscriber>();
  /** Slots whose place or kind has changed since the last pass, and those of them with a new version. */
  readonly #touched = new Set<number>();
  readonly #updated = new Set<number>();
  #passes = 0;
  #gone: (Gone & { readonly to: number | undefined })[] = [];
  #map: SliceMap | undefined;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  // ── what happens ───────────────────────────────────────────────────────────────────────────────────────────────

  touched(slot: number): void {
    this.#touched.add(slot);
  }

  updated(slot: number): void {
    this.#touched.add(slot);
    this.#updated.add(slot);
  }

  destroyed(id: WorldId, hop: number): void {
    this.#gone.push({ id, hop, reason: "destroyed", to: undefined });
  }

  /** Server `to` owns the object from now on, and tells of it by itself. */
  ceded(id: WorldId, hop: number, to: number): void {
    this.#gone.push({ id, hop, reason: "ceded", to });
  }

  /** This server owns the object from now on. Server `from` has a copy of it, and so have others. */
  adopted(id: WorldId, slot: number, from: number, copies: readonly number[]): void {
    this.updated(slot);
    for (const server of copies) this.#inherit(server, id, PASSES_TO_ASK);
    this.#inherit(from, id, PASSES_FOR_OLD_OWNER);
    // It was ceded in the last round, and came back before anybody was told.
    this.#gone = this.#gone.filter((gone) => gone.id !== id);
  }

  #inherit(server: number, id: WorldId, passes: number): void {
    if (server === this.#options.server) return;
    const { known, inherited } = this.#subscriber(server);
    known.add(id);
    inherited.set(id, this.#passes + passes);
  }

  /** Servers that have a copy of an object. */
  holdersOf(id: WorldId): number[] {
    return [...this.#subscribers].flatMap(([server, { known }]) => (known.has(id) ? [server] : []));
  }

  /** A server asks for something else, or for the same again. */
  asked(from: number, { areas, lists, isAfresh }: Interest): void {
    const subscriber = this.#subscriber(from);
    const isSame = JSON.stringify([areas, lists]) === JSON.stringify([subscriber.areas, subscriber.lists]);
    if (isSame && !isAfresh) return;
    subscriber.areas = areas;
    subscriber.lists = lists;
    subscriber.isAll = true;
    if (!isAfresh) return;
    subscriber.isWhole = true;
    subscriber.isAsked = true;
  }

  /** Servers that stated a view within `radius` of any of these places, as far as views move before they are stated anew. */
  serversNear(places: readonly (readonly number[])[], radius: number): number[] {
    const { lead } = this.#options;
    const isNear = ({ x, y, z }: Area): boolean =>
      places.some((place) => distance([x, y, z], [place[0] ?? 0, place[1] ?? 0, place[2] ?? 0]) <= radius + lead);
    return [...this.#subscribers].flatMap(([server, { areas }]) => (areas.some(isNear) ? [server] : []));
  }

  forget(server: number): void {
    this.#subscribers.delete(server);
  }

  /** How many objects each server has copies of, and in how many areas it asked for them. */
  *subscribers(): Iterable<readonly [number, { readonly copies: number; readonly areas: number }]> {
    for (const [server, { known, areas }] of this.#subscribers) {
      if (known.size + areas.length > 0) yield [server, { copies: known.size, areas: areas.length }];
    }
  }

  // ── the pass at the end of a round ─────────────────────────────────────────────────────────────────────────────

  /** What every server is to be sent of this round. `alive`: servers that can be sent anything; `isBeat`: who has copies and no news is sent a beat. */
  *pass(map: SliceMap, alive: ReadonlyMap<number, number>, isBeat: boolean): Iterable<readonly [number, News]> {
    const { server } = this.#options;
    if (map !== this.#map) {
      for (const other of alive.keys()) if (other !== server) this.#subscriber(other).isAll = true;
      this.#sayAgain(map);
      this.#map = map;
    }
    for (const [to, subscriber] of this.#subscribers) {
      if (!alive.has(to)) continue;
      const news = this.#newsFor(to, subscriber, map);
      if (news !== undefined) yield [to, news];
      else if (isBeat && subscriber.known.size > 0) yield [to, beatOf(subscriber)];
    }
    this.#touched.clear();
    this.#updated.clear();
    this.#gone = [];
    this.#passes += 1;
  }

  /** Whoever knew the map before this server did not obey what it said for slices with their old fences. */
  #sayAgain(map: SliceMap): void {
    const { world, server } = this.#options;
    for (const slot of liveSlots(world)) {
      const { id, fence, owner } = map.at(world.x[slot]!, world.y[slot]!, world.z[slot]!);
      const isNew = owner === server && this.#map?.get(id)?.fence !== fence;
      if (isNew || !world.isSpatial(slot)) this.#updated.add(slot);
    }
  }

  #newsFor(to: number, subscriber: Subscriber, map: SliceMap): News | undefined {
    const { world, ledger } = this.#options;
    const { known, isWhole } = subscriber;
    const slices: { id: string; fence: number }[] = [];
    const entries: Entry[] = [];
    const gone = this.#goneFor(to, known);
    this.#endInherited(subscriber);
    for (const slot of subscriber.isAll || isWhole ? liveSlots(world) : this.#touched) {
      if (!world.store.isLive(slot)) continue;
      const object = world.store.idAt(slot);
      if (world.isForeign(object)) continue;
      const id = world.worldIdOf(object);
      const isKnown = known.has(id);
      if (world.isSpatial(slot) && !this.#wants(to, subscriber, map, slot, id, isKnown)) {
        if (isKnown && known.delete(id)) gone.push({ id, hop: ledger.own(id).hop, reason: "left" });
      } else if (isWhole || !isKnown || this.#updated.has(slot)) {
        const place = world.isSpatial(slot) ? [world.x[slot]!, world.y[slot]!, world.z[slot]!] : undefined;
        const slice = sliceIndex(slices, map, this.#options.server, place);
        if (slice < 0) continue;
        known.add(id);
        entries.push(this.#entry(slot, object, id, slice));
      }
    }
    subscriber.isAll = false;
    subscriber.isWhole = false;
    if (entries.length === 0 && gone.length === 0 && !subscriber.isAsked) return undefined;
    subscriber.isAsked = false;
    subscriber.sequence += 1;
    return { kind: "news", sequence: subscriber.sequence, isWhole, slices, entries, gone };
  }

  /** Copies of which a server had the time to say whether it wants them are judged like all others. */
  #endInherited({ inherited }: Subscriber): void {
    const { world } = this.#options;
    for (const [id, untilPass] of inherited) {
      if (this.#passes < untilPass) continue;
      inherited.delete(id);
      const entity = world.byWorldId(id);
      if (entity !== undefined) this.#touched.add(world.store.liveSlot(entity.id));
    }
  }

  #goneFor(to: number, known: Set<WorldId>): Gone[] {
    const gone: Gone[] = [];
    for (const { to: heir, ...what } of this.#gone) {
      if (known.delete(what.id) && heir !== to) gone.push(what);
    }
    return gone;
  }

  #wants(
    to: number,
    { areas, lists, inherited }: Subscriber,
    map: SliceMap,
    slot: number,
    id: WorldId,
    isKnown: boolean,
  ): boolean {
    const { world, ledger, lead, margin } = this.#options;
    const record = ledger.get(id);
    const player = record?.player ?? 0;
    if ((player !== 0 && originOf(player as WorldId) === to) || inherited.has(id)) return true;
    if (record?.claims.some((claim) => originOf(claim.player) === to) === true) return true;
    const place = [world.x[slot]!, world.y[slot]!, world.z[slot]!];
    const matches = (match: Reach["match"]): boolean => isMatch(world, slot, match);
    const ranges = lists.map((list) => reachOf(list, matches));
    const factor = isKnown ? LEAVES_AT : 1;
    for (const area of areas) {
      const range = ranges[area.list]!;
      if (range >= 0 && distance([area.x, area.y, area.z], place) <= factor * range + lead) return true;
    }
    const most = factor * margin;
    return margin > 0 && map.slices.some(({ owner, box }) => owner === to && distanceToBox(box, place) <= most);
  }

  #entry(slot: number, object: ObjectId, id: WorldId, slice: number): Entry {
    const { world, ledger } = this.#options;
    const { type } = world.store.tableAt(slot);
    const { hop, player, applied, safe, stepped, said, written, claims } = ledger.own(id);
    const wires = type.fields.map(({ index }) => world.wireAt(slot, index));
    const tags = [...world.get(object)!.tags];
    const version = world.version[slot]!;
    const commands = { applied, unsafe: applied - safe, stepped, said, written, claims };
    return { id, type, hop, tags, player, ...commands, version, slice, wires };
  }

  #subscriber(server: number): Subscriber {
    const known = this.#subscribers.get(server);
    if (known !== undefined) return known;
    const fresh = new Subscriber();
    this.#subscribers.set(server, fresh);
    return fresh;
  }
}

function beatOf({ sequence }: Subscriber): News {
  return { kind: "news", sequence, isWhole: false, slices: [], entries: [], gone: [] };
}

function isMatch(world: World, slot: number, match: Reach["match"]): boolean {
  if (match === "everything") return true;
  if ("type" in match) return world.store.tableAt(slot).type.name === match.type;
  if ("tag" in match) return world.store.tagsAt(slot).has(match.tag);
  const bit = world.predicateIndex(match.predicate);
  return bit >= 0 && ((world.predicateBits[slot]! >>> bit) & 1) === 1;
}

/** The slice for which this server speaks of an object: its own, or any of this server's if the object has no place, or is about to be handed over. */
function sliceIndex(
  slices: { id: string; fence: number }[],
  map: SliceMap,
  server: number,
  place: readonly number[] | undefined,
): number {
  const around = place && map.at(place[0]!, place[1]!, place[2]!);
  const slice = around?.owner === server ? around : map.slices.find(({ owner }) => owner === server);
  if (slice === undefined) return -1;
  const known = slices.findIndex(({ id }) => id === slice.id);
  return known >= 0 ? known : slices.push({ id: slice.id, fence: slice.fence }) - 1;
}
