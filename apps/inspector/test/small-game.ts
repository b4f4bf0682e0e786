/**
 * A small game on virtual time with some clients on lossy links, and an inspector over a real port: what the page shows is compared with
 * the counters of this server. The world stands still unless it is stepped, so that both sides can be read at the same round.
 */
import { zones } from "@nearfield/core";
import { type ServedInspector, serveInspector } from "@nearfield/inspector/node";
import { Lab, type LabClient, networkPresets } from "@nearfield/netlab";
import { angle, type ObjectId, object, Protocol, quantized, uint } from "@nearfield/schema";
import type { Player, Room } from "@nearfield/server";

const place = quantized(0, 1000, 0.1);
const Ship = object(
  "ship",
  { x: place, y: place, heading: angle(8) },
  { position: ["x", "y"], orientation: "heading" },
);
const Rock = object("rock", { x: place, y: place }, { position: ["x", "y"] });
const Score = object("score", { points: uint(20) });
const protocol = new Protocol({ objects: [Ship, Rock, Score] });

export const TOKEN = "a-token-for-this-test";
export const SMALL_VIEW = zones(Ship, {
  radii: [150, 400],
  sectors: [120],
  bounds: [
    [{ time: 0 }, { time: 100, value: 5 }],
    [
      { time: 200, value: 10 },
      { time: 400, value: 20 },
    ],
    [{ time: 1000 }, { time: 2000 }],
  ],
});

export interface SmallGame {
  readonly lab: Lab;
  readonly room: Room;
  readonly operator: ServedInspector;
  readonly presetsSet: [nickname: string, preset: string][];
  /** Where the server found mistakes. */
  readonly reported: readonly string[];
  /** Where an object was in a round, as the server had it at its end. */
  placeAt(round: number, id: number): readonly [number, number] | undefined;
  /** Everything with a place. */
  things(): readonly { readonly id: ObjectId; readonly isShip: boolean }[];
  player(nickname: string): Player;
  close(): Promise<void>;
}

export async function startSmallGame(page: string, names: readonly string[]): Promise<SmallGame> {
  const reported: string[] = [];
  const lab = new Lab({
    protocol,
    view: SMALL_VIEW,
    roundMs: 50,
    seed: 11,
    onError: (_error, where) => reported.push(where),
  });
  const dice = lab.dice.fork("game");
  const somewhere = (): { x: number; y: number } => ({ x: dice.range(0, 1000), y: dice.range(0, 1000) });
  const launch = (owner: number) => lab.world.spawn(Ship, { ...somewhere(), heading: dice.range(-3, 3) }, { owner });
  for (let count = 0; count < 20; count++) launch(0);
  for (let count = 0; count < 8; count++) lab.world.spawn(Rock, somewhere());
  const score = lab.world.spawn(Score, { points: 0 });
  const places = new Map<number, Map<number, readonly [number, number]>>();
  lab.server.onJoin((player) => player.pivotOn(launch(player.id)));
  lab.server.onRound((world) => {
    const here = new Map<number, readonly [number, number]>();
    for (const ship of world.all(Ship)) {
      ship.x = (ship.x + 5 * Math.cos(ship.heading) + 1000) % 1000;
      ship.y = (ship.y + 5 * Math.sin(ship.heading) + 1000) % 1000;
      here.set(ship.id, [ship.x, ship.y]);
    }
    places.set(lab.server.roundNumber, here);
    if (lab.server.roundNumber % 20 === 0) score.points += 1;
  });

  const clients = new Map<string, LabClient>();
  for (const [index, name] of names.entries()) {
    clients.set(name, lab.join(name, { latencyMs: 20 + 15 * index, loss: 0.03 * index }));
  }
  lab.run(3000);
  const presetsSet: [string, string][] = [];
  const operator = await serveInspector(lab.server, {
    page,
    token: TOKEN,
    conditions: {
      presets: ["none", ...Object.keys(networkPresets)],
      set: ({ nickname }, preset) => {
        presetsSet.push([nickname, preset]);
        clients.get(nickname)?.change({ latencyMs: 120, loss: 0.1 });
      },
    },
  });
  const room = lab.server.main;
  return {
    lab,
    room,
    operator,
    presetsSet,
    reported,
    placeAt: (round, id) => places.get(round)?.get(id),
    things: () => [
      ...[...lab.world.all(Ship)].map(({ id }) => ({ id, isShip: true })),
      ...[...lab.world.all(Rock)].map(({ id }) => ({ id, isShip: false })),
    ],
    player: (nickname) => {
      const found = [...room.players.values()].find((player) => player.nickname === nickname);
      if (found === undefined) throw new Error(`There is no player ${nickname}`);
      return found;
    },
    close: async () => {
      await operator.close();
      await lab.server.close();
    },
  };
}
