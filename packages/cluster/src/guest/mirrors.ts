/**
 * Copies of other servers' objects in this room. They come and go as their owners tell; views of this server's players judge them like its own
 * objects. Invariants: news is applied only if its sender owns the slice by the newest map that is known here; a copy never goes back; each
 * round of an owner is an update of its own here, also if two arrive in one round, so that sequence bounds count the same.
 */

import type { Entity, World } from "@nearfield/core";
import type { WorldId } from "@nearfield/schema";
import { originOf } from "@nearfield/schema/internal";
import type { RoomSeam } from "@nearfield/server/seam";
import type { Membership } from "../slices/membership.ts";
import type { Ledger } from "./ledger.ts";
import type { Gone, News } from "./messages.ts";
import type { Entry } from "./objects-codec.ts";
import type { Sessions } from "./sessions.ts";
import type { OwnFields } from "./written-fields.ts";

/** A server from which there are copies here and no word for this time is asked for everything anew, ms. */
const SILENCE_MS = 2500;
/** A copy that nobody tells of stays for this time, ms: so long may a hand-over, or a new owner, take. A busy owner is late by most of a second; after this one its lease is over. */
const ORPHAN_MS = 2000;

export interface MirrorsOptions {
  readonly seam: RoomSeam;
  readonly membership: Membership;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  /** The fields of an entry that are as a player of this server wrote them. */
  readonly ownOf: (entry: Entry) => OwnFields | undefined;
}

export class Mirrors {
  /** True while copies are written and removed here: what observers hear then is not the game's doing. */
  isApplying = false;
  /** News that was not obeyed, since its sender does not own the slice any more. */
  stale = 0;
  readonly #options: MirrorsOptions;
  /** Sequence of the last news, by sender. */
  readonly #heard = new Map<number, { readonly sequence: number; readonly round: number }>();
  /** Objects that were written since the last commit. */
  readonly #written = new Set<WorldId>();

  constructor(options: MirrorsOptions) {
    this.#options = options;
  }

  beginRound(): void {
    this.#written.clear();
  }

  /** Whether some news before this one was lost. */
  isGap(from: number, news: News): boolean {
    const { sequence, isWhole } = news;
    const last = this.#heard.get(from)?.sequence ?? 0;
    return !isWhole && sequence !== (isBeat(news) ? last : last + 1);
  }

  /** Servers that should have said something by now: copies of theirs are here. */
  silent(round: number): Set<number> {
    const { ledger, membership, seam } = this.#options;
    const silent = new Set<number>();
    const { alive } = membership;
    for (const [, { source }] of ledger) {
      if (source === membership.number || silent.has(source) || !alive.has(source)) continue;
      const heard = this.#heard.get(source);
      if (heard === undefined) this.#heard.set(source, { sequence: 0, round });
      else if ((round - heard.round) * seam.roundMs >= SILENCE_MS) silent.add(source);
    }
    return silent;
  }

