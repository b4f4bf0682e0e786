/**
 * What one server makes safe, and when. At the commit of each round it writes one entry with
 *
 * - objects of durable types that changed; the round is held, so nobody hears of it before it is in the log,
 * - with these, the objects whose players' commands were carried out: after a death no command is carried out again that left something durable,
 * - objects that came from other servers; only then their old owner forgets them,
 * - what is gone.
 *
 * Every `snapshotMs` it writes everything that the server owns or has on its way to another one, and trims the log behind that. So an object of no durable type comes back at most
 * that old.
 */

import type { ObjectType, WorldId } from "@nearfield/schema";
import type { Release, RoomSeam } from "@nearfield/server/seam";
import { MOST_PAYLOAD_BYTES } from "../bus/bus.ts";
import type { Ledger } from "../guest/ledger.ts";
import type { Kept, Moved } from "../guest/objects-codec.ts";
import { keptOf } from "../guest/primary.ts";
import type { Sessions } from "../guest/sessions.ts";
import { encodeEntry, type JournalEntry, type KeptSession } from "./entries.ts";
import type { LogWriter } from "./log-writer.ts";

/** Objects in one entry, at first. Entries that come out too large are halved. */
const MOST_IN_ENTRY = 2000;

export interface JournalOptions {
  readonly seam: RoomSeam;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly writer: LogWriter;
  readonly durable: ReadonlySet<ObjectType>;
  readonly snapshotMs: number;
  /** Objects that were handed over, and that their new owners have not made safe: this server still keeps them. */
  readonly pending: () => Iterable<Moved>;
  /** Spreads the snapshots of servers that started together: 0 to 1. */
  readonly phase: number;
  /** The object's commands up to `record.safe` are safe now. */
  readonly onSafe: (id: WorldId) => void;
}

export class Journal {
  /** Entries written, and their bytes. */
  readonly counters: { entries: number; bytes: number; snapshots: number } = { entries: 0, bytes: 0, snapshots: 0 };
  readonly #options: JournalOptions;
  /** Objects of which the log has some state. */
  #logged = new Set<WorldId>();
  readonly #adopted = new Map<WorldId, () => void>();
  readonly #changed = new Set<WorldId>();
  readonly #advanced = new Set<WorldId>();
  readonly #gone = new Set<WorldId>();
  #isHolding = false;
  #isSnapshotOut = false;
  /** Sessions as the log has them, by player. */
  readonly #known = new Map<WorldId, KeptSession>();
  /** Sessions of dead gateways whose players may come here. */
  readonly refugees: Map<WorldId, KeptSession> = new Map();

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  /** Everybody who is linked to this server, as the log has it, and the refugees. */
  get sessions(): ReadonlyMap<WorldId, KeptSession> {
    return this.#known;
  }

  // ── what happens ───────────────────────────────────────────────────────────────────────────────────────────────

