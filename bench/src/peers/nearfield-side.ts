/** Nearfield's side of the comparison: a real server over WebSocket on loopback, and real clients. */

import { Client } from "@nearfield/client";
import type { Entity, ViewSettings } from "@nearfield/core";
import type { ObjectSetSettings } from "@nearfield/core/internal";
import type { NumericField } from "@nearfield/schema";
import { angle, type ObjectType, object, Protocol, quantized, slotOf } from "@nearfield/schema";
import { Server, type ServerOptions } from "@nearfield/server";
import { connectWebSocket, WebSocketListener } from "@nearfield/transport/node";
import { COORDINATE_STEPS, HEADING_BITS, ROUND_MS, Scene, type SceneSize, SIGHT, TIERS } from "./scene.ts";
import { CountedServer } from "./sockets.ts";
import { History, type Staleness } from "./staleness.ts";
import { type Crowd, type Host, type Shortage, type Spent, spentHere, until, type Volume } from "./subject.ts";

/** `tiers`: a bound for each tier; `plain`: every update of what is in sight; `open`: nobody is out of sight, the README's zones. */
export type NearfieldForm = "tiers" | "plain" | "open";

type WalkerFields = { x: NumericField<number>; y: NumericField<number>; heading: NumericField<number> };

const PATH = "/nearfield";

export function walkerOf({ side }: SceneSize): ObjectType<WalkerFields> {
  const coordinate = quantized(0, side, side / COORDINATE_STEPS);
  return object("walker", { x: coordinate, y: coordinate, heading: angle(HEADING_BITS) }, { position: ["x", "y"] });
}

const SETS: Readonly<Record<NearfieldForm, ObjectSetSettings>> = {
  tiers: {
    match: "everything",
    range: SIGHT,
    radii: TIERS.slice(0, -1).map(({ radius }) => radius),
    bounds: TIERS.map(({ everyRounds }) => (everyRounds === 1 ? { sequence: 1 } : { time: everyRounds * ROUND_MS })),
  },
  plain: { match: "everything", range: SIGHT, bounds: [{ sequence: 1 }] },
  open: { match: "everything", radii: [100, 300], bounds: [{ time: 0 }, { time: 200, value: 10 }, { time: 2000 }] },
};

export function viewOf(form: NearfieldForm): ViewSettings {
  return { sets: [SETS[form]], pivots: [] };
}

export interface NearfieldScene {
  readonly server: Server;
  readonly protocol: Protocol;
  /** One round of the server. */
  round(walks: boolean): void;
}

/**
 * A server with the scene in it: each player's view is centred on the walker whose number is in the player's nickname.
 *
 * @param options of the server that differ from its defaults
 */
export function nearfieldScene(
  size: SceneSize,
  form: NearfieldForm,
  options: Partial<ServerOptions> = {},
): NearfieldScene {
  const walker = walkerOf(size);
  const scene = new Scene(size);
  const protocol = new Protocol({ objects: [walker] });
  const server = new Server({
    protocol,
    view: viewOf(form),
    roundMs: ROUND_MS,
    tokenSource: tokens(),
    onError: "throw",
    ...options,
    // All clients come from this machine.
    limits: { perAddress: Number.POSITIVE_INFINITY, ...options.limits },
  });
  const walkers = Array.from(scene.x, (x, i) =>
    server.world.spawn(walker, { x, y: scene.y[i]!, heading: scene.heading[i]! }),
  );
  server.onJoin((player) => player.pivotOn(walkers[Number(player.nickname)]!));
  let isWalking = false;
  server.onRound(() => {
    if (!isWalking) return;
    scene.step();
    for (let i = 0; i < walkers.length; i++) {
      const entity = walkers[i]!;
      entity.x = scene.x[i]!;
      entity.y = scene.y[i]!;
      entity.heading = scene.heading[i]!;
    }
  });
  const round = (walks: boolean): void => {
    isWalking = walks;
    server.round();
  };
  return { server, protocol, round };
}

export class NearfieldHost implements Host {
  readonly #sockets: CountedServer;
  readonly #scene: NearfieldScene;

