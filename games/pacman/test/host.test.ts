/** The game on a server with clients, on virtual time: who sees what, how exactly, and what becomes of players who leave. */

import { explain, onExplanations } from "@nearfield/client/views";
import { Lab, type LabClient } from "@nearfield/netlab";
import { describe, expect, it } from "vitest";
import { hasDot } from "../src/dots.ts";
import { type HostOptions, PacmanHost, protocol, ROUND_MS, view } from "../src/index.ts";
import { Maze, ROOM, ROOMS, roomAt, SIDE } from "../src/maze.ts";
import {
  Again,
  Eaten,
  GhostObject,
  MatchObject,
  PacObject,
  Power,
  Rest,
  RoomObject,
  ScoreObject,
  Turn,
} from "../src/shared.ts";

const SEED = 21;
const maze = new Maze(SEED);

/** The middle of a room, as a place to start. */
function inRoom(column: number, row: number): { x: number; y: number } {
  const tile = maze.middleOf(row * ROOMS + column);
  return { x: tile % SIDE, y: Math.floor(tile / SIDE) };
}

/** The floor tile of a row nearest to `x`. */
function onFloor(x: number, y: number): { x: number; y: number } {
  const columns = Array.from({ length: SIDE }, (_, at) => at).filter((at) => maze.open(at, y));
  return { x: columns.reduce((best, at) => (Math.abs(at - x) < Math.abs(best - x) ? at : best)), y };
}

function setUp(options: Partial<HostOptions> = {}): { lab: Lab; host: PacmanHost } {
  const lab = new Lab({ protocol, view, roundMs: ROUND_MS, seed: 1 });
  return { lab, host: new PacmanHost(lab.server, { seed: SEED, bots: 0, ghostsPerHome: 0, ...options }) };
}

const pacsOf = (client: LabClient) => [...client.world.all(PacObject)];
const ownOf = (client: LabClient) => pacsOf(client).find((pac) => client.world.isMine(pac))!;
const otherOf = (client: LabClient) => pacsOf(client).find((pac) => !client.world.isMine(pac))!;

describe("joining", () => {
  it("gives a newcomer the whole world: seed, 64 rooms, ghosts, bots and himself", () => {
    const { lab, host } = setUp({ bots: 3, ghostsPerHome: 4 });
    const ann = lab.join("ann");
    lab.until(() => pacsOf(ann).length === 4 && [...ann.world.all(RoomObject)].length === ROOMS * ROOMS);
    expect([...ann.world.all(MatchObject)]).toMatchObject([{ seed: SEED }]);
    expect([...ann.world.all(GhostObject)]).toHaveLength(16);
    expect([...ann.world.all(ScoreObject)].map((line) => line.name)).toContain("ann");
    expect(ownOf(ann).lives).toBe(3);
    expect(host).toMatchObject({ people: 1, bots: 3 });
  });

  it("shows the longest name, with the suffix of a namesake", () => {
    const { lab } = setUp();
    const [ann] = [lab.join("中".repeat(32)), lab.join("中".repeat(32))];
    lab.until(() => pacsOf(ann!).length === 2);
    const names = [...ann!.world.all(ScoreObject)].map(({ name }) => name);
    expect(names).toEqual(["中".repeat(32), `${"中".repeat(30)}-2`]);
  });

  it("shows the dots of every room as the maze has them", () => {
    const { lab } = setUp({ spawns: [inRoom(3, 3)] });
    const ann = lab.join("ann");
    lab.until(() => [...ann.world.all(RoomObject)].length === ROOMS * ROOMS);
    for (const dots of ann.world.all(RoomObject)) {
      const room = roomAt(dots.x, dots.y);
      if (room === 3 * ROOMS + 3) continue;
      for (let at = 0; at < ROOM * ROOM; at++) {
        const [x, y] = [at % ROOM, Math.floor(at / ROOM)];
        const lies = maze.dots[(Math.floor(room / ROOMS) * ROOM + y) * SIDE + (room % ROOMS) * ROOM + x] === 1;
        expect(hasDot(dots, x, y)).toBe(lies);
      }
    }
  });
});

