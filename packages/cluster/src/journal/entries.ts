/**
 * What a server writes to its log, `journal.N`: snapshots of everything that it owns, and between them what changed of what must not be lost.
 * Reading the log from its newest whole snapshot on gives what the server owned when it died (`fold`).
 *
 * The last entry of a dead server's log is a *seal*, written by whoever brings its objects back. A log takes an entry only after the one that its
 * writer names, so a server that was taken for dead and comes back can write nothing after the seal: nothing that it does then is acknowledged.
 */

import type { Protocol, WorldId } from "@nearfield/schema";
import { BitReader, BitWriter, WireError } from "@nearfield/schema/internal";
import { type Kept, readKept, writeKept } from "../guest/objects-codec.ts";
import { readList, readName, readWorldId, WORLD_ID_BITS, writeList, writeName, writeWorldId } from "../guest/wire.ts";

/** A player that is linked to the server that writes the log: enough for another gateway to go on with it. */
export interface KeptSession {
  readonly player: WorldId;
  readonly token: Uint8Array;
  readonly nickname: string;
  readonly isSpectator: boolean;
  /** The account that `authenticate` named; undefined without it. */
  readonly account: string | undefined;
  /** See `Sessions.baseOf`. */
  readonly base: number;
}

/** Part of a snapshot. `isFirst` begins a new one; with `isLast` it is whole, and what came before counts no more. */
export interface SnapshotPart {
  readonly kind: "snapshot";
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly objects: readonly Kept[];
  readonly sessions: readonly KeptSession[];
}

/** What changed since the entry before. */
export interface Changes {
  readonly kind: "changes";
  readonly objects: readonly Kept[];
  readonly gone: readonly WorldId[];
  readonly sessions: readonly KeptSession[];
  readonly ended: readonly WorldId[];
}

export interface Seal {
  readonly kind: "seal";
  /** The server that sealed the log. */
  readonly by: number;
}

export type JournalEntry = SnapshotPart | Changes | Seal;

const KINDS = ["snapshot", "changes", "seal"] as const;
const KIND_BITS = 2;
const LEAST_TOKEN_BITS = 8;

export function encodeEntry(protocol: Protocol, entry: JournalEntry): Uint8Array {
  const writer = new BitWriter(1024);
  writer.writeBits(KINDS.indexOf(entry.kind), KIND_BITS);
  if (entry.kind === "seal") writer.writeVar(entry.by);
  else {
    if (entry.kind === "snapshot") {
      writer.writeBits(entry.isFirst ? 1 : 0, 1);
      writer.writeBits(entry.isLast ? 1 : 0, 1);
    } else {
      writeList(writer, entry.gone, (id) => writeWorldId(writer, id));
      writeList(writer, entry.ended, (id) => writeWorldId(writer, id));
    }
    writeList(writer, entry.objects, (object) => writeKept(writer, protocol, object));
    writeList(writer, entry.sessions, (session) => writeSession(writer, session));
  }
  return writer.finish();
}

/** Throws `WireError` or `SchemaError` for what is no entry. */
export function decodeEntry(protocol: Protocol, bytes: Uint8Array): JournalEntry {
  const reader = new BitReader(bytes);
  const kind = KINDS[reader.readBits(KIND_BITS)];
  const ids = (): WorldId[] => readList(reader, WORLD_ID_BITS, () => readWorldId(reader));
  const objects = (): Kept[] => readList(reader, WORLD_ID_BITS, () => readKept(reader, protocol));
  const sessions = (): KeptSession[] => readList(reader, WORLD_ID_BITS, () => readSession(reader));
  switch (kind) {
    case "seal":
      return { kind, by: reader.readVar() };
    case "snapshot": {
      const [isFirst, isLast] = [reader.readBits(1) === 1, reader.readBits(1) === 1];
      return { kind, isFirst, isLast, objects: objects(), sessions: sessions() };
    }
    case "changes":
      return { kind, gone: ids(), ended: ids(), objects: objects(), sessions: sessions() };
    default:
      throw new WireError("range", "an entry of no kind");
  }
}

export function writeSession(writer: BitWriter, session: KeptSession): void {
  const { player, token, nickname, isSpectator, account, base } = session;
  writeWorldId(writer, player);
  writeToken(writer, token);
  writeName(writer, nickname);
  writer.writeBits(isSpectator ? 1 : 0, 1);
  writer.writeBits(account === undefined ? 0 : 1, 1);
  if (account !== undefined) writeName(writer, account);
  writer.writeVar(base);
}

export function readSession(reader: BitReader): KeptSession {
  const [player, token, nickname] = [readWorldId(reader), readToken(reader), readName(reader)];
  const [isSpectator, hasAccount] = [reader.readBits(1) === 1, reader.readBits(1) === 1];
  const account = hasAccount ? readName(reader) : undefined;
  return { player, token, nickname, isSpectator, account, base: reader.readVar() };
}

export function writeToken(writer: BitWriter, token: Uint8Array): void {
  writeList(writer, [...token], (byte) => writer.writeBits(byte, 8));
}

export function readToken(reader: BitReader): Uint8Array {
  return Uint8Array.from(readList(reader, LEAST_TOKEN_BITS, () => reader.readBits(8)));
}

/** What a server owned, and who was linked to it. */
export interface Estate {
  readonly objects: ReadonlyMap<WorldId, Kept>;
  readonly sessions: ReadonlyMap<WorldId, KeptSession>;
}

/** What the entries of a log come to. Nothing counts after the first seal. */
export function fold(entries: Iterable<JournalEntry>): Estate {
  let objects = new Map<WorldId, Kept>();
  let sessions = new Map<WorldId, KeptSession>();
  let next: { objects: typeof objects; sessions: typeof sessions } | undefined;
  for (const entry of entries) {
    if (entry.kind === "seal") break;
    const isPart = entry.kind === "snapshot";
    if (isPart && entry.isFirst) next = { objects: new Map(), sessions: new Map() };
    const into = isPart ? next : { objects, sessions };
    // The beginning of this snapshot was trimmed.
    if (into === undefined) continue;
    for (const object of entry.objects) into.objects.set(object.id, object);
    for (const session of entry.sessions) into.sessions.set(session.player, session);
    if (!isPart) {
      for (const id of entry.gone) objects.delete(id);
      for (const player of entry.ended) sessions.delete(player);
    } else if (entry.isLast) {
      ({ objects, sessions } = into);
      next = undefined;
    }
  }
  return { objects, sessions };
}
