/** The loop of a page, with the browser's own parts stood in for: frames that come by hand, and `ws` as the page's WebSocket. */

import { join } from "@nearfield/client/browser";
import { serve } from "@nearfield/server/node";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { protocol, view } from "./scenario.ts";

const reported: string[] = [];
const frames: (() => void)[] = [];
let isOpen = true;

beforeEach(() => {
  vi.stubGlobal("WebSocket", WebSocket);
  vi.stubGlobal("document", { hidden: false });
  vi.stubGlobal("location", { href: "http://127.0.0.1/" });
  vi.stubGlobal("requestAnimationFrame", (frame: () => void) => frames.push(frame));
  vi.stubGlobal("reportError", (error: unknown) => reported.push(String(error)));
  isOpen = true;
});
afterEach(() => {
  isOpen = false;
  vi.unstubAllGlobals();
});

/** Runs frames as a browser does: one that throws is reported, and those after it come if somebody asked for them. */
function runFrames(): void {
  if (!isOpen) return;
  for (const frame of frames.splice(0)) {
    try {
      frame();
    } catch (error) {
      reported.push(`uncaught ${String(error)}`);
    }
  }
  setImmediate(runFrames);
}

it("an activity that throws is reported, and the page goes on", async () => {
  const server = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1", udp: false });
  const joining = join(server.url, { protocol, nickname: "ann", udp: false });
  runFrames();
  const client = await joining;
  client.activity(() => {
    throw new Error("no picture");
  });
  const rounds = await new Promise<number>((resolve) => {
    client.activity((world) => {
      if (world.round > 20) resolve(world.round);
    });
  });
  expect(rounds).toBeGreaterThan(20);
  expect(new Set(reported)).toEqual(new Set(["Error: no picture"]));
  expect(client.counters.handlerErrors).toBeGreaterThan(1);
  client.leave();
  await server.close();
});
