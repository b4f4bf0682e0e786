/** "Why?" of recorded moments beside what the engine itself said at the same moments. */
import { type ViewSettings, zones } from "@nearfield/core";
import { FEED_VERSION, type Feed, FeedReader, Inspector } from "@nearfield/inspector/internal";
import { Lab } from "@nearfield/netlab";
import { angle, type ObjectId, object, Protocol, quantized } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import { recordedWhy } from "../../web/recorded-why.ts";

const place = quantized(0, 1000, 0.1);
const Ship = object(
  "ship",
  { x: place, y: place, heading: angle(8) },
  { position: ["x", "y"], orientation: "heading" },
);
const Rock = object("rock", { x: place, y: place }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Ship, Rock] });
const settings = {
  radii: [150, 400],
  sectors: [90, 200],
  bounds: [
    [
      { time: 0, sequence: 0, value: 0 },
      { time: 100, sequence: 4, value: 5 },
      { time: 150, sequence: 5, value: 8 },
    ],
    [
      { time: 200, value: 10, sequence: 4 },
      { time: 400, value: 20, sequence: 9 },
      { time: 500, value: 30 },
    ],
    [{ time: 1000, value: 300 }, { time: 2000 }, { time: 2000 }],
  ],
};
const round: ViewSettings = zones(Ship, settings);
const square: ViewSettings = {
  sets: [
    { match: { type: "rock" }, bounds: [{ time: 700 }], range: 600 },
    { ...settings, match: "everything", shape: "square" },
  ],
  pivots: [],
};

describe("why, of a recording", () => {
  test.each([
    ["round zones", round],
    ["square zones, and a range", square],
  ])("says what the engine said: %s", async (_, view) => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 3 });
    const dice = lab.dice.fork("game");
    const somewhere = (): { x: number; y: number } => ({ x: dice.range(0, 1000), y: dice.range(0, 1000) });
    const launch = (owner: number) => lab.world.spawn(Ship, { ...somewhere(), heading: dice.range(-3, 3) }, { owner });
    for (let count = 0; count < 15; count++) launch(0);
    for (let count = 0; count < 5; count++) lab.world.spawn(Rock, somewhere());
    lab.server.onJoin((player) =>
      player.setPivots([{ object: launch(player.id).id }, { point: [500, 500], scale: 0.5 }]),
    );
    lab.server.onRound((world) => {
      for (const ship of world.all(Ship)) {
        ship.x = (ship.x + 4 * Math.cos(ship.heading) + 1000) % 1000;
        ship.y = (ship.y + 4 * Math.sin(ship.heading) + 1000) % 1000;
      }
    });
    for (const name of ["ann", "bob"]) lab.join(name, { latencyMs: 20 });
    lab.run(500);
    const inspector = new Inspector(lab.server, { isToken: () => true });
    inspector.onWork = () => inspector.work(lab.clock.nowMs);
    const tells: Feed.Tell[] = [];
    const reader = new FeedReader();
    const page = inspector.open({
      backlogBytes: 0,
      send: (text) => tells.push(...reader.read(text)),
      close: () => {},
    });
    const ask = (body: object): void => page.receive(JSON.stringify(body), lab.clock.nowMs);
    ask({ ask: "hello", token: "", version: FEED_VERSION });
    ask({ ask: "record", room: "main", on: true, everyMs: 100 });
    const { model, players } = lab.server.main;
    const said = new Map<string, ReturnType<typeof model.explain>>();
    for (let step = 0; step < 80; step++) {
      lab.step();
      for (const player of players.values()) {
        for (const { id } of [...lab.world.all(Ship), ...lab.world.all(Rock)]) {
          said.set(`${lab.server.roundNumber} ${player.id} ${id}`, model.explain(player.view, id as ObjectId));
        }
      }
    }
    const welcome = tells.find((tell) => tell.tell === "welcome")!;
    const frames: Feed.RecordedFrame[] = [];
    for (let from: number | null = 0; from !== null; ) {
      ask({ ask: "frames", room: "main", from, count: 50 });
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      const answer = tells.findLast((tell) => tell.tell === "frames")!;
      frames.push(...answer.frames);
      from = answer.next;
    }
    let known = 0;
    // A direction is recorded to a thousandth, so an object right on a sector's edge may fall on its other side.
    let otherSector = 0;
    for (const [at, { map }] of frames.entries()) {
      for (const player of players.values()) {
        for (const id of map.ids) {
          const explained = said.get(`${map.round} ${player.id} ${id}`)!;
          const answer = recordedWhy(frames, at, welcome, undefined, player.id, id);
          if (!("why" in answer)) throw new Error(answer.lacks);
          const { why } = answer;
          expect(why.zone).toBe(explained.zone);
          if (why.sector !== explained.sector) {
            otherSector += 1;
            continue;
          }
          const limit = (value: number | null): number => value ?? Number.POSITIVE_INFINITY;
          expect(limit(why.bound.time)).toBe(explained.bound.time);
          expect(limit(why.bound.sequence)).toBe(explained.bound.sequence);
          expect(limit(why.bound.value)).toBe(explained.bound.value);
          if (why.recorded?.isSendKnown !== true || !explained.present) continue;
          known += 1;
          expect(why.lastSend!.round).toBe(explained.lastSend);
          expect(why.version).toBe(explained.version);
          expect(why.sentVersion).toBe(explained.sentVersion);
          expect(why.divergence).toMatchObject({
            time: explained.divergence.time,
            sequence: explained.divergence.sequence,
          });
          expect(why.equal).toBe(explained.equal);
        }
      }
    }
    expect(known).toBeGreaterThan(800);
    expect(otherSector).toBeLessThan(known / 50);
  });
});
