import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zones } from "@nearfield/core";
import { FEED_VERSION, type Feed, FeedReader } from "@nearfield/inspector/internal";
import { type ServedInspector, serveInspector } from "@nearfield/inspector/node";
import { object, Protocol, quantized } from "@nearfield/schema";
import { loadView, type NodeServer, serve } from "@nearfield/server/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";

const place = quantized(0, 1000, 0.1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Ship] });
const view = zones(Ship, { radii: [100], bounds: [{ time: 0 }, { time: 500 }] });
const TOKEN = "a token for tests";

let server: NodeServer;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "nearfield-inspector-"));
  server = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1", udp: false });
  server.world.spawn(Ship, { x: 5, y: 5 });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

/** A page reduced to its socket. */
class Page {
  readonly socket: WebSocket;
  readonly tells: Feed.Tell[] = [];
  readonly closed: Promise<number>;
  readonly #reader = new FeedReader();
  #onTell = (): void => {};

  constructor(url: string, origin?: string) {
    this.socket = new WebSocket(url.replace(/^http/, "ws"), origin === undefined ? {} : { origin });
    this.socket.on("message", (data: Buffer) => {
      this.tells.push(...this.#reader.read(data.toString()));
      this.#onTell();
    });
    this.socket.on("error", () => {});
    this.closed = new Promise((resolve) => this.socket.on("close", resolve));
  }

  ask(ask: Feed.Ask | Record<string, unknown>): void {
    const send = (): void => this.socket.send(JSON.stringify(ask));
    if (this.socket.readyState === WebSocket.OPEN) send();
    else this.socket.once("open", send);
  }

  hello(token = TOKEN): void {
    this.ask({ ask: "hello", token, version: FEED_VERSION });
  }

  async heard<Kind extends Feed.Tell["tell"]>(kind: Kind): Promise<Extract<Feed.Tell, { tell: Kind }>> {
    for (;;) {
      const found = this.tells.find((tell) => tell.tell === kind);
      if (found !== undefined) return found as Extract<Feed.Tell, { tell: Kind }>;
      await new Promise<void>((resolve) => {
        this.#onTell = resolve;
      });
    }
  }
}

function feedOf(inspector: ServedInspector): string {
  return new URL("feed", inspector.url).href;
}

describe("a port of its own", () => {
  test("opens the feed to pages of its own address and of listed origins alone", async () => {
    const inspector = await serveInspector(server, { token: TOKEN, origins: ["https://ops.example"] });
    const opens = async (origin?: string): Promise<boolean> => {
      const page = new Page(feedOf(inspector), origin);
      page.hello();
      return Promise.race([page.heard("welcome").then(() => true), page.closed.then(() => false)]);
    };
    expect(await opens()).toBe(true);
    expect(await opens(new URL(inspector.url).origin)).toBe(true);
    expect(await opens("https://ops.example")).toBe(true);
    expect(await opens("https://evil.example")).toBe(false);
    expect(await opens("null")).toBe(false);
  });

  test("welcomes whoever has the token, and reports", async () => {
    const inspector = await serveInspector(server, { token: TOKEN });
    const page = new Page(feedOf(inspector));
    page.hello();
    expect(await page.heard("welcome")).toMatchObject({ roundMs: 10, rooms: [{ name: "main", objects: 1 }] });
    page.ask({ ask: "watch", topic: "report", room: "main", everyMs: 500 });
    const report = await page.heard("report");
    expect(report.objects).toBe(1);
    expect(report.process.rssBytes).toBeGreaterThan(1e6);
  });

  test("prints a random token once, and no other", async () => {
    const lines: string[] = [];
    const log = (line: string): void => {
      lines.push(line);
    };
    const random = await serveInspector(server, { log });
    await serveInspector(server, { token: TOKEN, log });
    expect(lines).toEqual([`Nearfield inspector: ${random.link}`]);
    expect(random.token.length).toBeGreaterThanOrEqual(20);
  });

  test("refuses wrong tokens, and never the right one", async () => {
    const inspector = await serveInspector(server, { token: TOKEN });
    for (let i = 0; i < 12; i++) {
      const page = new Page(feedOf(inspector));
      page.hello(`${TOKEN}!`);
      expect(await page.heard("refused")).toMatchObject({ code: "token" });
      expect(await page.closed).toBe(4401);
    }
    const right = new Page(feedOf(inspector));
    right.hello();
    await right.heard("welcome");
  });

  test("is not filled by silent sockets: old ones make way", async () => {
    const inspector = await serveInspector(server, { token: TOKEN });
    const silent = Array.from({ length: 12 }, () => new Page(feedOf(inspector)));
    const codes: number[] = [];
    for (const { closed } of silent) void closed.then((code) => codes.push(code));
    await expect.poll(() => codes.length).toBe(8);
    // None of them for having been silent too long.
    expect(codes).not.toContain(4408);
    const right = new Page(feedOf(inspector));
    right.hello();
    await right.heard("welcome");
    for (const page of silent) page.socket.terminate();
  });

  test("takes a ninth page in the place of the oldest", async () => {
    const inspector = await serveInspector(server, { token: TOKEN });
    const pages: Page[] = [];
    for (let i = 0; i < 9; i++) {
      const page = new Page(feedOf(inspector));
      page.hello();
      await page.heard("welcome");
      pages.push(page);
    }
    expect(await pages[0]!.closed).toBe(4429);
  });

  test.each([
    ["an ask before hello", JSON.stringify({ ask: "view", room: "main", player: 1 }), "no-hello", 4400],
    ["another version", JSON.stringify({ ask: "hello", token: TOKEN, version: 9 }), "version", 4400],
    ["a text that is too long", "x".repeat(70_000), "too-long", 4400],
  ])("ends a page for %s", async (_what, text, code, closeCode) => {
    const page = new Page(feedOf(await serveInspector(server, { token: TOKEN })));
    page.socket.once("open", () => page.socket.send(text));
    expect(await page.heard("refused")).toMatchObject({ code });
    expect(await page.closed).toBe(closeCode);
  });

  test("outlives what is no text at all", async () => {
    const inspector = await serveInspector(server, { token: TOKEN });
    const page = new Page(feedOf(inspector));
    page.socket.once("open", () => page.socket.send(new Uint8Array([1, 2, 3])));
    expect(await page.heard("refused")).toMatchObject({ code: "bad-message" });
    page.socket.send("x".repeat(500_000));
    expect(await page.closed).toBe(1009);
    const next = new Page(feedOf(inspector));
    next.hello();
    await next.heard("welcome");
  });

  test("refuses a token that could be guessed, and a prefix that is none", async () => {
    await expect(serveInspector(server, { token: "short" })).rejects.toMatchObject({ code: "bad-option" });
    await expect(serveInspector(server, { prefix: "arena/" })).rejects.toMatchObject({ code: "bad-option" });
    await expect(serveInspector(server, { page: folder })).rejects.toThrow(/no index.html/);
  });

  test("goes with the server", async () => {
    const inspector = await serveInspector(server, { token: TOKEN });
    const page = new Page(feedOf(inspector));
    page.hello();
    await page.heard("welcome");
    await server.close();
    expect(await page.closed).toBe(1001);
    await expect(fetch(inspector.url)).rejects.toThrow();
  });
});

describe("beside a web site", () => {
  let http: HttpServer;
  let origin: string;

  beforeEach(async () => {
    http = createServer((_request, response) => response.end("the site"));
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });

  afterEach(() => {
    http.closeAllConnections();
    http.close();
  });

  test("serves the page and leaves the rest to the site", async () => {
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), "<p>inspector</p>");
    writeFileSync(join(folder, "assets/a.js"), "1;");
    const inspector = await serveInspector(server, { http, prefix: "/arena", token: TOKEN, page: folder });
    expect(inspector.url).toBe(`${origin}/arena/inspector/`);
    const page = await fetch(`${origin}/arena/inspector`);
    expect(await page.text()).toBe("<p>inspector</p>");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect((await fetch(`${inspector.url}assets/a.js`)).headers.get("cache-control")).toContain("immutable");
    expect((await fetch(`${inspector.url}nothing`)).status).toBe(404);
    expect((await fetch(inspector.url, { method: "POST" })).status).toBe(405);
    expect(await (await fetch(`${origin}/`)).text()).toBe("the site");
    await inspector.close();
    expect(await (await fetch(inspector.url)).text()).toBe("the site");
  });

