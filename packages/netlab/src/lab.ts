/**
 * The stepper: a server and any number of clients in one process, on one virtual clock. Rounds, frames, packets in
 * flight, losses and reconnections all happen in the order of their virtual times. So a run depends only on its seed
 * and on what the scenario does; the same run again gives the same bytes.
 *
 *     const lab = new Lab({ protocol, view, roundMs: 50, seed: 1 });
 *     const ann = lab.join("ann", { latencyMs: 40, burst: { loss: 0.2, meanBurst: 3 } });
 *     lab.run(2000);
 */

import { Client, type ClientOptions } from "@nearfield/client";
import { enableWriting } from "@nearfield/client/writing";
import { Server, type ServerOptions } from "@nearfield/server";
import type { Link } from "@nearfield/transport";
import { type MemoryLink, MemoryListener, type Packet, type Pipe } from "@nearfield/transport/internal";
import { type ConditionedPath, changePath, conditionedPath, type PathConditions } from "./conditioned-links.ts";
import { Dice, type Seed } from "./dice.ts";
import { LabError } from "./lab-error.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface LabOptions extends Omit<ServerOptions, "tokenSource" | "now"> {
  /** Default 1. Print it when a run fails. */
  readonly seed?: Seed;
  /** Time between two updates of a client, ms. Default 16. */
  readonly frameMs?: number;
  /** Told of every packet that is sent, in order: for hashes, captures and traces. */
  readonly onPacket?: (packet: LabPacket) => void;
  /** Several servers run on one clock. Default: a clock of its own. */
  readonly clock?: VirtualClock;
}

export interface LabPacket {
  readonly atMs: number;
  readonly client: string;
  readonly direction: "up" | "down";
  readonly channel: "reliable" | "sequenced" | "unsequenced";
  readonly bytes: Uint8Array;
}

export type LabClientOptions = Partial<
  Pick<ClientOptions, "room" | "role" | "credentials" | "ticket" | "reconnect" | "eventAgeMs" | "pingMs">
> & {
  /** The client's own clock by virtual time, ms: one that drifts, or jumps forward. Default: virtual time itself. */
  readonly clock?: (virtualMs: number) => number;
  /** Its links say that they lose nothing and keep the order; conditions must be of that kind. Default false. */
  readonly inOrder?: boolean;
};

export class Lab {
  readonly clock: VirtualClock;
  readonly dice: Dice;
  readonly server: Server;
  readonly listener: MemoryListener = new MemoryListener();
  readonly clients: LabClient[] = [];
  readonly #options: LabOptions;
  #joined = 0;

  constructor(options: LabOptions) {
    this.#options = options;
    const { seed = 1, frameMs: _, onPacket: __, clock = new VirtualClock(), ...rest } = options;
    this.clock = clock;
    this.dice = new Dice(seed);
    const tokens = this.dice.fork("tokens");
    this.server = new Server({
      ...rest,
      tokenSource: () => Uint8Array.from({ length: 16 }, () => tokens.int(256)),
      now: () => this.clock.nowMs,
      onError: options.onError ?? "throw",
    });
    this.server.listen(this.listener);
    this.clock.every(options.roundMs, () => {
      if (!this.server.isClosed) this.server.round();
    });
  }

  get world(): Server["world"] {
    return this.server.world;
  }

  /** Takes a client in over a path of its own; it begins to connect at once. */
  join(nickname: string, conditions: PathConditions = {}, options: LabClientOptions = {}): LabClient {
    this.#joined += 1;
    const client = new LabClient(
      this,
      nickname,
      conditions,
      this.dice.fork(`client ${this.#joined}`),
      this.#options,
      options,
    );
    this.clients.push(client);
    return client;
  }

