/**
 * The people of the town: companions as clients in the server's own process, over a WebSocket to the server itself, so that they are members like any other. Some
 * stroll about; more come when a party wants more.
 */

import { webcrypto } from "node:crypto";
import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { join } from "@nearfield/client/node";
import { nodePeers } from "@nearfield/rollback/node";
import { ed25519 } from "@nearfield/rollback/trust";
import type { Player } from "@nearfield/server";
import { Companion } from "../companions/companion.ts";
import { companionName } from "../companions/names.ts";
import type { Company } from "../expeditions.ts";
import { protocol, ROUND_MS } from "../shared.ts";
import type { TownHost } from "../town/host.ts";

/** How companions of this process show who they are. */
export interface Credentials {
  /** Nobody else knows it. */
  readonly word: string;
  /** What their accounts begin with; no account of the store does. */
  readonly prefix: string;
}

export interface NodeCompanyOptions {
  readonly server: Server;
  readonly path: string;
  readonly town: TownHost;
  readonly credentials: Credentials;
  /** How many stroll about from the beginning. */
  readonly strolling: number;
  /** How many there may ever be. */
  readonly most: number;
  /** Whether the server knows what a player signs with. */
  readonly hasKey: (player: Player) => boolean;
  readonly onError: (error: unknown, where: string) => void;
}

/** Who was hired is not hired again before it had time to go down, ms. */
const PROMISED_MS = 10_000;

interface Member {
  readonly index: number;
  readonly companion: Companion;
}

export class NodeCompany implements Company {
  readonly #options: NodeCompanyOptions;
  readonly #companions: Member[] = [];
  /** Promised to a party that has not gone down yet. */
  readonly #promised = new Set<Member>();
  readonly #keys = ed25519(webcrypto.subtle);
  #peers: ReturnType<typeof nodePeers> | undefined;
  #names = 0;
  #isEnded = false;

  constructor(options: NodeCompanyOptions) {
    this.#options = options;
  }

  /** The first come as soon as the web server listens. */
  begin(): void {
    const { server, strolling, onError } = this.#options;
    const come = (): void => {
      this.#fill(strolling).catch((error: unknown) => {
        if (!this.#isEnded) onError(error, "companions");
      });
    };
    if (server.listening) come();
    else server.once("listening", come);
  }

  end(): void {
    this.#isEnded = true;
    for (const { companion } of this.#companions) companion.client.leave();
  }

  async hire(count: number): Promise<readonly Player[]> {
    const busy = this.#companions.length - this.#free().length;
    await this.#fill(Math.min(this.#options.most, busy + count));
    const hired = this.#free().slice(0, count);
    const players = hired.map((member) => this.#playerOf(member)).filter((player) => player !== undefined);
    for (const member of hired) {
      this.#promised.add(member);
      setTimeout(() => this.#promised.delete(member), PROMISED_MS).unref();
    }
    return players;
  }

  #free(): Member[] {
    return this.#companions.filter(
      (member) =>
        !(member.companion.isFighting || this.#promised.has(member)) && member.companion.client.state === "active",
    );
  }

  async #fill(count: number): Promise<void> {
    while (this.#companions.length < count && !this.#isEnded) await this.#joinOne(this.#names++);
  }

  async #joinOne(index: number): Promise<void> {
    const { credentials } = this.#options;
    this.#peers ??= nodePeers();
    const peers = await this.#peers;
    let companion: Companion | undefined;
    await join(this.#address(), {
      protocol,
      nickname: companionName(index),
      credentials: `${credentials.word}${index}`,
      frameMs: ROUND_MS / 2,
      udp: false,
      prepare: (client) => {
        companion = new Companion(client, { seed: index, ...(peers !== undefined && { peers }) });
      },
    });
    companion!.listen({ verifier: this.#keys, signer: await this.#keys.createSigner() });
    const member = { index, companion: companion! };
    // Its key is on its way; it goes down with nobody before the server has it.
    while (!this.#isKnown(member) && companion!.client.state === "active") await sleep(ROUND_MS);
    this.#companions.push(member);
  }

  #isKnown(member: Member): boolean {
    const player = this.#playerOf(member);
    return player !== undefined && this.#options.hasKey(player);
  }

  /** The server's own address, from inside. */
  #address(): string {
    const { server, path } = this.#options;
    const address = server.address();
    if (address === null || typeof address === "string")
      throw new Error("outpost: the web server must listen on a port");
    return `ws://127.0.0.1:${address.port}${path}`;
  }

  #playerOf({ index }: Member): Player | undefined {
    const { town, credentials } = this.#options;
    const account = `${credentials.prefix}${index}`;
    return [...town.players].find(({ identity }) => identity?.account === account);
  }
}
