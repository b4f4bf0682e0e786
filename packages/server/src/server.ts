/**
 * A server: rooms, the door, and the sessions that outlive their links. It has no clock: its driver calls `round()` every `roundMs`.
 * `serve` of @nearfield/server/node does that in real time, netlab does it on virtual time. A game with one world finds the main room's
 * handlers here too.
 */

import type { World } from "@nearfield/core";
import type { ReasonCode } from "@nearfield/protocol";
import { ProtocolError } from "@nearfield/protocol/internal";
import type { Off, Protocol } from "@nearfield/schema";
import { Listeners } from "@nearfield/schema/internal";
import type { Link } from "@nearfield/transport";
import type { Listener } from "@nearfield/transport/internal";
import { checkKeys, checkRoomKeys, checkRoomOptions, checkServerOptions, SERVER_KEYS } from "./check-options.ts";
import { ServerError } from "./errors.ts";
import { Host } from "./host.ts";
import { type RoomOptions, resolveOptions, type ServerOptions } from "./options.ts";
import type { Room } from "./room/room.ts";
import { RoomCore } from "./room/room-core.ts";
import { runRound } from "./room/round.ts";
import { Gate } from "./session/gate.ts";
import { Workload } from "./session/workload.ts";

/** Counters of the server as a whole, since its start. */
export interface DoorFigures {
  /** Links that were refused at the door, by reason. */
  readonly refused: ReadonlyMap<ReasonCode, number>;
  /** Links that have not said hello, as of this round. */
  readonly strangers: number;
  /** Requests that listeners refused before there was a link, by reason. */
  readonly linksRefused: ReadonlyMap<string, number>;
  /** Errors that `onError` was not told of one by one. */
  readonly suppressed: number;
  /** Times that `onError` itself failed. */
  readonly failed: number;
  /** Ms of the server's time that clients' messages took. */
  readonly clientMs: number;
}

/** The room for clients that name none. */
export const MAIN_ROOM = "main";

export class Server {
  /** The main room. */
  readonly main: Room;
  readonly #options: ServerOptions;
  readonly #host: Host;
  readonly #gate: Gate;
  readonly #workload: Workload;
  readonly #rooms = new Map<string, Room>();
  readonly #cores = new Map<string, RoomCore>();
  readonly #listeners: Listener[] = [];
  readonly #onDrain: (() => void | Promise<void>)[] = [];
  readonly #onClose: Listeners<() => void | Promise<void>> = new Listeners();
  readonly #readiness: Listeners<() => string | undefined> = new Listeners();
  #wrapLink: (link: Link) => Link = (link) => link;
  #closed = false;

  constructor(options: ServerOptions) {
    checkServerOptions(options);
    checkKeys<ServerOptions>(options, SERVER_KEYS, "new Server()");
    this.#options = options;
    this.#host = new Host(resolveOptions(options), options.onError ?? (() => {}));
    this.#gate = new Gate(this.#host, this.#cores);
    this.#workload = new Workload(this.#host, this.#cores);
    this.main = this.createRoom(MAIN_ROOM);
  }

  get protocol(): Protocol {
    return this.#host.protocol;
  }

  /** Nominal length of a round, ms. */
  get roundMs(): number {
    return this.#host.resolved.roundMs;
  }

  /** Rounds run so far. */
  get roundNumber(): number {
    return this.#host.roundNumber;
  }

  /** The server's time now, ms: the time of the last round plus what has passed since. `client.clock` follows it. */
  get timeMs(): number {
    return this.#host.timeMs;
  }

  get rooms(): ReadonlyMap<string, Room> {
    return this.#rooms;
  }

  /** The main room's world. */
  get world(): World {
    return this.main.world;
  }

