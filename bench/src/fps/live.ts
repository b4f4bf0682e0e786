/**
 * A match as it is really played, under the paper's bounds: every bot is a client of its own over a link, and what is counted is what
 * entered the links and what the server decided for these clients. Broadcast is counted in the same run, as the paper does (F §5.1): every
 * avatar that changed in a round, for everybody but its owner. The match is recorded on the way.
 */

import type { Entity } from "@nearfield/core";
import { DecisionKind } from "@nearfield/core/internal";
import type { Lab } from "@nearfield/netlab";
import type { LabPacket } from "@nearfield/netlab/internal";
import { type EventType, type ObjectId, type ObjectType, slotOf } from "@nearfield/schema";
import { measureRecord } from "@nearfield/schema/internal";
import { carrierOf, framedBytes, wireBytes, wirePackets } from "@nearfield/transport/internal";
import { downBytes } from "../wire/packet-tally.ts";
import { PAPER_UPDATE_BYTES } from "./paper.ts";
import { Recording } from "./recording.ts";

/** In a frame, before each event. */
const EVENT_FLAG_BITS = 1;

/** A game with bots in it that are clients of a lab. */
export interface Match {
  readonly lab: Lab;
  readonly avatarType: ObjectType;
  /** The session number of each bot; in the order of the bots. */
  readonly sessions: readonly number[];
  /** What the bot with this number steers now; `undefined` while it has none. */
  avatarOf(bot: number): Entity | undefined;
  /** Types of events that ride on frames. */
  readonly ridingEvents: readonly EventType[];
}

/** Makes a match; every packet goes by `onPacket`. */
export type MatchMaker = (onPacket: (packet: LabPacket) => void) => Match;

export interface LivePlayed {
  readonly recording: Recording;
  readonly seconds: number;
  readonly updates: number;
  readonly broadcastUpdates: number;
  /** By client, in the order of the bots: avatars of others. */
  readonly updatesOf: readonly number[];
  /** Bytes from the server to all clients as they entered the links: frames with events that ride on them, and the reliable channel. */
  readonly frameBytes: number;
  /** The part of the frames' bytes that events take. */
  readonly eventBytes: number;
  readonly reliableBytes: number;
  /** All packets from the server, and their bytes with the headers of their carriers: a data channel, and a WebSocket for the reliable channel. */
  readonly packets: number;
  readonly wireBytes: number;
  /** The paper's broadcast with the same headers: one packet for each client and round, with what changed. */
  readonly broadcastWireBytes: number;
  /** Other objects and own avatars that were sent. */
  readonly otherSends: number;
  readonly ownSends: number;
  readonly overBound: number;
}

export function playLive(make: MatchMaker, seconds: number, roundMs: number): LivePlayed {
  const bytes = { frames: 0, reliable: 0, packets: 0, wire: 0 };
  const match = make(({ direction, channel, bytes: { length } }) => {
    if (direction !== "down") return;
    const carrier = carrierOf(channel, false);
    const framed = framedBytes(carrier, channel, length);
    bytes[channel === "reliable" ? "reliable" : "frames"] += length;
    bytes.packets += wirePackets(carrier, "toClient", framed);
    bytes.wire += wireBytes(carrier, "toClient", framed);
  });
  const { lab, sessions } = match;
  const recording = new Recording(match.avatarType, sessions.length, roundMs);
  const tally = new Tally(match);
  const events = new RidingEvents(match);
  const rounds = Math.round((seconds * 1000) / roundMs);
  bytes.frames = bytes.reliable = bytes.packets = bytes.wire = 0;
  for (let round = 0; round < rounds; round++) {
    lab.step();
    tally.round();
    recording.note(tally.avatars, tally.pivots);
  }
  return {
    recording,
    seconds: (rounds * roundMs) / 1000,
    updates: tally.updatesOf.reduce((sum, updates) => sum + updates, 0),
    broadcastUpdates: tally.broadcastUpdates,
    updatesOf: tally.updatesOf,
    frameBytes: bytes.frames,
    eventBytes: events.bits / 8,
    reliableBytes: bytes.reliable,
    packets: bytes.packets,
    wireBytes: bytes.wire,
    broadcastWireBytes: tally.broadcastWireBytes,
    otherSends: tally.otherSends,
    ownSends: tally.ownSends,
    overBound: lab.server.main.audit.decided + lab.server.main.audit.faults,
  };
}

/** Bits of events that came with frames, as the clients hear them. */
class RidingEvents {
  bits = 0;

  constructor({ lab, ridingEvents }: Match) {
    const { protocol } = lab.server;
    const typeBits = Math.ceil(Math.log2(protocol.events.length));
    for (const { client } of lab.clients) {
      for (const type of ridingEvents) {
        client.onEvent(type, (values) => {
          this.bits += EVENT_FLAG_BITS + typeBits + measureRecord(type, values);
        });
      }
    }
  }
}

/** Counts what was decided, round by round. */
class Tally {
  readonly avatars: (Entity | undefined)[];
  /** By bot, whose avatar it looks from. */
  readonly pivots: number[];
  readonly updatesOf: number[];
  broadcastUpdates = 0;
  broadcastWireBytes = 0;
  otherSends = 0;
  ownSends = 0;
  readonly #match: Match;
  readonly #botOf = new Map<ObjectId, number>();
  readonly #versions = new Map<ObjectId, number>();
  /** By bot, whether its avatar changed in the last round. */
  readonly #hasChanged: boolean[] = [];

  constructor(match: Match) {
    this.#match = match;
    this.avatars = match.sessions.map(() => undefined);
    this.pivots = match.sessions.map((_, bot) => bot);
    this.updatesOf = match.sessions.map(() => 0);
    this.#look();
  }

  round(): void {
    const changed = this.#look();
    this.broadcastUpdates += changed * (this.updatesOf.length - 1);
    for (let bot = 0; bot < this.updatesOf.length; bot++) {
      const others = changed - (this.#hasChanged[bot] === true ? 1 : 0);
      if (others > 0) this.broadcastWireBytes += downBytes(others * PAPER_UPDATE_BYTES);
    }
    const { players, model } = this.#match.lab.server.main;
    this.#match.sessions.forEach((session, bot) => {
      const { view, settings } = players.get(session)!;
      const { count, ids, kinds } = model.decisions(view);
      const [pivot] = settings.pivots;
      if (pivot !== undefined && "object" in pivot)
        this.pivots[bot] = this.#botOf.get(pivot.object) ?? this.pivots[bot]!;
      const own = this.avatars[bot]?.id;
      for (let i = 0; i < count; i++) {
        const id = ids[i]! as ObjectId;
        if (kinds[i] === DecisionKind.leave || kinds[i] === DecisionKind.destroy) continue;
        if (id === own) this.ownSends += 1;
        else if (this.#botOf.has(id)) this.updatesOf[bot]! += 1;
        else this.otherSends += 1;
      }
    });
  }

  /** Takes over the avatars as they are; returns how many changed. */
  #look(): number {
    const { world } = this.#match.lab;
    let changed = 0;
    this.#botOf.clear();
    for (let bot = 0; bot < this.avatars.length; bot++) {
      const avatar = this.#match.avatarOf(bot);
      this.avatars[bot] = avatar;
      this.#hasChanged[bot] = false;
      if (avatar === undefined) continue;
      this.#botOf.set(avatar.id, bot);
      const version = world.version[slotOf(avatar.id)]!;
      this.#hasChanged[bot] = this.#versions.get(avatar.id) !== version;
      if (this.#hasChanged[bot] === true) changed += 1;
      this.#versions.set(avatar.id, version);
    }
    return changed;
  }
}
