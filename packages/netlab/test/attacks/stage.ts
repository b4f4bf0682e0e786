/**
 * A real server on a real port, with honest players who join as anybody does and notice nothing while strangers attack it. What "nothing" means is
 * in `Stage.expectUnharmed`.
 */

import type { Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Client } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { type ViewSettings, zones } from "@nearfield/core";
import { command, event, object, Protocol, quantized, text, uint } from "@nearfield/schema";
import { type NodeServer, type ServeOptions, serve } from "@nearfield/server/node";
import { expect } from "vitest";
import { type RawOptions, RawSocket } from "./raw-socket.ts";

const SIZE = 1000;
export const ROUND_MS = 20;

export const Ship = object(
  "ship",
  { x: quantized(0, SIZE, 0.1), y: quantized(0, SIZE, 0.1) },
  { position: ["x", "y"] },
);
/** Written anew to see whether it still reaches everybody. */
const Beacon = object("beacon", { count: uint(30) });
export const Go = command("go", { x: quantized(0, SIZE, 0.1) });
export const Crash = command("crash", { words: text(40) });
export const Cheer = event("cheer", { words: text(40) });
export const protocol: Protocol = new Protocol({
  objects: [Ship, Beacon],
  commands: [Go, Crash],
  events: [Cheer],
});
export const view: ViewSettings = zones(Ship, {
  radii: [200, 500],
  bounds: [{ time: 0 }, { time: 100 }, { time: 300 }],
});

export type StageOptions = Partial<ServeOptions> & {
  /** Honest players. Default 3. */
  readonly honest?: number;
  /** Ships that are nobody's and move all the time. Default 20. */
  readonly ships?: number;
};

export class Stage {
  readonly server: NodeServer;
  readonly http: HttpServer | undefined;
  readonly honest: Client[] = [];
  /** What honest players were told of their connection; nothing, if all is well. */
  readonly troubles: string[] = [];
  /** Exceptions that nobody caught: each would have ended the process. */
  readonly uncaught: unknown[] = [];
  /** What the host was told. */
  readonly reported: string[] = [];
  readonly #raws: RawSocket[] = [];
  readonly #closing: (() => Promise<void> | void)[] = [];
  readonly #beacon: { count: number };

  private constructor(server: NodeServer, http: HttpServer | undefined, reported: string[]) {
    this.server = server;
    this.http = http;
    this.reported = reported;
    this.#beacon = server.world.spawn(Beacon, { count: 0 });
  }

  static async open(options: StageOptions = {}): Promise<Stage> {
    const { honest = 3, ships = 20, ...rest } = options;
    const reported: string[] = [];
    const server = await serve({
      protocol,
      view,
      roundMs: ROUND_MS,
      udp: false,
      ...(rest.server === undefined && { host: "127.0.0.1" }),
      onError: (error, where) =>
        void reported.push(`${where}: ${error instanceof Error ? error.message : String(error)}`),
      ...rest,
    });
    const stage = new Stage(server, rest.server, reported);
    const note = (error: unknown): void => void stage.uncaught.push(error);
    process.prependListener("uncaughtException", note);
    process.prependListener("unhandledRejection", note);
    stage.#closing.push(() => {
      process.off("uncaughtException", note);
      process.off("unhandledRejection", note);
    });
    server.onJoin((player) => {
      player.pivotOn(server.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id }));
    });
    server.onCommand(Go, (player, { x }) => {
      const [ship] = player.owned(Ship);
      if (ship !== undefined) ship.x = x;
    });
    const movers = Array.from({ length: ships }, (_, i) => server.world.spawn(Ship, { x: (i * 10) % SIZE, y: 400 }));
    server.onRound(() => {
      for (const ship of movers) ship.x = (ship.x + 3) % SIZE;
    });
    for (let i = 0; i < honest; i++) await stage.joinHonest(`honest ${i + 1}`);
    return stage;
  }

  /** A player who does nothing wrong. */
  async joinHonest(nickname: string): Promise<Client> {
    const client = await join(this.server.url, { protocol, nickname, frameMs: 5, udp: false });
    client.onState((state, reason) => {
      if (state !== "active") this.troubles.push(`${nickname} is ${state}: ${reason?.code ?? ""}`);
    });
    this.honest.push(client);
    return client;
  }

  get port(): number {
    if (this.http !== undefined) return (this.http.address() as AddressInfo).port;
    return Number(new URL(this.server.url).port);
  }

  /** A stranger's socket that has asked for a WebSocket. */
  async stranger(options: RawOptions = {}): Promise<RawSocket> {
    const raw = await RawSocket.open(this.port, protocol, options);
    this.#raws.push(raw);
    return raw;
  }

  /** A stranger's TCP connection. */
  async connection(): Promise<RawSocket> {
    const raw = await RawSocket.connect(this.port, protocol);
    this.#raws.push(raw);
    return raw;
  }

  /** Resolves after so many more rounds of the server. */
  async rounds(count: number): Promise<void> {
    const until = this.server.roundNumber + count;
    await expect.poll(() => this.server.roundNumber, { interval: 5 }).toBeGreaterThanOrEqual(until);
  }

  /**
   * Nothing went uncaught, every honest player is still connected over its first link, and what the server writes now, and the players command now,
   * still arrives.
   */
  async expectUnharmed(): Promise<void> {
    await this.rounds(5);
    this.#beacon.count += 1;
    const { count } = this.#beacon;
    for (const [i, client] of this.honest.entries()) {
      await expect.poll(() => [...client.world.where(Beacon, (beacon) => beacon.count === count)].length).toBe(1);
      const x = 100 + i * 10 + (count % 10);
      client.send(Go, { x });
      await expect
        .poll(
          () => [...client.world.where(Ship, (ship) => client.world.isMine(ship) && Math.abs(ship.x - x) < 0.1)].length,
        )
        .toBe(1);
    }
    expect(this.troubles).toEqual([]);
    expect(this.uncaught).toEqual([]);
    expect(this.server.main.telemetry.resumes).toBe(0);
  }

  async close(): Promise<void> {
    for (const raw of this.#raws) raw.destroy();
    for (const client of this.honest) client.leave();
    await this.server.close();
    for (const close of this.#closing) await close();
    if (this.http !== undefined) {
      this.http.closeAllConnections();
      await new Promise((resolve) => this.http!.close(resolve));
    }
  }
}
