/**
 * What members of action spaces and the server say to each other, as ordinary commands and events: they travel over the connection that a player has
 * already. A game lists them in its protocol beside its own. All lengths are bounded here, so longer ones are refused before they are read.
 */

import {
  bool,
  bytes,
  type CommandType,
  command,
  type EventType,
  event,
  float64,
  type NumericField,
  type SequenceField,
  text,
  uint,
} from "@nearfield/schema";

/** Players of one fight at most: reports name them by one bit each. */
export const MOST_SLOTS = 32;
/** Spectators of one fight at most. */
export const MOST_SPECTATORS = 32;
/** Bytes of a frame that the server passes on: those of a data channel. */
export const FRAME_BYTES = 1100;
const SIGNAL_BYTES = 4096;
/** Bytes of a public key, and of a space's name: what `SealOptions` of @nearfield/rollback/trust takes. */
export const KEY_BYTES = 32;
export const NAME_BYTES = 16;
/** Bytes of one part of what a member hands in at the end, and parts at most. */
export const RESULT_PART_BYTES = 8192;
export const MOST_RESULT_PARTS = 64;
const DATA_BYTES = 1024;
/** Bytes of a digest of a state (@nearfield/rollback/trust), and of what a state is worth. */
export const DIGEST_BYTES = 16;
export const WORTH_BYTES = 8192;
/** Bytes of one part of what a member can prove, and parts at most: 2 MiB, enough for 20 players who change 4 bytes of input in each of 10,000 steps. */
export const EVIDENCE_PART_BYTES = 8192;
export const MOST_EVIDENCE_PARTS = 255;
const NICKNAME_BYTES = 96;

type Number = NumericField<number>;
type Flag = NumericField<boolean>;
type Bytes = SequenceField<Uint8Array>;
type Text = SequenceField<string>;

const space: Number = uint(32);
const address: Number = uint(8);

// ── from members ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Which spaces am I invited to? */
export const SpaceAsk: CommandType<Record<never, never>> = command("spaceAsk", {});
/** What this player signs with, public: for spaces that are opened from now on. */
export const SpaceKey: CommandType<{ key: Bytes }> = command("spaceKey", { key: bytes(KEY_BYTES) });
export const SpaceEnter: CommandType<{ space: Number }> = command("spaceEnter", { space });
export const SpaceLeave: CommandType<{ space: Number }> = command("spaceLeave", { space });
export const SpaceSignal: CommandType<{ space: Number; to: Number; signal: Bytes }> = command("spaceSignal", {
  space,
  to: address,
  signal: bytes(SIGNAL_BYTES),
});
export const SpaceRelay: CommandType<{ space: Number; to: Number; frame: Bytes }> = command("spaceRelay", {
  space,
  to: address,
  frame: bytes(FRAME_BYTES),
});
export const SpaceStatus: CommandType<{
  space: Number;
  entry: Number;
  isPlaying: Flag;
  gone: Number;
  suspects: Number;
  tail: Number;
}> = command("spaceStatus", {
  space,
  entry: uint(16),
  isPlaying: bool(),
  gone: uint(MOST_SLOTS),
  suspects: uint(MOST_SLOTS),
  tail: uint(32),
});
export const SpaceResult: CommandType<{ space: Number; part: Number; parts: Number; bytes: Bytes }> = command(
  "spaceResult",
  {
    space,
    part: uint(8),
    parts: uint(8),
    bytes: bytes(RESULT_PART_BYTES),
  },
);
/** A final state of a paid fight, and what it is worth. Members name the fight itself, so that they can go on after a restart of the server. */
export const SpaceClaim: CommandType<{ name: Bytes; state: Number; digest: Bytes; worth: Bytes; isDoubted: Flag }> =
  command("spaceClaim", {
    name: bytes(NAME_BYTES),
    state: uint(32),
    digest: bytes(DIGEST_BYTES),
    worth: bytes(WORTH_BYTES),
    /** The member knows of something that does not fit: the server should look at the signed inputs. */
    isDoubted: bool(),
  });
