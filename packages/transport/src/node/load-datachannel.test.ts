/** A machine without the optional dependency: links stay on their WebSocket, and whoever wants more is told what to do. */

import { afterEach, expect, it, vi } from "vitest";
import { connectWebSocket } from "./connect-websocket.ts";
import { UdpPort } from "./udp-port.ts";
import { WebSocketListener } from "./websocket-listener.ts";

vi.mock("node-datachannel", () => {
  throw new Error("Cannot find package 'node-datachannel'");
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it("is missed by name where a server wants it", async () => {
  await expect(UdpPort.open()).rejects.toMatchObject({
    code: "no-webrtc",
    message: expect.stringMatching(/`npm install node-datachannel`, or `udp: false`/),
  });
});

it("is not missed by a client", async () => {
  const listener = await WebSocketListener.listen({ port: 0, host: "127.0.0.1" });
  closing.push(() => listener.close());
  const link = await connectWebSocket(listener.url, { udp: true });
  expect(link.kind).toBe("websocket");
});
