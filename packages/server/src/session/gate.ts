/**
 * The door: links that have not been let in. The first message of a link must be a hello. Then the link becomes a new session, takes up an
 * old one, or is refused with a reason. If the game wants to know who it is, `authenticate` is asked first. Bounded: a number of strangers
 * at once, each for a limited time.
 * Why so: docs/decisions/0005-reliable-stream-across-reconnects.md.
 */

import {
  decodeFromClient,
  encodeFromServer,
  type Hello,
  MAX_CREDENTIALS_BYTES,
  PROTOCOL_VERSION,
  ProtocolError,
  type Reason,
  type Resume,
  short,
} from "@nearfield/protocol/internal";
import { WireError } from "@nearfield/schema/internal";
import type { Link } from "@nearfield/transport";
import { ServerError } from "../errors.ts";
import type { Host } from "../host.ts";
import type { FoundSession, RoomCore } from "../room/room-core.ts";
import { Addresses, networkOf } from "./addresses.ts";
import { Authentication } from "./authentication.ts";
import { grantRole, type Identity, type Visitor } from "./identity.ts";
import { Inbox } from "./inbox.ts";
import { Player, playerRecord } from "./player.ts";
import { Session, type ToClient } from "./session.ts";

interface Stranger {
  readonly link: Link;
  readonly inbox: Inbox;
  readonly sinceMs: number;
  /** Tells whoever brought the link that it has been let in. */
  readonly letIn: () => void;
  /** Its hello, while `authenticate` is asked. */
  asked: { readonly hello: Hello; readonly visitor: Visitor; readonly authentication: Authentication } | undefined;
  /** Its session, while other servers are asked for it; `answer` once they have said whether they had it. */
  sought: { readonly room: RoomCore; answer: { readonly found: FoundSession | undefined } | undefined } | undefined;
}

/** Messages that a stranger may send before its hello is read. A client may send pings right after its hello. */
const MOST_STRANGER_MESSAGES = 16;

export class Gate {
  readonly #host: Host;
  readonly #rooms: ReadonlyMap<string, RoomCore>;
  readonly #addresses: Addresses;
  readonly #strangers = new Set<Stranger>();
  /** Why nobody is let in any more; undefined while the door is open. */
  closedFor: string | undefined = undefined;

  constructor(host: Host, rooms: ReadonlyMap<string, RoomCore>) {
    this.#host = host;
    this.#rooms = rooms;
    this.#addresses = new Addresses(host, rooms);
  }