describe("views", () => {
  /** Largest distance between the other's replica and his own, over two seconds of walking; both are read at once, without latency. */
  function worstError(away: { x: number; y: number }): number {
    const { lab } = setUp({ spawns: [inRoom(1, 1), away] });
    const [ann, bob] = [lab.join("ann"), lab.join("bob")];
    lab.until(() => pacsOf(ann).length === 2 && pacsOf(bob).length === 2);
    let worst = 0;
    for (let step = 0; step < 40; step++) {
      if (!ownOf(bob).moving) bob.client.send(Turn, { want: step % 4 });
      lab.step();
      const [seen, real] = [otherOf(ann), ownOf(bob)];
      worst = Math.max(worst, Math.abs(seen.x - real.x), Math.abs(seen.y - real.y));
    }
    return worst;
  }

  it("are exact in the own room, coarse next door, loose beyond, and never worse than their bound", () => {
    const [near, next, far] = [worstError(inRoom(1, 1)), worstError(onFloor(22 + 22, 22)), worstError(inRoom(7, 7))];
    expect(near).toBe(0);
    expect(next).toBeGreaterThan(0.3);
    expect(next).toBeLessThan(2.5);
    expect(far).toBeGreaterThan(next);
    expect(far).toBeLessThan(ROOM + 1);
  });

  it("explain every opponent's divergence against its bound", () => {
    const { lab } = setUp({ spawns: [inRoom(1, 1), onFloor(22 + 22, 22)] });
    const [ann, bob] = [lab.join("ann"), lab.join("bob")];
    const told: { id: number; zone: number; time: number }[] = [];
    onExplanations(ann.client, (_, list) => {
      for (const line of list) told.push({ id: line.id, zone: line.zone, time: line.bound.time });
    });
    lab.until(() => pacsOf(ann).length === 2);
    explain(ann.client, 2, [otherOf(ann).id]);
    bob.client.send(Turn, { want: 1 });
    lab.run(500);
    expect(told).toContainEqual({ id: otherOf(ann).id, zone: 1, time: 400 });
  });
});

describe("playing", () => {
  it("moves, eats and scores; the others learn the score within a second or so", () => {
    const { lab } = setUp({ spawns: [inRoom(1, 1), inRoom(6, 6)] });
    const [ann, bob] = [lab.join("ann"), lab.join("bob")];
    lab.until(() => pacsOf(ann).length === 2 && pacsOf(bob).length === 2);
    for (let step = 0; step < 40; step++) {
      if (!ownOf(ann).moving) ann.client.send(Turn, { want: step % 4 });
      lab.step();
    }
    const { score } = ownOf(ann);
    expect(score).toBeGreaterThanOrEqual(40);
    lab.run(1200);
    expect([...bob.world.all(ScoreObject)].find((line) => line.name === "ann")!.score).toBeGreaterThanOrEqual(score);
  });

  it("tells of a pellet those who are near, and only them", () => {
    const pellet = [...maze.pellets][0]!;
    const at = { x: pellet % SIDE, y: Math.floor(pellet / SIDE) };
    const { lab } = setUp({ spawns: [at, at, inRoom(7, 7)] });
    const clients = [lab.join("ann"), lab.join("bob"), lab.join("eve")];
    const heard = new Set<string>();
    for (const client of clients) client.client.onEvent(Power, () => heard.add(client.nickname));
    lab.run(1000);
    expect([...heard]).toEqual(["ann", "bob"]);
  });

  it("lets the one with power eat the one without, who is told and comes back", () => {
    const pellet = [...maze.pellets][0]!;
    const at = { x: pellet % SIDE, y: Math.floor(pellet / SIDE) };
    const { lab } = setUp({ spawns: [at, at] });
    const [ann, bob] = [lab.join("ann"), lab.join("bob")];
    const eaten: number[] = [];
    ann.client.onEvent(Eaten, ({ points }) => eaten.push(points));
    lab.until(() => eaten.length > 0);
    expect(eaten).toEqual([500]);
    const loser = [ann, bob].find((client) => ownOf(client).condition === "dying")!;
    expect(ownOf(loser).lives).toBe(2);
    lab.until(() => ownOf(loser).condition === "safe");
  });

  it("ignores a wish to start over from somebody who still lives", () => {
    const { lab } = setUp();
    const ann = lab.join("ann");
    lab.until(() => pacsOf(ann).length === 1);
    ann.client.send(Again, {});
    lab.run(200);
    expect(ownOf(ann)).toMatchObject({ lives: 3, condition: "normal" });
  });
});