/** A part of what the server demanded: the newest final state, its worth, and the signed inputs. */
export const SpaceEvidence: CommandType<{ name: Bytes; demand: Number; part: Number; parts: Number; bytes: Bytes }> =
  command("spaceEvidence", {
    name: bytes(NAME_BYTES),
    demand: uint(8),
    part: uint(8),
    parts: uint(8),
    bytes: bytes(EVIDENCE_PART_BYTES),
  });

// ── from the server ────────────────────────────────────────────────────────────────────────────────────────────────

export const SpaceInvitation: EventType<{
  space: Number;
  kind: Text;
  address: Number;
  isObserver: Flag;
  slots: Number;
  absent: Number;
  stepMs: Number;
  startMs: Number;
  seed: Number;
  name: Bytes;
  keys: Bytes;
  data: Bytes;
}> = event("spaceInvitation", {
  space,
  kind: text(64),
  address,
  isObserver: bool(),
  slots: uint(8),
  absent: uint(MOST_SLOTS),
  stepMs: float64(),
  startMs: float64(),
  seed: uint(32),
  name: bytes(NAME_BYTES),
  /** Of all slots, one after the other; empty where nobody signs. */
  keys: bytes(MOST_SLOTS * KEY_BYTES),
  data: bytes(DATA_BYTES),
});
export const SpaceSeat: EventType<{
  space: Number;
  address: Number;
  visit: Number;
  entry: Number;
  outTo: Number;
  isIn: Flag;
  isObserver: Flag;
  sponsor: Number;
  key: Bytes;
  name: Text;
}> = event("spaceSeat", {
  space,
  address,
  visit: uint(16),
  entry: uint(16),
  outTo: uint(16),
  isIn: bool(),
  isObserver: bool(),
  /** The sponsor's address and 1; 0: none. */
  sponsor: uint(8),
  key: bytes(KEY_BYTES),
  name: text(NICKNAME_BYTES),
});
export const SpaceSignalled: EventType<{ space: Number; from: Number; signal: Bytes }> = event("spaceSignalled", {
  space,
  from: address,
  signal: bytes(SIGNAL_BYTES),
});
export const SpaceRelayed: EventType<{ space: Number; from: Number; frame: Bytes }> = event("spaceRelayed", {
  space,
  from: address,
  frame: bytes(FRAME_BYTES),
});
export const SpaceRefusal: EventType<{ space: Number; code: Text; detail: Text }> = event("spaceRefusal", {
  space,
  code: text(32),
  detail: text(200),
});
export const SpaceEnd: EventType<{ space: Number; why: Text }> = event("spaceEnd", { space, why: text(64) });
/** The claims of a paid fight differ: the server wants to see what was signed. */
export const SpaceDemand: EventType<{ name: Bytes; demand: Number }> = event("spaceDemand", {
  name: bytes(NAME_BYTES),
  demand: uint(8),
});
/** The goods of these slots have been paid or denied, and that is on disk. */
export const SpacePaid: EventType<{ name: Bytes; slots: Number }> = event("spacePaid", {
  name: bytes(NAME_BYTES),
  slots: uint(MOST_SLOTS),
});

/** For the `commands` of a game's protocol. */
export const spaceCommands: readonly CommandType[] = [
  SpaceAsk,
  SpaceKey,
  SpaceEnter,
  SpaceLeave,
  SpaceSignal,
  SpaceRelay,
  SpaceStatus,
  SpaceResult,
  SpaceClaim,
  SpaceEvidence,
] as unknown as readonly CommandType[];

/** For the `events` of a game's protocol. */
export const spaceEvents: readonly EventType[] = [
  SpaceInvitation,
  SpaceSeat,
  SpaceSignalled,
  SpaceRelayed,
  SpaceRefusal,
  SpaceEnd,
  SpaceDemand,
  SpacePaid,
] as unknown as readonly EventType[];

export function maskOf(players: readonly number[]): number {
  let mask = 0;
  for (const player of players) mask |= 1 << player;
  return mask >>> 0;
}

export function playersOf(mask: number): number[] {
  const players: number[] = [];
  for (let player = 0; player < MOST_SLOTS; player++) if ((mask >>> player) & 1) players.push(player);
  return players;
}
