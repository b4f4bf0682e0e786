/**
 * A server: rooms, the door, and the sessions that outlive their links. Knows no clock: whoever drives it calls
 * `round()` every `roundMs` (`serve` in @nearfield/server/node does; a test kit does on virtual time). For a game with
 * one world the default room's handlers are here too.
 */

import type { World } from "@nearfield/core";
import { ProtocolError } from "@nearfield/protocol";
import type { Protocol } from "@nearfield/schema";
import type { Link, Listener } from "@nearfield/transport";
import { ServerError } from "./errors.ts";
import { Gate } from "./gate.ts";
import { type Resolved, type RoomOptions, resolveOptions, type ServerOptions } from "./options.ts";
import { Room } from "./room.ts";
import { runRound } from "./round.ts";
import type { Session } from "./session.ts";

/** The room of a client that names none. */
export const MAIN_ROOM = "main";

export class Server {
  readonly protocol: Protocol;
  readonly resolved: Resolved;
  readonly main: Room;
  readonly #rooms = new Map<string, Room>();
  readonly #options: ServerOptions;
  readonly #gate: Gate;
  readonly #listeners: Listener[] = [];
  readonly #byToken = new Map<string, Session>();
  #sessions = 0;
  #round = 0;
  #closed = false;

  constructor(options: ServerOptions) {
    this.#options = options;
    this.resolved = resolveOptions(options);
    this.protocol = options.protocol;
    this.#gate = new Gate(this);
    this.main = this.createRoom(MAIN_ROOM, options);
  }

  get rooms(): ReadonlyMap<string, Room> {
    return this.#rooms;
  }

  /** The default room's world. */
  get world(): World {
    return this.main.world;
  }

  /** Rounds run so far. */
  get roundNumber(): number {
    return this.#round;
  }

  get playerCount(): number {
    let count = 0;
    for (const room of this.#rooms.values()) count += room.players.size;
    return count;
  }

  /** Options that are left out are those of the server. */
  createRoom(name: string, options: Partial<RoomOptions> = {}): Room {
    if (this.#rooms.has(name)) throw new ServerError("duplicate-room", `room "${name}": exists already`);
    const room = new Room(this, name, { ...this.#options, ...options }, this.resolved);
    this.#rooms.set(name, room);
    return room;
  }

  /** Ends everybody in a room and forgets it; the main room stays. */
  closeRoom(name: string): void {
    const room = this.#rooms.get(name);
    if (room === undefined || room === this.main) return;
    for (const player of [...room.players.values()])
      room.end(player, new ProtocolError("closing", `room ${name} closes`));
    room.model.dispose();
    this.#rooms.delete(name);
  }

  /** Takes links from this listener from now on. */
  listen(listener: Listener): void {
    this.#listeners.push(listener);
    listener.onLink((link) => this.accept(link));
  }

  accept(link: Link): void {
    if (this.#closed) link.close({ code: "closing", detail: "the server is closed" });
    else this.#gate.admit(link);
  }

  /** One round of every room: receive → merge → step game → place pivots, find due → encode → send → audit. */
  round(): void {
    if (this.#closed) throw new ServerError("closed", "round: the server is closed");
    this.#round += 1;
    this.#gate.receive(this.#round);
    for (const room of this.#rooms.values()) runRound(room, this.#round);
  }

  /** Says goodbye to everybody, then closes the listeners; resolves when their links are gone. */
  async close(detail = "the server closes"): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const reason = new ProtocolError("closing", detail);
    this.#gate.closeAll(reason.reason);
    for (const room of this.#rooms.values()) {
      for (const player of [...room.players.values()]) room.end(player, reason);
      room.model.dispose();
    }
    await Promise.all(this.#listeners.map((listener) => listener.close()));
  }

  // ── the default room ───────────────────────────────────────────────────────────────────────────────────────────

  onJoin: Room["onJoin"] = (handler) => this.main.onJoin(handler);
  onLeave: Room["onLeave"] = (handler) => this.main.onLeave(handler);
  onRound: Room["onRound"] = (handler) => this.main.onRound(handler);
  onCommand: Room["onCommand"] = (type, handler) => this.main.onCommand(type, handler);
  onWrite: Room["onWrite"] = (type, validator) => this.main.onWrite(type, validator);
  onUpdate: Room["onUpdate"] = (type, listener) => this.main.onUpdate(type, listener);
  emit: Room["emit"] = (type, values, audience, options) => this.main.emit(type, values, audience, options);
  localPlayer: Room["localPlayer"] = (nickname) => this.main.localPlayer(nickname);

  // ── for rooms and the gate ─────────────────────────────────────────────────────────────────────────────────────

  nextSession(): number {
    this.#sessions += 1;
    return this.#sessions;
  }

  newToken(): Uint8Array {
    const token = this.resolved.tokenSource();
    if (token.length < 8 || token.length > 32) {
      throw new ServerError("bad-option", `tokenSource gave ${token.length} bytes, but 8 to 32 are needed`);
    }
    return token;
  }

  remember(session: Session): Session {
    this.#byToken.set(keyOf(session.token), session);
    session.player.room.sessions.set(session.player.id, session);
    return session;
  }

  sessionOf(token: Uint8Array): Session | undefined {
    return this.#byToken.get(keyOf(token));
  }

  /** A session ends for good. */
  forget(session: Session, reason: ProtocolError): void {
    this.#byToken.delete(keyOf(session.token));
    session.hangUp(reason.reason);
  }

  /** Sends a reliable message; a client that lets too many pile up is ended. */
  tell(session: Session, message: Parameters<Session["send"]>[0]): void {
    try {
      session.send(message);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      session.player.room.end(session.player, error);
    }
  }

  report(error: unknown, where: string): void {
    this.#options.onError?.(error, where);
  }
}

function keyOf(token: Uint8Array): string {
  return Array.from(token, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
