/**
 * Objects that change their owner (V §3.4.3). At the end of the round in which an object of this server lies in another server's slice it is ceded
 * and sent there whole. The new owner mostly has a copy already, and takes it over at the beginning of its next round: the object is stepped again
 * there, at most one round and the bus's delay after it was stepped here. Here the copy stays; no client notices anything.
 *
 * The hand-over is said again until the new owner says that it took the object and made it safe. Each one raises the object's hop, so a hand-over that arrives
 * twice does nothing the second time.
 */

import type { WorldId } from "@nearfield/schema";
import type { RoomSeam } from "@nearfield/server/seam";
import type { Ledger } from "./ledger.ts";
import type { Moved } from "./objects-codec.ts";
import { stateOf } from "./primary.ts";
import type { Sessions } from "./sessions.ts";

/** Objects of which the newest hop is remembered after they are gone from here. Hand-overs that come later than that are not known to be old. */
const MOST_REMEMBERED = 65_536;
/** A hand-over that was not confirmed is said again after this many rounds. */
const ROUNDS_TO_SAY_AGAIN = 4;

interface Pending {
  readonly object: Moved;
  readonly copies: readonly number[];
  readonly to: number;
  saidInRound: number;
}

export interface TransfersOptions {
  readonly server: number;
  readonly seam: RoomSeam;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
}

export class Transfers {
  /** Hand-overs to other servers so far. */
  count = 0;
  /** The same, by server. */
  readonly to: Map<number, number> = new Map();
  readonly #options: TransfersOptions;
  readonly #pending = new Map<WorldId, Pending>();
  /** The newest hop of every object that this server took or ceded: a hand-over may arrive again long after the object is gone from here. */
  readonly #hops = new Map<WorldId, number>();

  constructor(options: TransfersOptions) {
    this.#options = options;
  }

  /** Cedes an object of this server that lies at a place of server `to`. Returns what is to be said to it. */
  cede(slot: number, to: number, round: number, copies: readonly number[]): Moved {
    const { seam, ledger, sessions } = this.#options;
    const { world } = seam;
    const entity = world.store.entityAt(slot);
    const id = world.worldIdOf(entity);
    const record = ledger.own(id);
    record.source = to;
    record.hop += 1;
    record.version = 0;
    this.#remember(id, record.hop);
    this.count += 1;
    this.to.set(to, (this.to.get(to) ?? 0) + 1);
    const object = stateOf(world, ledger, sessions, id)!;
    seam.cede(entity);
    this.#pending.set(id, { object, copies, to, saidInRound: round });
    return object;
  }

  /**
   * What must be said again, since nobody confirmed it. It is said to the same server as before, also if the place has another owner now: that server
   * may have taken the object, and hands it on then. If that server is dead its executor finds the object here, as a copy.
   */
  *unconfirmed(alive: ReadonlyMap<number, number>, round: number): Iterable<Readonly<Pending>> {
    for (const pending of this.#pending.values()) {
      if (round < pending.saidInRound + ROUNDS_TO_SAY_AGAIN || !alive.has(pending.to)) continue;
      pending.saidInRound = round;
      yield pending;
    }
  }

  /** Whether objects are on their way that nobody has confirmed. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Objects on their way that nobody has made safe. */
  *pending(): Iterable<Moved> {
    for (const { object } of this.#pending.values()) yield object;
  }

  /** The same of those on their way to one server, by their ids. */
  pendingTo(server: number): ReadonlyMap<WorldId, Moved> {
    return new Map(
      [...this.#pending].flatMap(([id, { to, object }]) => (to === server ? [[id, object] as const] : [])),
    );
  }

  /** A dead server's objects are brought back: nothing is on its way to it any more. */
  forget(server: number): void {
    for (const [id, { to }] of this.#pending) if (to === server) this.#pending.delete(id);
  }

  /** The newest hop of an object that this server took or ceded; −1 if it remembers none. */
  newestHop(id: WorldId): number {
    return this.#hops.get(id) ?? -1;
  }

  /** The new owner has made an object safe. Returns whether it was waited for. */
  taken(id: WorldId, hop: number): boolean {
    const pending = this.#pending.get(id);
    return pending !== undefined && pending.object.hop <= hop && this.#pending.delete(id);
  }

  /** Takes an object over, or does nothing if it was taken over before. Returns its slot then; −1 else. */
  take(moved: Moved): number {
    const { server, seam, ledger, sessions } = this.#options;
    const { world } = seam;
    const known = ledger.get(moved.id);
    const here = world.byWorldId(moved.id);
    const isOwn = here !== undefined && !world.isForeign(here);
    if (known !== undefined && (known.hop > moved.hop || (known.hop === moved.hop && isOwn))) return -1;
    if (moved.hop <= (this.#hops.get(moved.id) ?? -1)) return -1;
    this.#remember(moved.id, moved.hop);
    // What is newer than what this server itself handed on has come back.
    this.taken(moved.id, moved.hop);
    const options = { tags: moved.tags, owner: sessions.numberOf(moved.player) };
    const entity = here ?? seam.bring(moved.type, moved.id, {}, options);
    for (const { name, index, field } of moved.type.fields) {
      const value = field.numeric ? field.fromNumber(moved.values[index] as number) : moved.values[index];
      (entity as unknown as { [field: string]: unknown })[name] = value;
    }
    world.setOwner(entity, options.owner);
    seam.adopt(entity);
    const { hop, player, applied, stepped, said, written, claims, heldMs } = moved;
    const noted = { applied, safe: applied, stepped, said, written, claims, heldMs };
    ledger.set(moved.id, { source: server, hop, version: 0, player, ...noted, goesInRound: undefined });
    return world.store.liveSlot(entity.id);
  }

  #remember(id: WorldId, hop: number): void {
    this.#hops.delete(id);
    this.#hops.set(id, hop);
    const [oldest] = this.#hops.keys();
    if (this.#hops.size > MOST_REMEMBERED) this.#hops.delete(oldest!);
  }
}