  /** Returns what was obeyed: entries of slices that the sender owns by the newest map that is known here. */
  apply(from: number, news: News): readonly Entry[] {
    this.#heard.set(from, { sequence: news.sequence, round: this.#options.seam.roundNumber });
    const { membership } = this.#options;
    const verdicts = news.slices.map(({ id, fence }) => membership.judge(from, id, fence));
    const obeyed = news.entries.filter(({ slice }) => verdicts[slice] === "obey");
    this.stale += news.entries.length - obeyed.length;
    this.#within(() => {
      if (news.isWhole) this.#dropOthers(from, new Set(news.entries.map(({ id }) => id)));
      for (const entry of obeyed) this.#write(from, entry);
      for (const gone of news.gone) this.#remove(from, gone);
    });
    return obeyed;
  }

  /** Removes copies of which nobody has told for too long. */
  sweep(round: number): void {
    const { ledger, seam } = this.#options;
    this.#within(() => {
      for (const [id, { goesInRound }] of [...ledger]) {
        if (goesInRound === undefined || round < goesInRound) continue;
        const entity = seam.world.byWorldId(id);
        if (entity !== undefined && seam.world.isForeign(entity)) seam.world.destroy(entity);
        ledger.forget(id);
      }
    });
  }

  /** A server is dead. Copies of what it owned stay until it is buried: they may be all that is left. */
  orphan(server: number): void {
    for (const [, record] of this.#options.ledger) if (record.source === server) record.goesInRound = undefined;
    this.#heard.delete(server);
  }

  /** A dead server's objects are brought back. Copies stay for a while, in which their new owners tell of them. */
  buried(server: number): void {
    for (const [, record] of this.#options.ledger) if (record.source === server) this.#mark(record);
  }

  /** The copy goes soon, unless somebody tells of it. That of an avatar stays at the gateway of its player: its new owner always tells that gateway, however long it takes. */
  #mark(record: { readonly player: WorldId | 0; goesInRound: number | undefined }): void {
    const { seam, membership } = this.#options;
    if (record.player !== 0 && originOf(record.player) === membership.number) return;
    record.goesInRound = seam.roundNumber + Math.ceil(ORPHAN_MS / seam.roundMs);
  }

  #write(from: number, entry: Entry): void {
    const { seam, ledger, sessions } = this.#options;
    const { world } = seam;
    const record = ledger.get(entry.id);
    if (record !== undefined && !isNewer(entry, record)) return;
    const entity = world.byWorldId(entry.id);
    if (entity === undefined) {
      seam.bring(entry.type, entry.id, valuesOf(entry), { tags: entry.tags, owner: sessions.numberOf(entry.player) });
    } else {
      // Somebody took this server for dead and owns the object now.
      if (!world.isForeign(entity)) seam.cede(entity);
      if (this.#written.has(entry.id)) {
        world.commit(0);
        this.#written.clear();
      }
      this.#credit(entity, entry);
      overwrite(world, entity, entry);
      world.setOwner(entity, sessions.numberOf(entry.player));
    }
    this.#written.add(entry.id);
    const { hop, version, player, applied, unsafe, stepped, said, written, claims } = entry;
    const commands = { applied, safe: applied - unsafe, stepped, said, written };
    ledger.set(entry.id, {
      source: from,
      hop,
      version,
      player,
      ...commands,
      claims,
      heldMs: 0,
      goesInRound: undefined,
    });
  }

  /** What its writer has anyhow is an update of the writer's: it is sent no echo. */
  #credit(entity: Entity, entry: Entry): void {
    const { world } = this.#options.seam;
    const own = this.#options.ownOf(entry);
    if (own === undefined) return;
    world.commit(0);
    this.#written.clear();
    const fields = entity as unknown as { [field: string]: unknown };
    for (const { name, index, field } of entry.type.fields)
      if (((own.mask >>> index) & 1) === 1) fields[name] = field.fromWire(entry.wires[index]!);
    world.commit(own.session);
  }

  #remove(from: number, { id, hop, reason }: Gone): void {
    const { seam, ledger } = this.#options;
    const record = ledger.get(id);
    const entity = seam.world.byWorldId(id);
    if (record === undefined || entity === undefined || !seam.world.isForeign(entity)) return;
    if (record.source !== from || record.hop > hop) return;
    if (reason === "ceded") return this.#mark(record);
    seam.world.destroy(entity);
    ledger.forget(id);
  }

  /** Copies that their owner does not tell of any more. Somebody else may own them by now, and gets the time to say so. */
  #dropOthers(from: number, listed: ReadonlySet<WorldId>): void {
    for (const [id, record] of this.#options.ledger) {
      if (record.source === from && !listed.has(id)) this.#mark(record);
    }
  }

  #within(act: () => void): void {
    this.isApplying = true;
    try {
      act();
    } finally {
      this.isApplying = false;
    }
  }
}

/** News without content only says how far the sender is. */
export function isBeat({ isWhole, entries, gone }: News): boolean {
  return !isWhole && entries.length === 0 && gone.length === 0;
}

function isNewer(
  a: { readonly hop: number; readonly version: number },
  b: { readonly hop: number; readonly version: number },
): boolean {
  return a.hop > b.hop || (a.hop === b.hop && a.version > b.version);
}

function valuesOf({ type, wires }: Entry): { [field: string]: unknown } {
  return Object.fromEntries(type.fields.map(({ name, index, field }) => [name, field.fromWire(wires[index]!)]));
}

function overwrite(world: World, entity: Entity, entry: Entry): void {
  const fields = entity as unknown as { [field: string]: unknown };
  for (const { name, index, field } of entry.type.fields) fields[name] = field.fromWire(entry.wires[index]!);
  for (const tag of entity.tags) if (!entry.tags.includes(tag)) world.untag(entity, tag);
  for (const tag of entry.tags) world.tag(entity, tag);
}
