/** `serve` on a machine without node-datachannel: a hint, and links on WebSocket. */

import { zones } from "@nearfield/core";
import { object, Protocol, quantized } from "@nearfield/schema";
import { afterEach, expect, it, vi } from "vitest";
import { serve } from "./serve.ts";

vi.mock("node-datachannel", () => {
  throw new Error("Cannot find package 'node-datachannel'");
});
afterEach(() => {
  vi.restoreAllMocks();
});

const place = quantized(0, 1000, 0.1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const options = {
  protocol: new Protocol({ objects: [Ship] }),
  view: zones(Ship, { radii: [100], bounds: [{ time: 0 }, { time: 100 }] }),
  roundMs: 50,
  host: "127.0.0.1",
};

it.each([
  [undefined, 1],
  [{ port: 0 }, 1],
  [false, 0],
])("says in one line what to do where UDP is wanted (%j)", async (udp, lines) => {
  const info = vi.spyOn(console, "info").mockImplementation(() => undefined);
  const server = await serve({ ...options, ...(udp !== undefined && { udp }) });
  expect(server.udp).toBeUndefined();
  expect(info).toHaveBeenCalledTimes(lines);
  if (lines > 0)
    expect(info).toHaveBeenCalledWith(expect.stringMatching(/^node-datachannel is not installed.*`udp: false`/));
  await server.close();
});
