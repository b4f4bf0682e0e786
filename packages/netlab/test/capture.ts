/**
 * Real packets of every kind, both ways: a short eventful game with everything in it. Raw material for mutation and
 * golden bytes.
 */

import { predict } from "@nearfield/client";
import { group } from "@nearfield/client/units";
import { explain, proposeView, setPivots } from "@nearfield/client/views";
import { add, lock, release, remove } from "@nearfield/client/writing";
import type { MessageChannel } from "@nearfield/protocol/internal";
import { toAll } from "@nearfield/server";
import { Lab } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { Chat, Crate, Probe, protocol, Say, Score, Ship, Shot, Steer, spawnShip, stir, view } from "./scenario.ts";

export interface Captured {
  readonly from: "client" | "server";
  /** Whose link it went over. */
  readonly client: string;
  readonly channel: MessageChannel;
  readonly bytes: Uint8Array;
}

function turn(ship: { heading: number }, { heading }: { heading: number }): void {
  ship.heading = heading;
}

export function capture(seed: number): Captured[] {
  const packets: Captured[] = [];
  const lab = new Lab({
    protocol,
    view,
    roundMs: 50,
    seed,
    clientMayAdd: [Probe],
    spectators: "anybody",
    clientPivots: { groupCoefficients: [2], cameraCoefficients: [2, 4], cameraMoved: 0.05 },
    onPacket: ({ client, direction, channel, bytes }) => {
      if (bytes.length > 0)
        packets.push({ from: direction === "up" ? "client" : "server", client, channel, bytes: bytes.slice() });
    },
  });
  const dice = lab.dice.fork("game");
  for (let i = 0; i < 40; i++) spawnShip(lab.world, dice);
  const crate = lab.world.spawn(Crate, { x: 1, y: 2, label: "kept — über" });
  const second = lab.world.spawn(Crate, { x: 2, y: 2 });
  lab.world.spawn(Score, { name: "score", points: 1 });
  lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Probe, { x: 500, y: 500 }, { owner: player.id })));
  lab.server.onJoin((player) => lab.world.spawn(Ship, { x: 400, y: 500 }, { owner: player.id }));
  lab.server.steps(Ship, Steer, turn);
  lab.server.onCommand(Say, (_, { words }) => lab.server.emit(Chat, { words }));
  lab.server.onRound((world) => {
    stir(world, dice);
    if (dice.chance(0.2)) lab.server.emit(Shot, { x: 3, y: 4, number: dice.int(1e6) }, toAll(), { unreliable: true });
  });
  const [ann, eye] = [lab.join("ann", ROUGH), lab.join("eye", { latencyMs: 10 }, { role: "spectator" })];
  lab.until(() => ann.world.count > 20);
  [...lab.server.main.players.values()].find(({ nickname }) => nickname === "eye")?.setBudget(150);
  const ignore = (promise: Promise<unknown>): void => void promise.catch(() => {});
  ignore(lock(ann.client, ann.world.get(crate.id)!));
  ignore(add(ann.client, Probe, { x: 9, mode: "scan" }));
  ignore(add(ann.client, Ship, {}));
  ignore(proposeView(ann.client, { ...view, pivots: [{ point: [1, 1], orientation: [0.5, 1] }] }));
  ignore(proposeView(ann.client, { sets: [{ match: { predicate: "none" }, bounds: [{}] }, ...view.sets], pivots: [] }));
  ignore(
    proposeView(ann.client, {
      sets: [
        {
          match: { tag: "t" },
          radii: [1, 2.5],
          sectors: [90],
          bounds: [
            [{ time: 1 }, { time: 2 }],
            [{ time: 3 }, { time: 4 }],
            [{}, {}],
          ],
          strict: true,
          own: "bounds",
          shape: "square",
          clock: "firstMiss",
          metric: "path",
          range: 1e9,
          pivots: [0],
        },
        ...view.sets,
      ],
      pivots: [],
    }),
  );
  explain(ann.client, 5);
  ann.client.send(Say, { words: "hello — größer" });
  setPivots(eye.client, [
    { group: [crate.id], margin: 5, coefficients: [2] },
    { object: crate.id, scale: 2 },
    { point: [3, 4, 5] },
    { camera: [6, 7], size: [16, 9], rotation: 0.5, coefficients: [2, 4] },
  ]);
  const [ship] = [...ann.world.where(Ship, (each) => ann.world.isMine(each))];
  const steered = predict(ann.client, ship!, Steer, turn);
  for (let i = 0; i < 12; i++) {
    steered.command({ heading: i < 6 ? 1 : 2 });
    lab.run(17);
  }
  ignore(group(ann.client, [ship!]));
  const own = [...ann.world.where(Probe, (probe) => ann.world.isMine(probe))];
  own[0]!.x = 17;
  lab.run(1500);
  if (ann.world.isLocked(crate)) {
    const held = ann.world.get(crate.id)!;
    held["label"] = "changed";
    release(ann.client, held);
  }
  remove(ann.client, own[0]!);
  ann.breakLink();
  lab.run(1500);
  const [mine] = [...ann.world.where(Probe, (probe) => ann.world.isMine(probe))];
  ignore(lock(ann.client, ann.world.get(crate.id)!));
  lab.run(1500);
  lab.server.main.disable();
  mine!.y = 3;
  ignore(lock(ann.client, ann.world.get(second.id)!));
  lab.run(1500);
  lab.world.destroy(crate);
  lab.run(500);
  const raw = lab.join("stranger", {}, { room: "nowhere" });
  eye.leave();
  lab.run(500);
  [...lab.server.main.players.values()][0]!.kick("enough");
  lab.run(500);
  if (raw.client.reason?.code !== "room") throw new Error("the stranger was let in");
  return packets;
}