  test("several games share it", async () => {
    const other = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1", udp: false });
    const first = await serveInspector(server, { http, prefix: "/one", token: TOKEN });
    const second = await serveInspector(other, { http, prefix: "/two", token: TOKEN });
    for (const inspector of [first, second]) {
      const page = new Page(feedOf(inspector));
      page.hello();
      const { rooms } = await page.heard("welcome");
      expect(rooms[0]!.objects).toBe(inspector === first ? 1 : 0);
      page.socket.terminate();
    }
    await other.close();
  });

  test("the metrics are behind the token, and can be read", async () => {
    await serveInspector(server, { http, token: TOKEN });
    expect((await fetch(`${origin}/metrics`)).status).toBe(401);
    expect((await fetch(`${origin}/metrics`, { headers: { Authorization: "Bearer nonsense" } })).status).toBe(401);
    const answer = await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await answer.text()).toMatch(/^nearfield_objects\{room="main"\} 1$/m);
  });

  test("the metrics can be open, or off", async () => {
    const open = await serveInspector(server, { http, token: TOKEN, metrics: "open" });
    expect((await fetch(`${origin}/metrics`)).status).toBe(200);
    await open.close();
    await serveInspector(server, { http, token: TOKEN, metrics: "off" });
    expect(await (await fetch(`${origin}/metrics`)).text()).toBe("the site");
  });
});