  /** A new version of an own object. */
  changed(id: WorldId, type: ObjectType): void {
    if (this.#options.durable.has(type)) this.#changed.add(id);
  }

  /** An own object is destroyed. */
  destroyed(id: WorldId, type: ObjectType): void {
    if (this.#logged.has(id)) this.#gone.add(id);
    if (this.#options.durable.has(type)) this.#isHolding = true;
    this.#changed.delete(id);
    this.#adopted.delete(id);
  }

  /** An object came from another server. `isSafe` is called when the log has it. */
  adopted(id: WorldId, isSafe: () => void = () => {}): void {
    this.#gone.delete(id);
    this.#adopted.set(id, isSafe);
  }

  /** The log of another server has an object that was this one's. */
  handedOn(id: WorldId): void {
    if (this.#logged.has(id)) this.#gone.add(id);
  }

  /** A command, a write or a release became part of an own object. */
  advanced(id: WorldId): void {
    this.#advanced.add(id);
  }

  /** Calls `isSafe` when everything that was written so far is in the log. */
  afterAll(isSafe: () => void): void {
    this.#options.writer.after(isSafe);
  }

  // ── the commit of a round ──────────────────────────────────────────────────────────────────────────────────────

  commit(round: number, hold: () => Release): void {
    const { writer, seam, snapshotMs, phase } = this.#options;
    const isDurable = this.#changed.size > 0 || this.#isHolding;
    this.#isHolding = false;
    const marks = this.#takeMarks();
    const calls = [...this.#adopted.values()];
    const ids = new Set([...this.#adopted.keys(), ...this.#changed, ...(isDurable ? marks.map(([id]) => id) : [])]);
    const [sessions, ended] = this.#sessionChanges();
    const objects = [...ids].flatMap((id) => this.#kept(id) ?? []);
    const gone = [...this.#gone].filter((id) => !ids.has(id));
    for (const set of [this.#adopted, this.#changed, this.#gone]) set.clear();
    for (const id of ids) this.#logged.add(id);
    for (const id of gone) this.#logged.delete(id);
    if (objects.length + gone.length + sessions.length + ended.length > 0 || calls.length > 0)
      this.#write([...this.#parts(objects, (part) => ({ kind: "changes", objects: part, gone, sessions, ended }))]);
    if (isDurable) writer.after(hold());
    for (const call of calls) writer.after(call);
    if (marks.length > 0) writer.after(() => this.#settle(marks));
    const every = Math.max(1, Math.ceil(snapshotMs / seam.roundMs));
    if (round % every === Math.floor(phase * every)) this.#snapshot();
  }

  /** How far the commands are of which this round is the first to tell. */
  #takeMarks(): (readonly [WorldId, number])[] {
    const marks = [...this.#advanced].map((id) => [id, this.#options.ledger.get(id)?.applied ?? 0] as const);
    this.#advanced.clear();
    return marks;
  }

  #settle(marks: readonly (readonly [WorldId, number])[]): void {
    for (const [id, applied] of marks) {
      const record = this.#options.ledger.get(id);
      if (record === undefined || record.safe >= applied) continue;
      record.safe = applied;
      this.#options.onSafe(id);
    }
  }

  #snapshot(): void {
    const { writer, seam } = this.#options;
    const { store } = seam.world;
    // A snapshot on top of one that is still on its way would only make the queue longer.
    if (this.#isSnapshotOut) return;
    this.#isSnapshotOut = true;
    const objects: Kept[] = [];
    for (let slot = 0; slot < store.slotHigh; slot++) {
      if (!store.isLive(slot) || seam.world.isForeign(store.idAt(slot))) continue;
      objects.push(this.#kept(seam.world.worldIdOf(store.idAt(slot)))!);
    }
    for (const object of this.#options.pending()) objects.push({ ...object, version: 0 });
    const sessions = [...this.#known.values()];
    const parts = [...this.#parts(objects, (part) => snapshotOf(part, []))];
    this.counters.snapshots += 1;
    this.#logged = new Set(objects.map(({ id }) => id));
    let first = 0;
    const entries = parts.map((part, i) => ({
      ...(part as ReturnType<typeof snapshotOf>),
      isFirst: i === 0,
      isLast: i === parts.length - 1,
      sessions: i === 0 ? sessions : [],
    }));
    this.#write(entries, (sequence, index) => {
      if (index === 0) first = sequence;
      if (index < entries.length - 1) return;
      this.#isSnapshotOut = false;
      writer.trim(first);
    });
  }

  #write(entries: readonly JournalEntry[], written: (sequence: number, index: number) => void = () => {}): void {
    const { writer, seam } = this.#options;
    for (const [index, entry] of entries.entries()) {
      const bytes = encodeEntry(seam.world.protocol, entry);
      this.counters.entries += 1;
      this.counters.bytes += bytes.length;
      writer.append(bytes, (sequence) => written(sequence, index));
    }
  }

  /** Entries that each fit into the log, of all these objects: at least one. */
  *#parts(objects: readonly Kept[], make: (part: readonly Kept[]) => JournalEntry): Iterable<JournalEntry> {
    const { protocol } = this.#options.seam.world;
    const entry = make(objects);
    const fits = objects.length <= MOST_IN_ENTRY && encodeEntry(protocol, entry).length <= MOST_PAYLOAD_BYTES;
    if (fits || objects.length <= 1) {
      yield entry;
      return;
    }
    const half = objects.length >> 1;
    yield* this.#parts(objects.slice(0, half), make);
    yield* this.#parts(objects.slice(half), make);
  }

  #kept(id: WorldId): Kept | undefined {
    const { seam, ledger, sessions } = this.#options;
    return keptOf(seam.world, ledger, sessions, id);
  }

  /** Who is linked to this server now and was not before, or has another secret; and who is not any more. */
  #sessionChanges(): readonly [KeptSession[], WorldId[]] {
    const { seam, sessions } = this.#options;
    const fresh: KeptSession[] = [];
    const here = new Set<WorldId>();
    for (const { player, token } of seam.connections.values()) {
      const id = player.worldId;
      here.add(id);
      if (this.#known.get(id)?.token === token) continue;
      const { nickname, role, identity } = player;
      const base = sessions.baseOf(player.id);
      fresh.push({ player: id, token, nickname, isSpectator: role === "spectator", account: identity?.account, base });
    }
    for (const [id, session] of this.refugees) {
      here.add(id);
      if (!this.#known.has(id)) fresh.push(session);
    }
    const ended = [...this.#known.keys()].filter((id) => !here.has(id));
    for (const session of fresh) this.#known.set(session.player, session);
    for (const id of ended) this.#known.delete(id);
    return [fresh, ended];
  }
}

function snapshotOf(objects: readonly Kept[], sessions: readonly KeptSession[]): JournalEntry & { kind: "snapshot" } {
  return { kind: "snapshot", isFirst: true, isLast: true, objects, sessions };
}
