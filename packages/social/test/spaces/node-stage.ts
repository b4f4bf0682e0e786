/** A real server with action spaces, and members in Node that may meet over data channels of `node-datachannel` on loopback. */

import { join } from "@nearfield/client/node";
import { zones } from "@nearfield/core";
import { Pods } from "@nearfield/netlab/internal";
import { checksumOf, TIMELINES } from "@nearfield/rollback/session";
import { object, Protocol, uint } from "@nearfield/schema";
import { type NodeServer, type ServeOptions, serve } from "@nearfield/server/node";
import { expect } from "vitest";
import { socialMessages } from "../../src/client/index.ts";
import {
  enterSpace,
  type Invitation,
  onInvitation,
  type Space,
  type SpaceOptions,
  spaceCommands,
  spaceEvents,
} from "../../src/peer/index.ts";
import { type ActionSpace, ActionSpaces } from "../../src/spaces/index.ts";

const Dot = object("dot", { x: uint(8), y: uint(8) }, { position: ["x", "y"] });
export const protocol = new Protocol({
  objects: [Dot],
  commands: [...spaceCommands, ...socialMessages.commands],
  events: [...spaceEvents, ...socialMessages.events],
});
const view = zones(Dot, { radii: [100], bounds: [{ time: 100 }, { time: 1000 }] });
export const STEP_MS = 20;

export interface NodeMember {
  space: Space | undefined;
  readonly checksums: Map<number, number>;
}

export class NodeStage {
  readonly server: NodeServer;
  readonly spaces: ActionSpaces;
  readonly #stops: (() => void)[] = [];

  static async open(options: Partial<ServeOptions> = {}): Promise<NodeStage> {
    return new NodeStage(await serve({ protocol, view, roundMs: 20, host: "127.0.0.1", udp: false, ...options }));
  }

  private constructor(server: NodeServer) {
    this.server = server;
    this.spaces = new ActionSpaces(server);
  }

  /** Called when the stage closes. */
  onClose(stop: () => void): void {
    this.#stops.push(stop);
  }

  /** A member that plays whatever it is invited to. */
  async member(nickname: string, options: Pick<SpaceOptions, "peers" | "iceServers">): Promise<NodeMember> {
    const client = await join(this.server.url, { protocol, nickname, udp: false });
    const self: NodeMember = { space: undefined, checksums: new Map() };
    const enter = async (invitation: Invitation): Promise<void> => {
      const fight = new Pods(invitation.slots, 200);
      const space = await enterSpace(client, invitation, {
        fight,
        session: { inputBytes: 1, ...TIMELINES.hybrid, stallMs: 30_000 },
        ...options,
        onSettled: (state, _checksum, saved) => self.checksums.set(state, checksumOf(saved)),
      });
      self.space = space;
      const timer = setInterval(() => space.tick(client.clock.timeMs, Uint8Array.of(space.head & 8 ? 17 : 18)), 5);
      this.onClose(() => {
        clearInterval(timer);
        space.leave();
      });
    };
    onInvitation(client, (invitation) => void enter(invitation));
    this.onClose(() => client.leave());
    return self;
  }

  /** Everybody who has joined fights. */
  fight(): ActionSpace {
    const players = [...this.server.main.players.values()];
    return this.spaces.open({ players, stepMs: STEP_MS, seed: 1, startInMs: 500 });
  }

  /** Whether these have the same final states, as far as they have the same ones. */
  isAlike(members: readonly NodeMember[]): boolean {
    const [first, ...others] = members;
    return others.every(({ checksums }) =>
      [...checksums].every(([state, sum]) => (first!.checksums.get(state) ?? sum) === sum),
    );
  }

  async untilDirect(members: readonly NodeMember[]): Promise<void> {
    const isDirect = ({ space }: NodeMember): boolean => space?.peers.every(({ state }) => state === "direct") ?? false;
    await this.holds(() => members.every(isDirect));
  }

  holds(condition: () => boolean): Promise<void> {
    return expect.poll(condition, { interval: 5 }).toBe(true);
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    await this.server.close();
  }
}
