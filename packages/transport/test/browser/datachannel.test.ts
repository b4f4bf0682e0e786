/**
 * The browser's own WebRTC against a listener: a page moves to the data channel, survives that it is cut, and moves back. The page holds nothing
 * but the /browser entry point, bundled here. Packets take as long as they take; the time by which both sides judge a silence passes when the test says so.
 */

import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { VirtualClock } from "@nearfield/netlab/internal";
import type { Link } from "@nearfield/transport";
import { BEAT_MS } from "@nearfield/transport/internal";
import { UdpPort, WebSocketListener } from "@nearfield/transport/node";
import type { Browser, Page } from "playwright-core";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser } from "../../../../test/browser.ts";
import { timersOn } from "../hand-timers.ts";

/** What WebRTC needs to find a peer on the machine's own loopback. */
const LOOPBACK_FLAGS = [
  "--allow-loopback-in-peer-connection",
  "--disable-features=WebRtcHideLocalIpsWithMdns",
] as const;

const PAGE = `<!doctype html><script type="module">
  import { connectWebSocket } from "/link.js";
  const link = await connectWebSocket(location.href.replace("http", "ws") + "link", { udp: true });
  const report = { kinds: [link.kind], echoes: 0, closed: "" };
  link.onMessage(() => { report.echoes += 1; });
  link.onClose((reason) => { report.closed = reason.code; });
  setInterval(() => {
    if (link.kind !== report.kinds.at(-1)) report.kinds.push(link.kind);
    link.send("sequenced", new Uint8Array(link.maxUnreliableBytes));
  }, 50);
  globalThis.report = report;
</script>`;

interface Report {
  readonly kinds: readonly string[];
  readonly echoes: number;
  readonly closed: string;
}

const clock = new VirtualClock();
let web: Server;
let udp: UdpPort;
let listener: WebSocketListener;
/** A server without UDP. */
let plainWeb: Server;
let plainListener: WebSocketListener;
let browser: Browser;

/** By address: the entry point, and what it loads later. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const entry = fileURLToPath(new URL("../../src/browser/index.ts", import.meta.url));
  const output = (await build({
    configFile: false,
    logLevel: "silent",
    build: { lib: { entry, formats: ["es"], fileName: "link" }, write: false, target: "es2023" },
  })) as Rollup.RollupOutput[];
  const chunks = output[0]!.output.filter((file) => file.type === "chunk");
  return new Map(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
}

beforeAll(async () => {
  const scripts = await bundle();
  const serve: RequestListener = ({ url = "" }, response) => {
    const script = scripts.get(url);
    response.setHeader("Content-Type", script === undefined ? "text/html" : "text/javascript").end(script ?? PAGE);
  };
  web = createServer(serve);
  plainWeb = createServer(serve);
  await once(plainWeb.listen(0, "127.0.0.1"), "listening");
  await once(web.listen(0, "127.0.0.1"), "listening");
  const timers = timersOn(clock);
  udp = await UdpPort.open({ host: "127.0.0.1", timers });
  listener = WebSocketListener.attach(web, { path: "/link", udp, timers });
  plainListener = WebSocketListener.attach(plainWeb, { path: "/link", timers });
  browser = await openBrowser(LOOPBACK_FLAGS);
});

afterAll(async () => {
  await browser?.close();
  await listener?.close();
  await plainListener?.close();
  udp?.close();
  for (const server of [web, plainWeb]) {
    server?.closeAllConnections();
    server?.close();
  }
});

/** Opens the page and returns its link and the names of the scripts that it loaded until something came back over the link. */
async function visit(
  server: Server,
  over: WebSocketListener,
  lost = "",
): Promise<{ kinds: readonly string[]; scripts: string[] }> {
  over.onLink((link) => link.onMessage((channel, bytes) => link.send(channel, bytes.subarray(0, 10))));
  const page = await browser.newPage();
  const scripts: string[] = [];
  await page.route(/\.js$/, (route) => {
    const name = new URL(route.request().url()).pathname;
    scripts.push(name.replace(/-.*/, ""));
    return lost !== "" && name.includes(lost) ? route.abort() : route.continue();
  });
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.waitForFunction(() => (globalThis as unknown as { report?: Report }).report?.echoes ?? 0);
  const { kinds } = await reportOf(page);
  await page.close();
  return { kinds, scripts };
}

it("loads nothing for a data channel from a server that offers none", async () => {
  const { kinds, scripts } = await visit(plainWeb, plainListener);
  expect(kinds).toEqual(["websocket"]);
  expect(scripts.join()).not.toContain("two");
});

it("goes on without a data channel if its code cannot be loaded", async () => {
  const { kinds, scripts } = await visit(web, listener, "two-carriers");
  expect(scripts).toContain("/two");
  expect(kinds).toEqual(["websocket"]);
});

it("carries a page's link while it works, and not while it is cut", async () => {
  const accepted = new Promise<Link>((resolve) => listener.onLink(resolve));
  const page = await browser.newPage();
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1000);
  await page.goto(`http://127.0.0.1:${(web.address() as AddressInfo).port}/`);
  const link = await accepted;
  link.onMessage((channel, bytes) => link.send(channel, bytes.subarray(0, 10)));
  await page.waitForFunction(() => "report" in globalThis);

  await until(page, link, "webrtc");
  expect(udp.peers).toBe(1);
  await moreEchoes(page);

  udp.cut(link.address);
  expect(await until(page, link, "websocket", () => pause(20))).toBeLessThan(3000);
  await moreEchoes(page);

  udp.restore(link.address);
  await until(page, link, "webrtc");
  await moreEchoes(page);
  const { kinds, closed } = await reportOf(page);
  expect(kinds).toEqual(["websocket", "webrtc", "websocket", "webrtc"]);
  expect(closed).toBe("");
  expect(link.traffic.sequenced.messagesIn).toBeGreaterThan(20);

  await page.close();
  await expect.poll(() => udp.peers).toBe(0);
});

function reportOf(page: Page): Promise<Report> {
  return page.evaluate(() => (globalThis as unknown as { report: Report }).report);
}

/** A beat passes on both sides; `after` it is time for what it sent. */
async function beat(page: Page, after: (page: Page, echoes: number) => Promise<unknown>): Promise<void> {
  const { echoes } = await reportOf(page);
  clock.advance(BEAT_MS);
  await page.clock.runFor(BEAT_MS);
  await after(page, echoes);
}

/** With every beat the page sends five messages: once one has come back, so has the answer to the beat, which took the same path before it. */
async function isEchoed(page: Page, echoes: number): Promise<void> {
  await expect.poll(async () => (await reportOf(page)).echoes).toBeGreaterThan(echoes);
}

/** Beats until both sides are on that carrier, and returns how many ms that took. */
async function until(page: Page, link: Link, kind: string, after: Parameters<typeof beat>[1] = isEchoed) {
  const startMs = clock.nowMs;
  while (link.kind !== kind || (await reportOf(page)).kinds.at(-1) !== kind) await beat(page, after);
  return clock.nowMs - startMs;
}

async function moreEchoes(page: Page): Promise<void> {
  for (let beats = 0; beats < 4; beats++) await beat(page, isEchoed);
}
