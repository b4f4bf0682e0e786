/**
 * The door: links that have not said hello. The first message of a link must be one; then it becomes a new session,
 * takes up an old one, or is refused with a reason. Bounded: so many strangers at once, and each for a limited time.
 * Why so: docs/decisions/0005-reliable-stream-across-reconnects.md.
 */

import {
  decodeFromClient,
  encodeFromServer,
  type Hello,
  PROTOCOL_VERSION,
  ProtocolError,
  type Reason,
  short,
} from "@nearfield/protocol";
import { WireError } from "@nearfield/schema";
import type { Link } from "@nearfield/transport";
import { ServerError } from "../errors.ts";
import type { Host } from "../host.ts";
import type { RoomCore } from "../room/room-core.ts";
import { Inbox } from "./inbox.ts";
import { Player, playerRecord } from "./player.ts";
import { Session, type ToClient } from "./session.ts";

interface Stranger {
  readonly link: Link;
  readonly inbox: Inbox;
  readonly since: number;
}

export class Gate {
  readonly #host: Host;
  readonly #rooms: ReadonlyMap<string, RoomCore>;
  readonly #strangers = new Set<Stranger>();
  /** Why nobody is let in any more; undefined while the door is open. */
  closedFor: string | undefined;

  constructor(host: Host, rooms: ReadonlyMap<string, RoomCore>) {
    this.#host = host;
    this.#rooms = rooms;
  }

  /** A link has come. */
  admit(link: Link): void {
    const { limits } = this.#host.resolved;
    if (this.#strangers.size >= limits.strangers) {
      link.close({ code: "full", detail: `${limits.strangers} connections wait at the door` });
      return;
    }
    const stranger: Stranger = {
      link,
      inbox: new Inbox(limits.messagesPerRound, limits.bytesPerRound),
      since: this.#host.roundNumber,
    };
    this.#strangers.add(stranger);
    link.onMessage((channel, bytes) => stranger.inbox.push(channel, bytes));
    link.onClose(() => this.#strangers.delete(stranger));
  }

  /** Lets in whoever said hello; part of the round's `receive`. */
  receive(round: number): void {
    for (const stranger of [...this.#strangers]) {
      try {
        const first = stranger.inbox.takeFirst();
        if (first !== undefined) {
          this.#strangers.delete(stranger);
          this.#greet(stranger, this.#readHello(first), round);
        } else if (round - stranger.since > this.#host.resolved.helloRounds) {
          throw new ProtocolError("silent", "no hello");
        }
      } catch (error) {
        this.#strangers.delete(stranger);
        if (error instanceof ProtocolError) {
          this.#refuse(stranger.link, error.reason);
        } else {
          this.#host.report(error, "join");
          this.#refuse(stranger.link, { code: "room", detail: "the room cannot take anybody in" });
        }
      }
    }
  }

  closeAll(reason: Reason): void {
    for (const { link } of this.#strangers) this.#refuse(link, reason);
    this.#strangers.clear();
  }

  #readHello({ channel, bytes }: { channel: "reliable" | "sequenced" | "unsequenced"; bytes: Uint8Array }): Hello {
    const { protocol } = this.#host;
    try {
      const { message } = decodeFromClient(bytes, channel, protocol);
      if (message.kind !== "hello") throw new ProtocolError("unexpected", `${message.kind} came before hello`);
      if (message.version !== PROTOCOL_VERSION) {
        throw new ProtocolError("version", `this server speaks version ${PROTOCOL_VERSION}, not ${message.version}`);
      }
      if (message.hash !== protocol.hash) {
        const [theirs, ours] = [message.hash, protocol.hash].map((hash) => hash.toString(16).padStart(8, "0"));
        throw new ProtocolError(
          "schema",
          `client (${theirs}) and server (${ours}) describe different objects, commands or events: build both from the same source`,
        );
      }
      return message;
    } catch (error) {
      if (error instanceof WireError) throw new ProtocolError("malformed", error.message);
      throw error;
    }
  }

  #greet(stranger: Stranger, hello: Hello, round: number): void {
    if (this.closedFor !== undefined) throw new ProtocolError("closing", this.closedFor);
    if (hello.resume !== undefined) this.#resume(stranger, hello, round);
    else this.#join(stranger, hello, round);
  }

  #join({ link, inbox }: Stranger, hello: Hello, round: number): void {
    const host = this.#host;
    const { limits } = host.resolved;
    if (this.#playerCount() >= limits.players) throw new ProtocolError("full", `${limits.players} players are here`);
    const room = this.#rooms.get(hello.room);
    if (room === undefined) throw new ProtocolError("room", `there is no room "${hello.room}"`);
    const nickname = freeNickname(room, hello.nickname);
    const token = host.newToken();
    const record = playerRecord(room, link.address);
    const player = new Player(room, host.nextSession(), nickname, hello.role, record);
    const session = new Session(room, player, record, token);
    host.remember(session);
    room.sessions.set(player.id, session);
    session.attach(link, inbox, this.#welcome(session, round, false));
    room.enter(player, record);
  }

  #playerCount(): number {
    let count = 0;
    for (const { players } of this.#rooms.values()) count += players.size;
    return count;
  }

  #resume({ link, inbox }: Stranger, hello: Hello, round: number): void {
    const { token, attempt, heard, packets } = hello.resume!;
    const session = this.#host.sessionOf(token);
    if (session === undefined)
      throw new ProtocolError("session-gone", "this session is unknown, or was not taken up in time");
    if (attempt <= session.attempt) throw new ProtocolError("replaced", "the client has connected again since");
    session.attempt = attempt;
    session.hangUp({ code: "replaced", detail: "the session goes on over another connection" });
    try {
      session.resume(packets, heard, round);
    } catch (error) {
      if (error instanceof ProtocolError) session.room.end(session.player, error);
      throw error;
    }
    session.room.telemetry.resumes += 1;
    session.attach(link, inbox, this.#welcome(session, round, true));
  }

  #welcome({ room, player, token, stream }: Session, round: number, resumed: boolean): ToClient {
    const { roundMs, resumeMs } = this.#host.resolved;
    return {
      kind: "welcome",
      session: player.id,
      token,
      roundMs,
      round,
      heard: short(stream.heard),
      resumed,
      nickname: player.nickname,
      role: player.role === "spectator" ? "spectator" : "player",
      state: room.state,
      resumeMs,
    };
  }

  #refuse(link: Link, reason: Reason): void {
    link.send("reliable", encodeFromServer({ kind: "refuse", reason }, this.#host.protocol));
    link.close(reason);
  }
}

function freeNickname(room: RoomCore, wanted: string): string {
  try {
    return room.freeNickname(wanted);
  } catch (error) {
    if (error instanceof ServerError) throw new ProtocolError("nickname", error.message);
    throw error;
  }
}