describe("absence", () => {
  it("is a rest, asked for or because the link broke, and ends with the return", () => {
    const { lab } = setUp({ spawns: [inRoom(1, 1), inRoom(1, 1)] });
    const [ann, bob] = [lab.join("ann"), lab.join("bob")];
    lab.until(() => pacsOf(ann).length === 2 && pacsOf(bob).length === 2);
    ann.client.send(Rest, { on: true });
    bob.setReachable(false);
    bob.breakLink();
    lab.run(2000);
    expect(pacsOf(ann).map((pac) => pac.condition)).toEqual(["resting", "resting"]);
    ann.client.send(Rest, { on: false });
    bob.setReachable(true);
    lab.until(() => bob.client.state === "active" && ownOf(bob).condition !== "resting");
    lab.run(500);
    expect(ownOf(ann).condition).not.toBe("resting");
  });

  it("takes avatar and score away when it is for good", () => {
    const { lab, host } = setUp();
    const [ann, bob] = [lab.join("ann"), lab.join("bob")];
    lab.until(() => pacsOf(ann).length === 2);
    bob.leave();
    lab.until(() => pacsOf(ann).length === 1);
    lab.run(200);
    expect([...ann.world.all(ScoreObject)].map((line) => line.name)).toEqual(["ann"]);
    expect(host.people).toBe(1);
  });
});

describe("a match", () => {
  it("ends, shows its scores while nothing moves, and the next one starts anew for everybody", () => {
    const { lab } = setUp({ bots: 2, ghostsPerHome: 1, matchMs: 4000, overMs: 1000 });
    const ann = lab.join("ann");
    lab.until(() => pacsOf(ann).length === 3);
    const match = (): { match: number; phase: string; endsMs: number } => [...ann.world.all(MatchObject)][0]!;
    expect(match()).toMatchObject({ match: 1, phase: "play", endsMs: 4000 });
    ann.client.send(Turn, { want: 1 });
    ann.client.send(Turn, { want: 3 });
    lab.until(() => match().phase === "over");
    lab.run(200);
    const places = pacsOf(ann).map(({ x, y }) => [x, y]);
    const scores = [...ann.world.all(ScoreObject)].map(({ score }) => score);
    expect(Math.max(...scores)).toBeGreaterThan(0);
    lab.run(500);
    expect(pacsOf(ann).map(({ x, y }) => [x, y])).toEqual(places);
    expect([...ann.world.all(ScoreObject)].map(({ score }) => score)).toEqual(scores);
    lab.until(() => match().match === 2);
    expect(match()).toMatchObject({ phase: "play", endsMs: 9000 });
    lab.run(150);
    expect([...ann.world.all(ScoreObject)].every(({ score, best }) => score < 100 && best >= score)).toBe(true);
    expect(pacsOf(ann).every(({ lives }) => lives === 3)).toBe(true);
    const dots = [...ann.world.all(RoomObject)].flatMap(({ x, y }) => [roomAt(x, y)]);
    expect(dots).toHaveLength(ROOMS * ROOMS);
  });
});