describe("the configuration file", () => {
  test("is written by the view editor and read at the start", async () => {
    const viewFile = join(folder, "view.json");
    const page = new Page(feedOf(await serveInspector(server, { token: TOKEN, viewFile })));
    page.hello();
    expect(await page.heard("welcome")).toMatchObject({ viewFile: "view.json" });
    page.ask({ ask: "loadView", room: "main" });
    expect(await page.heard("refused")).toMatchObject({ code: "no-view-file" });
    page.ask({ ask: "saveView", room: "main", sets: view.sets });
    expect(await page.heard("viewFile")).toMatchObject({ onServer: true, name: "view.json" });
    expect((await loadView(viewFile)).view).toEqual({ sets: view.sets, pivots: [] });
  });

  test("of a page is read with comments, and refused with line, column and path", async () => {
    const page = new Page(feedOf(await serveInspector(server, { token: TOKEN })));
    page.hello();
    await page.heard("welcome");
    const head = '{ "nearfield": "settings", "version": 1, // ours';
    const fileOf = (bound: string): string => `${head}\n "sets": [{ "match": "everything", "bounds": [${bound}], }], }`;
    page.ask({ ask: "readView", room: "main", name: "mine.jsonc", text: fileOf('{ "time": 5 }') });
    const sets = [{ match: "everything", bounds: [{ time: 5 }] }];
    expect(await page.heard("viewFile")).toMatchObject({ name: "mine.jsonc", onServer: false, sets });
    page.ask({ ask: "readView", room: "main", name: "mine.jsonc", text: fileOf('{ "tme": 5 }') });
    const detail = expect.stringContaining('mine.jsonc:2:49 sets[0].bounds[0].tme: unknown key "tme"');
    expect(await page.heard("refused")).toMatchObject({ ask: "readView", code: "bad-view", detail });
  });

  test("names what is wrong with it", async () => {
    const path = join(folder, "bad.json");
    writeFileSync(path, '{"nearfield":"view","version":1,"sets":[{"match":"everything","bounds":[{"time":"soon"}]}]}');
    await expect(loadView(path)).rejects.toThrow(
      /bad\.json:1:81 sets\[0\]\.bounds\[0\]\.time: must be a number, is "soon"/,
    );
    await expect(loadView(join(folder, "none.json"))).rejects.toMatchObject({ code: "bad-settings" });
  });
});