  /** Counters of refused clients and of errors that were not reported. */
  get door(): DoorFigures {
    const { door, reports } = this.#host;
    const linksRefused = new Map<string, number>();
    for (const { refused } of this.#listeners)
      for (const [why, count] of refused ?? []) linksRefused.set(why, (linksRefused.get(why) ?? 0) + count);
    const { suppressed, failed } = reports;
    const { refused, strangers } = door;
    return { refused, strangers, linksRefused, suppressed, failed, clientMs: this.#workload.totalMs };
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Why nobody can join now, for people: the server drains, is closed, or is full. Undefined if players can join. */
  get closedToJoins(): string | undefined {
    if (this.#closed) return "the server is closed";
    const { players } = this.#host.resolved.limits;
    return this.#gate.closedFor ?? (this.playerCount >= players ? `${players} players are here` : undefined);
  }

  /** Why no player should be sent here now, for people: nobody can join, or a check of `addReadiness` says so. Undefined while the server is ready. */
  get unreadyBecause(): string | undefined {
    let reason = this.closedToJoins;
    for (const check of this.#readiness.list) reason ??= check();
    return reason;
  }

  /** Adds a check to what `/readyz` says: it returns why no player should be sent here, or undefined. Whoever comes all the same is let in. */
  addReadiness(check: () => string | undefined): Off {
    return this.#readiness.add(check);
  }

  /** Players in all rooms, including those away. */
  get playerCount(): number {
    let count = 0;
    for (const room of this.#cores.values()) count += room.players.size;
    return count;
  }

  /** Options that are left out are taken from the server's. */
  createRoom(name: string, options: Partial<RoomOptions> = {}): Room {
    const what = `createRoom(${JSON.stringify(name)})`;
    checkRoomKeys(options, what);
    checkRoomOptions({ ...this.#options, ...options }, this.protocol, name === MAIN_ROOM ? "new Server()" : what);
    if (this.#rooms.has(name)) throw new ServerError("duplicate-room", `room "${name}": exists already`);
    const core = new RoomCore(this.#host, name, { ...this.#options, ...options });
    this.#cores.set(name, core);
    this.#rooms.set(name, core.room);
    return core.room;
  }

  /** Ends everybody in a room and forgets the room. The main room cannot be closed. */
  closeRoom(name: string): void {
    const core = this.#cores.get(name);
    if (core === undefined || name === MAIN_ROOM) return;
    this.#cores.delete(name);
    this.#rooms.delete(name);
    core.endAll(new ProtocolError("closing", `room ${name} closes`));
  }

  /** Takes links from this listener from now on. */
  listen(listener: Listener): void {
    this.#listeners.push(listener);
    listener.onLink((link) => this.accept(link));
  }

  accept(link: Link): void {
    if (this.#closed) link.close({ code: "closing", detail: "the server is closed" });
    else this.#admit(link);
  }

  /** `wrapLinks` is the host's own code. If it throws, only this link is lost. */
  #admit(link: Link): void {
    try {
      this.#gate.admit(this.#wrapLink(link), () => link.letIn?.());
    } catch (error) {
      this.#host.report(error, "wrapLinks");
      link.close({ code: "failed", detail: "the server failed to take this link into use" });
    }
  }

  /**
   * From now on each new link is used through what `wrap` makes of it: something that delays, measures or records. The wrapped link must
   * keep a link's promises, and its address. Only the last `wrap` counts.
   */
  wrapLinks(wrap: (link: Link) => Link): void {
    this.#wrapLink = wrap;
  }

  /** One round of every room: receive → merge → step → commit → find due → tell → send → audit. */
  round(): void {
    if (this.#closed) throw new ServerError("closed", "round: the server is closed");
    this.#host.beginRound();
    this.#gate.receive(this.roundNumber);
    this.#workload.look();
    for (const room of [...this.#cores.values()]) this.#runRound(room);
    this.#host.endRound();
  }

  /** If a room fails, that is reported. The other rooms go on, and this one tries again in the next round. */
  #runRound(room: RoomCore): void {
    try {
      runRound(room, this.roundNumber);
    } catch (error) {
      if (this.#options.onError === undefined) throw error;
      room.failed(error, "round");
    }
  }

  /**
   * Takes nobody in from now on: new and returning clients are refused with "closing". Players that are here stay. Resolves when the
   * handlers of `onDrain` are done; rounds go on meanwhile. This is the first half of an orderly end; `close` is the second.
   */
  async stopJoins(detail = "the server closes"): Promise<void> {
    if (this.#gate.closedFor !== undefined) return;
    this.#gate.closedFor = detail;
    await Promise.all(
      this.#onDrain.map(async (handler) => {
        try {
          await handler();
        } catch (error) {
          this.#host.report(error, "onDrain");
        }
      }),
    );
  }

  /** Called when the server drains: the game saves and says goodbye here. Rounds go on meanwhile, but nobody joins any more. */
  onDrain(handler: () => void | Promise<void>): () => void {
    this.#onDrain.push(handler);
    return () => void this.#onDrain.splice(this.#onDrain.indexOf(handler) >>> 0, 1);
  }

  /** Called when the server closes, to close what was opened beside it. The server waits for a returned promise. */
  onClose(handler: () => void | Promise<void>): Off {
    return this.#onClose.add(handler);
  }

  /** Says goodbye to everybody, then closes the listeners; resolves when their links are gone. */
  async close(detail = "the server closes"): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const reason = new ProtocolError("closing", detail);
    this.#gate.closeAll(reason.reason);
    for (const room of this.#cores.values()) room.endAll(reason);
    await Promise.all([
      ...this.#listeners.map((listener) => listener.close()),
      ...this.#onClose.list.map((end) => end()),
    ]);
  }

  // ── the default room ───────────────────────────────────────────────────────────────────────────────────────────

  readonly onJoin: Room["onJoin"] = (handler) => this.main.onJoin(handler);
  readonly onLeave: Room["onLeave"] = (handler) => this.main.onLeave(handler);
  readonly onRound: Room["onRound"] = (handler) => this.main.onRound(handler);
  readonly onCommand: Room["onCommand"] = (type, handler, options) => this.main.onCommand(type, handler, options);
  readonly steps: Room["steps"] = (type, command, step) => this.main.steps(type, command, step);
  readonly onStep: Room["onStep"] = (type, command, listener) => this.main.onStep(type, command, listener);
  readonly onWrite: Room["onWrite"] = (type, validator) => this.main.onWrite(type, validator);
  readonly onUpdate: Room["onUpdate"] = (type, listener) => this.main.onUpdate(type, listener);
  readonly emit: Room["emit"] = (type, values, audience, options) => this.main.emit(type, values, audience, options);
  readonly localPlayer: Room["localPlayer"] = (nickname) => this.main.localPlayer(nickname);
}