  /**
   * A link has come.
   *
   * @param letIn called when the link is let in.
   */
  admit(link: Link, letIn: () => void = () => {}): void {
    const { limits } = this.#host.resolved;
    if (this.#strangers.size >= limits.strangers && !this.#makeWay(link)) {
      this.#refuse(link, { code: "full", detail: `${limits.strangers} connections wait at the door` });
      return;
    }
    const inbox = new Inbox(MOST_STRANGER_MESSAGES, limits.strangerBytes + MAX_CREDENTIALS_BYTES);
    const stranger: Stranger = {
      link,
      inbox,
      sinceMs: this.#host.elapsedMs,
      letIn,
      asked: undefined,
      sought: undefined,
    };
    this.#strangers.add(stranger);
    link.onMessage((channel, bytes) => stranger.inbox.push(channel, bytes));
    link.onClose(() => this.#strangers.delete(stranger));
  }

  /** Reads hellos and lets clients in; part of the round's `receive`. */
  receive(round: number): void {
    this.#host.door.strangers = this.#strangers.size;
    for (const stranger of [...this.#strangers]) {
      try {
        if (stranger.sought !== undefined) {
          this.#hearOfSession(stranger, stranger.sought, round);
          continue;
        }
        if (stranger.asked !== undefined) {
          this.#hearAnswer(stranger, stranger.asked, round);
          continue;
        }
        const first = stranger.inbox.takeFirst();
        if (first !== undefined) {
          this.#addresses.countHello(stranger.link.address);
          this.#greet(stranger, this.#readHello(first), round);
        } else if (this.#host.elapsedMs - stranger.sinceMs > this.#host.resolved.helloMs) {
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

  /**
   * Makes room at a full door: refuses the oldest stranger of the address that has most of them. Returns false if no address has more than
   * the newcomer's own would have.
   */
  #makeWay({ address }: Link): boolean {
    const groups = new Map<string, Stranger[]>();
    for (const stranger of this.#strangers) {
      const group = networkOf(stranger.link.address);
      if (group !== undefined) groups.set(group, [...(groups.get(group) ?? []), stranger]);
    }
    const theirs = groups.get(networkOf(address) ?? "")?.length ?? 0;
    const [most] = [...groups.values()].sort((a, b) => b.length - a.length);
    if (most === undefined || most.length <= theirs + 1) return false;
    const [oldest] = most;
    this.#strangers.delete(oldest!);
    this.#refuse(oldest!.link, { code: "too-many", detail: "others have to get in, too" });
    return true;
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
    const { link } = stranger;
    const { sentAwayFor } = this.#rooms.get(hello.room) ?? {};
    if (sentAwayFor !== undefined && hello.resume !== undefined) {
      // Without a refusal the client tries another server.
      this.#strangers.delete(stranger);
      return link.close(sentAwayFor);
    }
    const closedFor = this.closedFor ?? sentAwayFor?.detail;
    if (closedFor !== undefined) throw new ProtocolError("closing", closedFor);
    const { authenticate } = this.#host.resolved;
    if (hello.resume !== undefined && this.#seek(stranger, hello, hello.resume)) return;
    if (hello.resume?.afresh === false) {
      this.#strangers.delete(stranger);
      this.#resume(stranger, hello.resume, round);
      return;
    }
    const { credentials, nickname, room, role } = hello;
    const visitor: Visitor = { credentials, nickname, room, role, address: link.address, origin: link.origin };
    this.#checkRoom(hello);
    if (authenticate === undefined) {
      this.#letIn(stranger, hello, visitor, undefined, round);
      return;
    }
    const authentication = new Authentication(this.#host, authenticate, visitor);
    stranger.asked = { hello, visitor, authentication };
    this.#hearAnswer(stranger, stranger.asked, round);
  }

  /** Asks other servers for a session that is not known here. Returns false if it is, or if there is nobody to ask. */
  #seek(stranger: Stranger, { room: name }: Hello, { token, afresh }: Resume): boolean {
    const room = this.#rooms.get(name);
    if (room?.seekSession === undefined || this.#host.sessionOf(token) !== undefined) return false;
    const sought: NonNullable<Stranger["sought"]> = { room, answer: undefined };
    stranger.sought = sought;
    const answer = (found: FoundSession | undefined): void => {
      sought.answer = { found };
    };
    room.seekSession(token, afresh, answer, () => this.#strangers.has(stranger));
    return true;
  }

  /** A session that another server had goes on here, as soon as it is known to have been there. */
  #hearOfSession(stranger: Stranger, { room, answer }: NonNullable<Stranger["sought"]>, round: number): void {
    if (answer === undefined) return;
    const { found } = answer;
    if (found === undefined) throw new ProtocolError("session-gone", "no server knows this session");
    this.#strangers.delete(stranger);
    const { link, inbox, letIn } = stranger;
    const record = playerRecord(room, link.address, found.identity);
    const player = new Player(room, found.session, found.nickname, found.role, record);
    const token = this.#host.newToken();
    token.set(found.lastingToken.subarray(0, token.length));
    const session = new Session(room, player, record, token);
    session.goOnAfter(found.heard);
    this.#host.remember(session);
    room.sessions.set(player.id, session);
    letIn();
    session.attach(link, inbox, this.#welcome(session, round, true));
    room.goOn(player, record, found.pivot);
  }

  #hearAnswer(stranger: Stranger, asked: NonNullable<Stranger["asked"]>, round: number): void {
    const identity = asked.authentication.result();
    if (identity === undefined) return;
    if (this.closedFor !== undefined) throw new ProtocolError("closing", this.closedFor);
    this.#letIn(stranger, asked.hello, asked.visitor, identity, round);
  }

  #letIn(stranger: Stranger, hello: Hello, visitor: Visitor, identity: Identity | undefined, round: number): void {
    this.#strangers.delete(stranger);
    const { resume } = hello;
    if (resume === undefined) this.#join(stranger, hello, visitor, identity, round);
    else this.#takeUpAfresh(stranger, resume, hello.room, identity, round);
  }

  /** Refuses what can be refused without asking the game. */
  #checkRoom({ room: name, resume }: Hello): RoomCore {
    const { players } = this.#host.resolved.limits;
    if (resume === undefined && this.#playerCount() >= players && !this.#addresses.canFreeSeat)
      throw new ProtocolError("full", `${players} players are here`);
    const room = this.#rooms.get(name);
    if (room === undefined) throw new ProtocolError("room", `there is no room "${name}"`);
    return room;
  }

  #join(
    { link, inbox, letIn }: Stranger,
    hello: Hello,
    visitor: Visitor,
    identity: Identity | undefined,
    round: number,
  ): void {
    const host = this.#host;
    const room = this.#checkRoom(hello);
    this.#addresses.requireSeat(link.address);
    if (this.#playerCount() >= host.resolved.limits.players) this.#addresses.freeSeat();
    const role = grantRole(visitor, identity, room.options.spectators);
    const nickname = freeNickname(room, hello.nickname);
    const token = host.newToken();
    const record = playerRecord(room, link.address, identity);
    const player = new Player(room, host.nextSession(), nickname, role, record);
    const session = new Session(room, player, record, token);
    host.remember(session);
    room.sessions.set(player.id, session);
    letIn();
    session.attach(link, inbox, this.#welcome(session, round, false));
    room.enter(player, record);
  }

  #playerCount(): number {
    let count = 0;
    for (const { players } of this.#rooms.values()) count += players.size;
    return count;
  }

  /**
   * A page that was loaded anew goes on as the same player, with the same objects, and is sent the whole world. This works only while
   * nobody plays that session: a copy of the page must not throw the first one out.
   */
  #takeUpAfresh(
    { link, inbox, letIn }: Stranger,
    { token }: Resume,
    roomName: string,
    identity: Identity | undefined,
    round: number,
  ): void {
    const host = this.#host;
    const before = this.#sessionOf(token);
    const { room, player } = before;
    if (before.link !== undefined || room.name !== roomName || player.identity?.account !== identity?.account)
      throw new ProtocolError("session-gone", "this session is not to be had: it is in use, or somebody else's");
    const record = room.recordOf(player)!;
    room.startAfresh(player);
    const session = new Session(room, player, record, host.newToken());
    host.remember(session);
    room.sessions.set(player.id, session);
    room.telemetry.resumes += 1;
    letIn();
    session.attach(link, inbox, this.#welcome(session, round, true));
  }

  #sessionOf(token: Uint8Array): Session {
    const session = this.#host.sessionOf(token);
    if (session !== undefined) return session;
    throw new ProtocolError("session-gone", "this session is unknown, or was not taken up in time");
  }

  #resume({ link, inbox, letIn }: Stranger, { token, attempt, heard, packets }: Resume, round: number): void {
    const session = this.#sessionOf(token);
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
    letIn();
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
    this.#host.door.countRefused(reason.code);
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
