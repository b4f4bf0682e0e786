import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { HandTimers } from "../../test/hand-timers.ts";
import { resolveLimits } from "../limits.ts";
import { Heartbeat } from "./heartbeat.ts";
import { linkOverSocket } from "./node-socket.ts";

/** As much of a `ws` socket as the adapter uses; what it is told to do goes into `log`. */
class FakeSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly log: string[] = [];
  readyState = 1;
  bufferedAmount = 0;
  ping = () => this.log.push("ping");
  pong = () => this.log.push("pong");
  terminate = () => this.log.push("terminate");
  close = (status: number, reason: string) => this.log.push(`close ${status} ${reason}`);
}

function open() {
  const timers = new HandTimers();
  const socket = new FakeSocket();
  const heartbeat = new Heartbeat(timers, 500);
  const limits = resolveLimits({ staleAfterBytes: 1000 });
  const link = linkOverSocket(socket as unknown as WebSocket, "test", limits, heartbeat);
  return { timers, socket, link };
}

describe("linkOverSocket", () => {
  it.each([
    ["pong", Buffer.alloc(0)],
    ["ping", Buffer.alloc(0)],
    ["message", Buffer.from([1])],
  ])("takes a %s for a sign of life", (event, data) => {
    const { timers, socket, link } = open();
    for (let beat = 0; beat < 5; beat += 1) {
      timers.beat();
      socket.emit(event, data, true);
    }
    expect(link.closeReason).toBeUndefined();
    timers.beat();
    timers.beat();
    expect(link.closeReason).toEqual({ code: "vanished", detail: "no sign of life for 500 ms" });
    expect(socket.log.at(-1)).toBe("terminate");
  });

  it("forgets a closed socket: no pings to it any more", () => {
    const { timers, socket } = open();
    socket.emit("close", 1006, Buffer.alloc(0));
    timers.beat();
    expect(socket.log).toEqual([]);
  });

  it("answers pings only while the backlog is short", () => {
    const { socket } = open();
    socket.emit("ping", Buffer.alloc(0));
    socket.bufferedAmount = 1001;
    socket.emit("ping", Buffer.alloc(0));
    expect(socket.log).toEqual(["pong"]);
  });

  it.each([
    ["WS_ERR_UNSUPPORTED_MESSAGE_LENGTH", "oversized"],
    ["WS_ERR_INVALID_UTF8", "malformed"],
    ["WS_ERR_UNEXPECTED_RSV_1", "malformed"],
  ])("reports %s as %s", (error, code) => {
    const { socket, link } = open();
    socket.emit("error", Object.assign(new Error("bad frame"), { code: error }));
    expect(link.closeReason).toEqual({ code, detail: "bad frame" });
    socket.emit("close", 1006, Buffer.alloc(0));
    expect(link.closeReason?.code).toBe(code);
  });

  it("waits for the close event where the connection just broke", () => {
    const { socket, link } = open();
    socket.emit("error", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }));
    expect(link.closeReason).toBeUndefined();
    socket.emit("close", 1006, Buffer.alloc(0));
    expect(link.closeReason?.code).toBe("vanished");
  });
});
