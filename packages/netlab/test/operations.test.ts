/** What operators and orchestrators expect of a server over real sockets: health, an orderly end, TLS on its own port. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "@nearfield/client/node";
import { zones } from "@nearfield/core";
import { serveInspector } from "@nearfield/inspector/node";
import { event, object, Protocol, quantized, text } from "@nearfield/schema";
import { type ServeOptions, serve } from "@nearfield/server/node";
import { afterEach, describe, expect, it } from "vitest";

const Ship = object("ship", { x: quantized(0, 1000, 0.1), y: quantized(0, 1000, 0.1) }, { position: ["x", "y"] });
const News = event("news", { words: text(80) });
const protocol = new Protocol({ objects: [Ship], events: [News] });
const view = zones(Ship, { radii: [100], bounds: [{ time: 0 }, { time: 100 }] });

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));
const tls = { key: fixture("localhost-key.pem"), cert: fixture("localhost-cert.pem") };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(options: Partial<ServeOptions> = {}) {
  const server = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1", udp: false, ...options });
  closing.push(() => server.close());
  return server;
}

const pageOf = async (url: string) => {
  const answer = await fetch(url.replace(/^ws/, "http"));
  return `${answer.status} ${(await answer.text()).trim()}`;
};

describe("health", () => {
  it("is served on the server's own port, and tells a full server from a sick one", async () => {
    const server = await start({ limits: { players: 1 } });
    expect(await pageOf(`${server.url}/healthz`)).toBe("200 ok");
    expect(await pageOf(`${server.url}/readyz`)).toBe("200 ok");
    expect(await pageOf(`${server.url}/else`)).toMatch(/^426 /);
    await join(server.url, { protocol, nickname: "ann" });
    expect(await pageOf(`${server.url}/readyz`)).toBe("503 1 players are here");
    expect(await pageOf(`${server.url}/healthz`)).toBe("200 ok");
  });

  it("tells of rounds that do not come, and says it beside the inspector too", async () => {
    let lateMs = 0;
    const server = await start({ now: () => performance.now() + lateMs });
    const operator = await serveInspector(server, { token: "a token of enough length" });
    const health = new URL("/healthz", operator.url).href;
    expect(await pageOf(health)).toBe("200 ok");
    server.onRound(() => {
      lateMs += 60_000;
    });
    await expect.poll(() => pageOf(health)).toMatch(/^503 the last round, number \d+, began \d+ ms ago$/);
  });
});

describe("draining", () => {
  it("stops joins, lets the game finish in running rounds, tells clients, and closes", async () => {
    const server = await start();
    const ann = await join(server.url, { protocol, nickname: "ann" });
    const heard: string[] = [];
    ann.onEvent(News, ({ words }) => heard.push(words));
    const ended = new Promise((resolve) => ann.onState((state, reason) => state === "ended" && resolve(reason)));
    let finish = (): void => {};
    server.onDrain(() => {
      server.emit(News, { words: "saving" });
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    // The handler ends when the test says so, however long that takes.
    const drained = server.drain({ detail: "back in a minute", graceMs: 600_000 });
    await expect.poll(() => heard).toEqual(["saving"]);
    expect(await pageOf(`${server.url}/healthz`)).toBe("200 ok");
    expect(await pageOf(`${server.url}/readyz`)).toBe("503 back in a minute");
    await expect(join(server.url, { protocol, nickname: "ben" })).rejects.toMatchObject({ code: "closing" });
    expect(ann.state).toBe("active");
    finish();
    await drained;
    expect(await ended).toEqual({ code: "closing", detail: "back in a minute" });
    expect(server.isClosed).toBe(true);
  });

  it("waits no longer than it was told, and a handler that fails stops nothing", async () => {
    const reported: string[] = [];
    const server = await start({ onError: (error, where) => reported.push(`${where}: ${String(error)}`) });
    server.onDrain(() => Promise.reject(new Error("no disk")));
    server.onDrain(() => new Promise(() => {}));
    await server.drain({ graceMs: 50 });
    expect(server.isClosed).toBe(true);
    expect(reported).toEqual(["onDrain: Error: no disk"]);
  });

  it("comes with SIGTERM: the client is told, the process ends with code 0", async () => {
    const program = `
      import { serve, drainOnSignals } from "@nearfield/server/node";
      import { zones } from "@nearfield/core";
      import { object, Protocol, quantized, event, text } from "@nearfield/schema";
      const Ship = object("ship", { x: quantized(0, 1000, 0.1), y: quantized(0, 1000, 0.1) }, { position: ["x", "y"] });
      const News = event("news", { words: text(80) });
      const protocol = new Protocol({ objects: [Ship], events: [News] });
      const view = zones(Ship, { radii: [100], bounds: [{ time: 0 }, { time: 100 }] });
      const server = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1", udp: false });
      drainOnSignals([server], { detail: "back soon" });
      console.log(server.url);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: import.meta.dirname });
    closing.push(async () => void child.kill("SIGKILL"));
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const ann = await join(line.toString().trim(), { protocol, nickname: "ann" });
    const ended = new Promise((resolve) => ann.onState((state, reason) => state === "ended" && resolve(reason)));
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: "closing", detail: "back soon" });
    expect(await exited).toEqual([0, null]);
  });
});

describe("TLS", () => {
  it("is spoken on the server's own port, by links and by the health pages", async () => {
    const server = await start({ tls });
    expect(server.url).toMatch(/^wss:/);
    const ann = await join(server.url, { protocol, nickname: "ann", link: { ca: tls.cert } });
    expect(ann.state).toBe("active");
    const [answer] = (await once(
      get(`${server.url.replace("wss", "https")}/healthz`, { ca: tls.cert }),
      "response",
    )) as [{ statusCode: number; resume(): void }];
    answer.resume();
    expect(answer.statusCode).toBe(200);
    const reconnect = { joinMs: 0 };
    await expect(join(server.url, { protocol, nickname: "eve", reconnect })).rejects.toThrow(/self-signed/);
  });

  it("is refused where key and certificate make no sense, or where the port is not the server's own", async () => {
    await expect(start({ tls: { key: "no key", cert: tls.cert } })).rejects.toThrow(/tls: .*PEM/);
    const { createServer } = await import("node:http");
    await expect(start({ tls, server: createServer() })).rejects.toThrow(/port of its own/);
  });
});