  /** Runs up to and including the next round, and everything that arrives until then. */
  step(rounds = 1): void {
    this.clock.advance(rounds * this.#options.roundMs);
  }

  run(ms: number): void {
    this.clock.advance(ms);
  }

  /** Runs until the condition holds; throws after `limitMs`. */
  until(condition: () => boolean, limitMs = 10_000): void {
    const endMs = this.clock.nowMs + limitMs;
    while (!condition()) {
      if (this.clock.nowMs >= endMs) {
        throw new LabError("timeout", `the condition did not hold within ${limitMs} ms (seed ${this.dice.seed})`);
      }
      this.step();
    }
  }
}

/** One client of a lab: the client itself, its path, and what can happen to it. */
export class LabClient {
  readonly nickname: string;
  readonly client: Client;
  readonly #lab: Lab;
  readonly #dice: Dice;
  readonly #options: LabOptions;
  readonly #inOrder: boolean;
  #conditions: PathConditions;
  #path: ConditionedPath | undefined;
  #link: MemoryLink | undefined;
  #connects = 0;
  #reachable = true;
  #stopFrames: (() => void) | undefined;

  constructor(
    lab: Lab,
    nickname: string,
    conditions: PathConditions,
    dice: Dice,
    options: LabOptions,
    own: LabClientOptions,
  ) {
    this.#lab = lab;
    this.nickname = nickname;
    this.#conditions = conditions;
    this.#dice = dice;
    this.#options = options;
    const random = dice.fork("random");
    const { clock = (virtualMs: number) => virtualMs, inOrder = false, ...rest } = own;
    this.#inOrder = inOrder;
    this.client = new Client({
      ...rest,
      protocol: options.protocol,
      nickname,
      connect: () => this.#connect(),
      now: () => clock(lab.clock.nowMs),
      random: () => random.next(),
    });
    // Every client of a lab may write its own objects. A page has to say so, since it would load that code for nothing.
    enableWriting(this.client);
    this.client.update();
    this.show();
  }

  get world(): Client["world"] {
    return this.client.world;
  }

  /** The path of its present link, for dropping packets by name. */
  get path(): ConditionedPath {
    if (this.#path === undefined) throw new LabError("no-link", `${this.nickname} has no link`);
    return this.#path;
  }

  /** Other conditions from now on, for the present link and later ones. */
  change(conditions: PathConditions): void {
    this.#conditions = conditions;
    if (this.#path !== undefined) changePath(this.#path, conditions);
  }

  /** Breaks the link as a pulled cable does; the client reconnects by itself. */
  breakLink(): void {
    this.#link?.vanish();
  }

  /** While unreachable no new link can be made. */
  setReachable(reachable: boolean): void {
    this.#reachable = reachable;
  }

  /** Stops calling `update`, as a browser does with a hidden tab. Messages still arrive. */
  hide(): void {
    this.#stopFrames?.();
    this.#stopFrames = undefined;
  }

  show(): void {
    this.#stopFrames ??= this.#lab.clock.every(this.#options.frameMs ?? 16, () => this.client.update());
  }

  leave(): void {
    this.client.leave();
    this.hide();
  }

  #connect(): Link {
    if (!this.#reachable) throw new LabError("no-link", `${this.nickname} is unreachable`);
    this.#connects += 1;
    const path = conditionedPath(this.#lab.clock, this.#dice.fork(`link ${this.#connects}`), this.#conditions);
    this.#path = path;
    this.#link = this.#lab.listener.connect({
      pipes: [this.#watched(path, "up"), this.#watched(path, "down")],
      inOrder: this.#inOrder,
    });
    return this.#link;
  }

  #watched(path: ConditionedPath, direction: "up" | "down"): Pipe {
    const { onPacket } = this.#options;
    if (onPacket === undefined) return path[direction];
    return new TappedPipe(path[direction], ({ channel, bytes }) =>
      onPacket({ atMs: this.#lab.clock.nowMs, client: this.nickname, direction, channel, bytes }),
    );
  }
}

/** A pipe that shows what goes in. */
class TappedPipe implements Pipe {
  readonly #pipe: Pipe;
  readonly #tap: (packet: Packet) => void;

  constructor(pipe: Pipe, tap: (packet: Packet) => void) {
    this.#pipe = pipe;
    this.#tap = tap;
  }

  get backlogBytes(): number {
    return this.#pipe.backlogBytes;
  }

  push(packet: Packet): void {
    this.#tap(packet);
    this.#pipe.push(packet);
  }

  flush(): number {
    return this.#pipe.flush();
  }
}
