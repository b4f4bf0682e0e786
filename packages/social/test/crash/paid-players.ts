/** Players of a paid fight in Node, who outlive their server: each keeps what it signed, and claims its goods at the next one. */
import { webcrypto } from "node:crypto";
import type { Client } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { zones } from "@nearfield/core";
import { TIMELINES } from "@nearfield/rollback/session";
import { ed25519 } from "@nearfield/rollback/trust";
import { object, Protocol, uint } from "@nearfield/schema";
import { socialMessages } from "../../src/client/index.ts";
import { enterSpace, onInvitation, type Space, spaceCommands, spaceEvents, tellKey } from "../../src/peer/index.ts";
import { bout } from "../spaces/paid-stage.ts";
import type { Trader } from "./traders.ts";

const Dot = object("dot", { x: uint(8), y: uint(8) }, { position: ["x", "y"] });
export const paidProtocol: Protocol = new Protocol({
  objects: [Dot],
  commands: [...spaceCommands, ...socialMessages.commands],
  events: [...spaceEvents, ...socialMessages.events],
});
export const paidView = zones(Dot, { radii: [100], bounds: [{ time: 100 }, { time: 1000 }] });

export class PaidPlayer {
  readonly trader: Trader;
  space: Space | undefined;
  #client: Client | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(trader: Trader) {
    this.trader = trader;
  }

  /** Joins, tells a key, and plays what it is invited to. */
  async play(site: string): Promise<void> {
    const verifier = ed25519(webcrypto.subtle);
    const signer = await verifier.createSigner();
    const client = await this.#join(site);
    onInvitation(client, (invitation) => {
      const options = { fight: bout.fight(invitation), session: { inputBytes: 1, ...TIMELINES.hybrid } };
      void enterSpace(client, invitation, { ...options, paid: { rules: bout, verifier, signer } }).then((space) => {
        this.space = space;
        this.#timer = setInterval(() => {
          space.tick(client.clock.timeMs, Uint8Array.of((space.head + 8 * space.own) & 16 ? 17 : 18));
        }, 5);
      });
    });
    tellKey(client, signer.publicKey);
  }

  /** Claims at another server what is not paid yet. */
  async claim(site: string): Promise<void> {
    clearInterval(this.#timer);
    this.space!.claimOver(await this.#join(site));
  }

  end(): void {
    clearInterval(this.#timer);
    this.#client?.leave();
  }

  async #join(site: string): Promise<Client> {
    const { name, token } = this.trader;
    const url = site.replace("http", "ws");
    this.#client = await join(url, {
      protocol: paidProtocol,
      nickname: name,
      credentials: token,
      udp: false,
      frameMs: 5,
    });
    return this.#client;
  }
}