  private constructor(sockets: CountedServer, scene: NearfieldScene) {
    this.#sockets = sockets;
    this.#scene = scene;
    this.#scene.server.listen(
      WebSocketListener.attach(sockets.http, { path: PATH, maxLinksPerAddress: Number.POSITIVE_INFINITY }),
    );
  }

  static async start(
    size: SceneSize,
    form: NearfieldForm,
    options: Partial<ServerOptions> = {},
  ): Promise<NearfieldHost> {
    const sockets = new CountedServer();
    await sockets.listen();
    return new NearfieldHost(sockets, nearfieldScene(size, form, options));
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#sockets.port}${PATH}`;
  }

  round(walks: boolean): void {
    this.#scene.round(walks);
  }

  sent(): number {
    let sent = 0;
    for (const { telemetry } of this.#scene.server.main.players.values()) {
      const { reliable, sequenced, unsequenced } = telemetry;
      sent += reliable.messagesOut + sequenced.messagesOut + unsequenced.messagesOut;
    }
    return sent;
  }

  volume(): Volume {
    return this.#sockets.volume();
  }

  spent(): Spent {
    return spentHere();
  }

  shortage(): Shortage {
    const { players, audit } = this.#scene.server.main;
    let roundsOut = 0;
    for (const { telemetry } of players.values()) roundsOut += telemetry.roundsOut;
    return { roundsOut, pairRounds: audit.decided };
  }

  async close(): Promise<void> {
    await this.#scene.server.close();
    await this.#sockets.close();
  }
}

function isIn(client: Client): boolean {
  client.update();
  return client.state === "active";
}

export class NearfieldCrowd implements Crowd {
  readonly #url: string;
  readonly #protocol: Protocol;
  readonly #history: History;
  readonly #clients: Client[] = [];
  #nowMs = 0;
  #before = 0;

  constructor(url: string, size: SceneSize) {
    this.#url = url;
    this.#protocol = new Protocol({ objects: [walkerOf(size)] });
    this.#history = new History(new Scene(size));
  }

  async join(count: number): Promise<void> {
    const joining: Client[] = [];
    for (let i = 0; i < count; i++) {
      const client = new Client({
        protocol: this.#protocol,
        nickname: String(this.#clients.length),
        connect: () => connectWebSocket(this.#url),
        now: () => this.#nowMs,
      });
      this.#clients.push(client);
      joining.push(client);
    }
    await until(() => countOf(joining, isIn) === count, `${count} clients to join`);
  }

  async begin(rounds: number, sent: number): Promise<void> {
    this.#before = rounds;
    await this.look(0, undefined, sent);
  }

  /** A client is sent nothing in rounds in which nothing is due for it, so rounds cannot be counted: messages are. */
  async look(round: number, into: Staleness | undefined, sent: number): Promise<void> {
    this.#nowMs = (this.#before + round) * ROUND_MS;
    this.#history.advance(round);
    await until(() => this.#arrived() >= sent, `round ${round} of the walkers`);
    for (const client of this.#clients) client.update();
    if (into === undefined) return;
    this.#clients.forEach((client, index) => {
      const byObject = new Map<number, Entity>();
      for (const entity of client.world.objects()) byObject.set(slotOf(entity.id), entity);
      const shown = (object: number, out: Float64Array): boolean => {
        const entity = byObject.get(object) as Readonly<{ x: number; y: number }> | undefined;
        if (entity === undefined) return false;
        out[0] = entity.x;
        out[1] = entity.y;
        return true;
      };
      this.#history.look(index, shown, into);
    });
  }

  #arrived(): number {
    let arrived = 0;
    for (const { traffic } of this.#clients) {
      if (traffic !== undefined)
        arrived += traffic.reliable.messagesIn + traffic.sequenced.messagesIn + traffic.unsequenced.messagesIn;
    }
    return arrived;
  }

  async close(): Promise<void> {
    for (const client of this.#clients) client.leave();
  }
}

/** Asks all of them, whatever the first ones say: to be asked moves a client on. */
function countOf(clients: readonly Client[], test: (client: Client) => boolean): number {
  return clients.filter(test).length;
}

/** Secrets need not be secret here, only different. */
function tokens(): () => Uint8Array {
  let count = 0;
  return () => {
    count += 1;
    const token = new Uint8Array(16);
    new DataView(token.buffer).setUint32(0, count);
    return token;
  };
}
