/**
 * What a round of the server costs under the paper's bounds, against broadcast: two servers with the same 48 clients, the same recorded movement
 * and the same codec, one round of each in turn. The time is that of the whole `server.round()`: it takes in what clients sent, writes the world,
 * judges pairs, and encodes and sends frames. Clients read and acknowledge their frames between rounds; that time does not count.
 */

import { Client } from "@nearfield/client";
import { Broadcast, type ViewSettings, type World } from "@nearfield/core";
import type { ConsistencyModel, ModelOptions } from "@nearfield/core/internal";
import { Dice } from "@nearfield/netlab";
import { Protocol } from "@nearfield/schema";
import { type Player, Server } from "@nearfield/server";
import { MemoryListener } from "@nearfield/transport/internal";
import { BLOCKS, BlockTimes, type Pace, runBlock } from "../pace.ts";
import { type Recording, Rerun } from "./recording.ts";

/** Rounds until all clients have joined and the hot code is compiled. */
export const WARM_UP_ROUNDS = 150;

/** Time of Nearfield's rounds ÷ time of broadcast's. */
export function compareCpu(recording: Recording, view: ViewSettings, pace: Pace): number {
  const subjects = {
    nearfield: new Subject(recording, view),
    broadcast: new Subject(recording, view, (world, options) => new Broadcast(world, options)),
  };
  const times = { nearfield: new BlockTimes(), broadcast: new BlockTimes() };
  const names = ["nearfield", "broadcast"] as const;
  let round = 0;
  /** One round of each; who begins takes turns. */
  const both = (timed: (name: (typeof names)[number], run: () => void) => void): void => {
    if (round === recording.rounds) return;
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      timed(name, () => subjects[name].round());
      subjects[name].answer();
    }
    round += 1;
  };
  while (round < WARM_UP_ROUNDS) both((_, run) => run());
  for (let block = 0; block < BLOCKS; block++) runBlock(pace, () => both((name, run) => times[name].time(block, run)));
  return times.nearfield.ratioTo(times.broadcast);
}

/** One server with its clients. */
class Subject {
  readonly #recording: Recording;
  readonly #listener = new MemoryListener();
  readonly #server: Server;
  readonly #clients: readonly Client[];
  readonly #players: Player[] = [];
  #rerun: Rerun | undefined;
  #nowMs = 0;
  #round = 0;

  constructor(
    recording: Recording,
    view: ViewSettings,
    model?: (world: World, options: ModelOptions) => ConsistencyModel,
  ) {
    const { type, roundMs, avatars } = recording;
    const protocol = new Protocol({ objects: [type] });
    const tokens = new Dice("tokens");
    const listener = this.#listener;
    this.#recording = recording;
    this.#server = new Server({
      protocol,
      view,
      roundMs,
      tokenSource: () => Uint8Array.from({ length: 16 }, () => tokens.int(256)),
      now: () => this.#nowMs,
      onError: "throw",
      ...(model !== undefined && { model }),
    });
    this.#server.listen(listener);
    this.#server.onJoin((player) => void this.#players.push(player));
    this.#server.onRound((world) => this.#step(world));
    this.#clients = Array.from({ length: avatars }, (_, bot) => {
      const dice = new Dice(bot);
      const options = { now: () => this.#nowMs, random: () => dice.next() };
      return new Client({ ...options, protocol, nickname: `bot ${bot + 1}`, connect: () => listener.connect() });
    });
    this.answer();
  }

  round(): void {
    this.#nowMs += this.#server.roundMs;
    this.#server.round();
  }

  /** Clients take what came and acknowledge it. */
  answer(): void {
    this.#listener.flush();
    for (const client of this.#clients) client.update();
    this.#listener.flush();
  }

  /** Once all are in, the world is written as it was recorded, and every player looks from its avatar. */
  #step(world: World): void {
    if (this.#players.length < this.#clients.length) return;
    this.#rerun ??= new Rerun(
      this.#recording,
      world,
      this.#players.map(({ id }) => id),
    );
    const before = [...this.#rerun.avatars];
    this.#rerun.step(this.#round++);
    this.#rerun.avatars.forEach((avatar, bot) => {
      if (avatar !== undefined && avatar !== before[bot]) this.#players[bot]!.pivotOn(avatar);
    });
  }
}
