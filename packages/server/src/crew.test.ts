/** Which rooms have threads, and that they end with their room. */

import { ViewError, zones } from "@nearfield/core";
import { type Crew, type CrewTask, Engine } from "@nearfield/core/internal";
import { object, Protocol, quantized } from "@nearfield/schema";
import { beforeEach, expect, it } from "vitest";
import { Server, ServerError, type ServerOptions } from "./index.ts";

const Ship = object("ship", { x: quantized(0, 9, 1), y: quantized(0, 9, 1) }, { position: ["x", "y"] });
const options: ServerOptions = {
  protocol: new Protocol({ objects: [Ship] }),
  view: zones(Ship, { radii: [100], bounds: [{ time: 0 }, { time: 100 }] }),
  roundMs: 50,
  tokenSource: () => new Uint8Array(16),
};

/** A crew that has promised to help and never does; the engine gets by. */
class IdleCrew implements Crew {
  readonly size = 1;
  isAtWork = false;

  join({ threads }: CrewTask): void {
    expect([threads.length, this.isAtWork]).toEqual([1, false]);
    this.isAtWork = true;
  }

  leave(): void {
    this.isAtWork = false;
  }
}

let made: IdleCrew[] = [];
beforeEach(() => {
  made = [];
});
function crew(): IdleCrew {
  const next = new IdleCrew();
  made.push(next);
  return next;
}
const atWork = () => made.map(({ isAtWork }) => isAtWork);

it("no room has any unless asked", () => {
  const server = new Server(options);
  expect((server.main.model as Engine).doneByCrew).toEqual([]);
});

it("each room has its own, until it closes", async () => {
  const server = new Server({ ...options, crew });
  server.createRoom("arena");
  expect(atWork()).toEqual([true, true]);
  server.round();
  server.closeRoom("arena");
  expect(atWork()).toEqual([true, false]);
  server.createRoom("arena");
  expect(atWork()).toEqual([true, false, true]);
  await server.close();
  expect(atWork()).toEqual([false, false, false]);
});

it("one room may have them, the others not", () => {
  const server = new Server(options);
  const arena = server.createRoom("arena", { crew });
  expect((server.main.model as Engine).doneByCrew).toEqual([]);
  expect((arena.model as Engine).doneByCrew).toEqual([0]);
});

it("a model of the game's own gets them too", () => {
  const server = new Server({ ...options, crew, model: (world, given) => new Engine(world, given) });
  expect((server.main.model as Engine).doneByCrew).toEqual([0]);
});

it("none is left behind by a room that could not be made", () => {
  const view = zones(Ship, { radii: [100], bounds: [{ time: 100 }, { time: 0 }] });
  expect(() => new Server({ ...options, crew, view })).toThrow(ViewError);
  expect(() => new Server({ ...options, crew, budget: 0 })).toThrow(ServerError);
  expect(atWork()).not.toContain(true);
});
