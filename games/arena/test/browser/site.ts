/**
 * A small site for the browser tests: the built page at /arena/, the game's server beside it, and opponents that do exactly what the test says. Each
 * of them is a real client on a real WebSocket.
 */

import { join as joinPath } from "node:path";
import { type Client, predict, present } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { type NodeServer, serve } from "@nearfield/server/node";
import { PageSite } from "../../../../test/page-site.ts";
import { NO_CLAIM, Sights } from "../../src/claim.ts";
import { ArenaHost, type ArenaHostOptions, arenaOptions } from "../../src/host.ts";
import { IDLE, stepOn } from "../../src/movement.ts";
import { readTerrain } from "../../src/node/index.ts";
import { Act, Avatar, avatarPresentation, protocol } from "../../src/shared.ts";
import { BULLETS_AT_BIRTH } from "../../src/state.ts";
import type { Terrain } from "../../src/terrain.ts";

const WORKSPACE = joinPath(import.meta.dirname, "../..");

export interface SiteOptions extends Partial<ArenaHostOptions> {
  readonly level: Terrain["name"];
  /** Players and spectators that are let in. */
  readonly places?: number;
}

export class Site {
  readonly url: string;
  readonly server: NodeServer;
  readonly host: ArenaHost;
  readonly terrain: Terrain;
  readonly #page: PageSite;

  private constructor(page: PageSite, server: NodeServer, host: ArenaHost, terrain: Terrain) {
    this.url = page.url;
    this.server = server;
    this.host = host;
    this.terrain = terrain;
    this.#page = page;
  }

  static async open({ level, places, ...options }: SiteOptions): Promise<Site> {
    const page = await PageSite.open("arena", WORKSPACE);
    const server = await serve({
      ...arenaOptions,
      server: page.http,
      path: "/arena/ws",
      host: "127.0.0.1",
      ...(places !== undefined && { limits: { players: places } }),
    });
    const terrain = readTerrain(level);
    const host = new ArenaHost(server, { seed: 1, terrains: [terrain], ...options });
    return new Site(page, server, host, terrain);
  }

  /** Breaks every connection, as a router would that starts anew; nobody's session ends. */
  breakLinks(): void {
    this.#page.breakLinks();
  }

  /** The player with that nickname. */
  player(nickname: string) {
    return [...this.server.main.players.values()].find((player) => player.nickname === nickname);
  }

  /** As many bullets as at birth. */
  load(nickname: string): void {
    for (const avatar of this.server.world.all(Avatar)) {
      if (avatar.owner === this.player(nickname)?.id) avatar.bullets = BULLETS_AT_BIRTH;
    }
  }

  async close(): Promise<void> {
    await this.server.close();
    this.#page.close();
  }
}

/** Stands where it was born, and does nothing unless the test says so. */
export class Dummy {
  readonly client: Client;
  /** Number of the avatar it shoots at, until that is dead; 0: nobody. */
  shootsAt = 0;

  private constructor(client: Client, terrain: Terrain) {
    this.client = client;
    present(client, Avatar, avatarPresentation);
    const sights = new Sights(client);
    const own = () => client.mine(Avatar);
    let mine: ReturnType<typeof steer> | undefined;
    const steer = (avatar: NonNullable<ReturnType<typeof own>>) =>
      predict(
        client,
        avatar,
        Act,
        stepOn(() => terrain),
      );
    client.activity((world) => {
      const avatar = own();
      if (!avatar) return;
      mine ??= steer(avatar);
      const target = [...world.all(Avatar)].find(({ number }) => number === this.shootsAt);
      if (target?.condition === "dead") this.shootsAt = 0;
      if (target?.condition !== "alive") return void mine.command(IDLE);
      const heading = Math.atan2(target.shown.y - mine.state.y, target.shown.x - mine.state.x);
      const fires = client.state === "active";
      mine.command({ ...IDLE, heading, fires, ...(fires ? sights.claimOn(target) : NO_CLAIM) });
    });
  }

  static async join(site: Site, nickname: string): Promise<Dummy> {
    const client = await join(site.server.url, { protocol, nickname, udp: false });
    return new Dummy(client, site.terrain);
  }

  leave(): void {
    this.client.leave();
  }
}
