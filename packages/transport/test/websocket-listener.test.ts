/**
 * The listener against peers that do not play by the rules. Beside each of them a well-behaved witness is connected:
 * whatever the bad one does, the witness must not notice.
 */

import { once } from "node:events";
import { createServer, request as httpRequest, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket, connect as tcpConnect } from "node:net";
import type { Link } from "@nearfield/transport";
import type { CloseReason } from "@nearfield/transport/internal";
import { connectWebSocket, type ListenOptions, WebSocketListener } from "@nearfield/transport/node";
import { afterEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { HandTimers } from "./hand-timers.ts";
import { bytesOf, textOf } from "./link-contract.ts";

const LOOPBACK = "127.0.0.1";
const disposals: (() => unknown)[] = [];
afterEach(async () => {
  for (const dispose of disposals.splice(0).reverse()) await dispose();
});

/** Links as the listener hands them over, one `next` each. */
class Arrivals {
  readonly #links: Link[] = [];
  readonly #takers: ((link: Link) => void)[] = [];

  constructor(listener: WebSocketListener) {
    listener.onLink((link) => {
      const taker = this.#takers.shift();
      if (taker === undefined) this.#links.push(link);
      else taker(link);
    });
  }

  next(): Promise<Link> {
    const link = this.#links.shift();
    return link === undefined ? new Promise((resolve) => this.#takers.push(resolve)) : Promise.resolve(link);
  }
}

async function listen(options: Partial<ListenOptions> = {}) {
  const listener = await WebSocketListener.listen({ port: 0, host: LOOPBACK, ...options });
  disposals.push(() => listener.close());
  return { listener, arrivals: new Arrivals(listener) };
}

/** A plain WebSocket that sends whatever the test wants. */
async function rawSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  disposals.push(() => socket.terminate());
  await once(socket, "open");
  return socket;
}

const closeOf = (link: Link): Promise<CloseReason> => new Promise((resolve) => link.onClose(resolve));
const nextText = (link: Link): Promise<string> =>
  new Promise((resolve) => link.onMessage((_, bytes) => resolve(textOf(bytes))));

/**
 * Opens a witness, lets the offender act, and checks that the offender's link ended as told while the witness's works
 * on.
 */
async function offend(
  act: (socket: WebSocket) => void,
  options: Partial<ListenOptions> = {},
): Promise<{ atServer: CloseReason; status: number; text: string; served: number }> {
  const { listener, arrivals } = await listen(options);
  const witness = await connectWebSocket(listener.url);
  const witnessAtServer = await arrivals.next();
  const offender = await rawSocket(listener.url);
  const offenderAtServer = await arrivals.next();
  let served = 0;
  offenderAtServer.onMessage(() => {
    served += 1;
  });
  const closed = once(offender, "close") as Promise<[number, Buffer]>;
  const atServer = closeOf(offenderAtServer);
  act(offender);
  const [status, text] = await closed;

  const echo = nextText(witness);
  witnessAtServer.onMessage((channel, bytes) => witnessAtServer.send(channel, bytes));
  witness.send("reliable", bytesOf("still here"));
  expect(await echo).toBe("still here");
  return { atServer: await atServer, status, text: text.toString(), served };
}

describe("a peer that breaks the framing loses its own link", () => {
  it("oversized: one byte more than allowed", async () => {
    const end = await offend((socket) => socket.send(new Uint8Array(1 + 1000 + 1).fill(1)), {
      limits: { maxMessageBytes: 1000 },
    });
    expect(end).toMatchObject({ atServer: { code: "oversized" }, status: 1009, served: 0 });
  });

  it("oversized: in fragments that only together are too long", async () => {
    const end = await offend(
      (socket) => {
        for (let part = 0; part < 11; part += 1) socket.send(new Uint8Array(100).fill(1), { fin: false });
      },
      { limits: { maxMessageBytes: 1000 } },
    );
    expect(end).toMatchObject({ atServer: { code: "oversized" }, served: 0 });
  });

  it("a text message", async () => {
    const end = await offend((socket) => socket.send("hello"));
    expect(end).toMatchObject({ atServer: { code: "text" }, status: 4000, served: 0 });
    expect(JSON.parse(end.text)).toMatchObject({ code: "text" });
  });

  it.each([0, 4, 255])("an unknown channel byte: %i", async (channel) => {
    const end = await offend((socket) => socket.send(Uint8Array.of(channel, 1, 2)));
    expect(end).toMatchObject({ atServer: { code: "unknown-channel" }, status: 4000, served: 0 });
    expect(JSON.parse(end.text)).toEqual({ code: "unknown-channel", detail: `channel byte ${channel}` });
  });

  it("an empty message", async () => {
    const end = await offend((socket) => socket.send(new Uint8Array(0)));
    expect(end).toMatchObject({ atServer: { code: "empty" }, status: 4000, served: 0 });
  });

  it("good messages before the bad one are served, those after it are not", async () => {
    const end = await offend((socket) => {
      socket.send(Uint8Array.of(1, 7));
      socket.send("bad");
      socket.send(Uint8Array.of(1, 8));
    });
    expect(end).toMatchObject({ atServer: { code: "text" }, served: 1 });
  });

  it("bytes that are no WebSocket frame", async () => {
    const { listener, arrivals } = await listen();
    const connection = await rawUpgrade(listener);
    const closed = closeOf(await arrivals.next());
    connection.write(Buffer.from([0xff, 0xff, 0xff, 0xff]));
    expect((await closed).code).toBe("malformed");
  });

  it("a close frame with a reason that is not ours", async () => {
    const end = await offend((socket) => socket.close(4000, "{not json"));
    expect(end.atServer).toEqual({ code: "closed", detail: "{not json" });
  });
});

describe("dead and half-open peers", () => {
  it("a peer that is silent has vanished after two beats; one that speaks stays", async () => {
    const timers = new HandTimers();
    const { listener, arrivals } = await listen({ timers });
    const lively = await rawSocket(listener.url);
    const livelyAtServer = await arrivals.next();
    const halfOpen = await rawUpgrade(listener);
    halfOpen.pause();
    const atServer = closeOf(await arrivals.next());
    const pinged = once(lively, "ping");
    timers.beat();
    await pinged;
    const served = nextText(livelyAtServer);
    lively.send(Uint8Array.of(1, 0x6f, 0x6b));
    expect(await served).toBe("ok");
    timers.beat();
    expect(await atServer).toEqual({ code: "vanished", detail: "no sign of life for 10000 ms" });
    expect(livelyAtServer.closeReason).toBeUndefined();
  });

  it("a client finds a dead server the same way", async () => {
    const timers = new HandTimers();
    const { listener } = await listen({ heartbeatMs: 0 });
    // A relay that stops passing anything on stands for a network that swallows packets.
    const relay = createTcpServer({ pauseOnConnect: true });
    const far: Socket[] = [];
    relay.on("connection", (near) => {
      const onward = tcpConnect(Number(new URL(listener.url).port), LOOPBACK);
      far.push(onward);
      near.pipe(onward);
      onward.pipe(near);
      near.on("error", () => undefined);
      onward.on("error", () => undefined);
      disposals.push(() => {
        near.destroy();
        onward.destroy();
      });
    });
    await once(relay.listen(0, LOOPBACK), "listening");
    disposals.push(() => relay.close());
    const { port } = relay.address() as AddressInfo;
    const link = await connectWebSocket(`ws://${LOOPBACK}:${port}`, { timers });
    const closed = closeOf(link);
    for (const onward of far) onward.unpipe().pause();
    timers.beat();
    timers.beat();
    expect((await closed).code).toBe("vanished");
    expect(timers.active).toBeLessThanOrEqual(1);
  });

  it("a peer that drops the connection in the middle of a message", async () => {
    const { listener, arrivals } = await listen();
    const connection = await rawUpgrade(listener);
    const closed = closeOf(await arrivals.next());
    connection.write(Buffer.from([0x82, 0x85, 1, 2, 3, 4, 9]));
    connection.destroy();
    expect((await closed).code).toBe("vanished");
  });

  it("a peer that pings and never reads does not fill our memory with pongs", async () => {
    const { listener, arrivals } = await listen({ limits: { staleAfterBytes: 10_000 } });
    const connection = await rawUpgrade(listener);
    connection.pause();
    const link = await arrivals.next();
    const served = new Promise<void>((resolve) => link.onMessage(() => resolve()));
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const flood = Buffer.concat(Array.from({ length: 1000 }, () => ping));
    for (let part = 0; part < 100; part += 1) connection.write(flood);
    connection.write(Buffer.from([0x82, 0x81, 0, 0, 0, 0, 1]));
    await served;
    expect(link.backlogBytes).toBeLessThan(20_000);
  });
});

describe("whom the listener lets in", () => {
  it("refuses foreign origins, lets listed ones and programs in", async () => {
    const { listener } = await listen({ origins: ["https://game.example"] });
    const foreign = connectWebSocket(listener.url, { origin: "https://evil.example" });
    await expect(foreign).rejects.toMatchObject({
      code: "connect-failed",
      message: expect.stringMatching(/403 Forbidden/),
    });
    const listed = await connectWebSocket(listener.url, { origin: "https://game.example" });
    const program = await connectWebSocket(listener.url);
    expect([listed.closeReason, program.closeReason]).toEqual([undefined, undefined]);
  });

  it("refuses links above the cap until one is gone", async () => {
    const { listener, arrivals } = await listen({ maxLinks: 1 });
    const first = await connectWebSocket(listener.url);
    const firstAtServer = await arrivals.next();
    await expect(connectWebSocket(listener.url)).rejects.toMatchObject({
      message: expect.stringMatching(/503 Service Unavailable/),
    });
    const gone = closeOf(firstAtServer);
    first.close({ code: "done", detail: "" });
    await gone;
    await expect(connectWebSocket(listener.url)).resolves.toMatchObject({ kind: "websocket" });
  });

  it("refuses links above the cap of one address", async () => {
    const { listener } = await listen({ maxLinksPerAddress: 2 });
    await connectWebSocket(listener.url);
    await connectWebSocket(listener.url);
    await expect(connectWebSocket(listener.url)).rejects.toMatchObject({
      message: expect.stringMatching(/429 Too Many Requests/),
    });
  });

  it("refuses other paths, whatever they look like", async () => {
    const { listener } = await listen({ path: "/link" });
    expect(listener.url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/link$/);
    await expect(connectWebSocket(listener.url.replace("/link", "/other"))).rejects.toMatchObject({
      message: expect.stringMatching(/404/),
    });
    await expect(connectWebSocket(`${listener.url}?room=7`)).resolves.toMatchObject({ kind: "websocket" });
    const connection = tcpConnect(Number(new URL(listener.url).port), LOOPBACK);
    disposals.push(() => connection.destroy());
    connection.write("GET //[ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    expect(String(await once(connection, "data"))).toContain("404 Not Found");
  });

  it("answers a plain web request with 426", async () => {
    const { listener } = await listen();
    const [response] = await once(httpRequest(listener.url.replace("ws:", "http:")).end(), "response");
    response.resume();
    expect(response.statusCode).toBe(426);
  });

  it("names links by the peer's address and keeps those that come before its handler", async () => {
    const listener = await WebSocketListener.listen({ port: 0, host: LOOPBACK });
    disposals.push(() => listener.close());
    const client = await connectWebSocket(listener.url);
    expect(client.address).toBe(listener.address);
    const link = await new Promise<Link>((resolve) => listener.onLink(resolve));
    expect(link.address).toMatch(/^127\.0\.0\.1:\d+$/);
  });
});

describe("beside a web site", () => {
  async function webSite(): Promise<{ web: Server; url: string }> {
    const web = createServer((_, response) => response.end("the site"));
    await once(web.listen(0, LOOPBACK), "listening");
    disposals.push(() => {
      web.closeAllConnections();
      web.close();
    });
    return { web, url: `${LOOPBACK}:${(web.address() as AddressInfo).port}` };
  }

  it("leaves the site and other WebSockets alone, also when it closes", async () => {
    const { web, url } = await webSite();
    const listener = WebSocketListener.attach(web, { path: "/link" });
    const others: string[] = [];
    web.on("upgrade", (request, socket) => {
      if (request.url !== "/other") return;
      others.push(request.url);
      socket.end("HTTP/1.1 418 I'm a teapot\r\n\r\n");
    });
    const link = await connectWebSocket(listener.url);
    await expect(connectWebSocket(`ws://${url}/other`)).rejects.toMatchObject({
      message: expect.stringMatching(/418/),
    });
    expect(others).toEqual(["/other"]);
    const closed = closeOf(link);
    await listener.close();
    expect(await closed).toMatchObject({ code: "shutdown" });
    expect(await (await fetch(`http://${url}/`)).text()).toBe("the site");
    expect(web.listenerCount("upgrade")).toBe(1);
  });
});

describe("closing the listener", () => {
  it("tells every link, and frees the port", async () => {
    const listener = await WebSocketListener.listen({ port: 0, host: LOOPBACK });
    const links = await Promise.all([connectWebSocket(listener.url), connectWebSocket(listener.url)]);
    const reasons = links.map(closeOf);
    const { url } = listener;
    await listener.close();
    await listener.close();
    expect((await Promise.all(reasons)).map((reason) => reason.code)).toEqual(["shutdown", "shutdown"]);
    await expect(connectWebSocket(url)).rejects.toMatchObject({ code: "connect-failed" });
  });

  it("refuses a taken port by name", async () => {
    const { listener } = await listen();
    const port = Number(new URL(listener.url).port);
    const second = WebSocketListener.listen({ port, host: LOOPBACK });
    await expect(second).rejects.toMatchObject({
      code: "listen-failed",
      message: expect.stringMatching(/it is taken; choose another, or 0/),
    });
  });
});

describe("connecting", () => {
  it("gives up on a server that does not answer", async () => {
    const timers = new HandTimers();
    const silent = createTcpServer();
    await once(silent.listen(0, LOOPBACK), "listening");
    disposals.push(() => silent.close());
    const arrived = once(silent, "connection") as Promise<[Socket]>;
    const { port } = silent.address() as AddressInfo;
    const attempt = connectWebSocket(`ws://${LOOPBACK}:${port}`, { timers, timeoutMs: 700 });
    const rejected = expect(attempt).rejects.toMatchObject({
      code: "connect-timeout",
      message: expect.stringMatching(/within 700 ms/),
    });
    const [connection] = await arrived;
    disposals.push(() => connection.destroy());
    timers.expire();
    await rejected;
    expect(timers.active).toBe(0);
  });

  it.each(["nonsense", "mailto:a@b.example", "ws://"])("refuses %j as an address", async (url) => {
    await expect(connectWebSocket(url)).rejects.toMatchObject({ code: "connect-failed" });
  });
});

/** A TCP connection that has become a WebSocket, with nothing behind it that would answer pings or closes. */
async function rawUpgrade(listener: WebSocketListener): Promise<Socket> {
  const connection = tcpConnect(Number(new URL(listener.url).port), LOOPBACK);
  connection.on("error", () => undefined);
  disposals.push(() => connection.destroy());
  connection.write(
    "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n" +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n",
  );
  const [answer] = (await once(connection, "data")) as [Buffer];
  expect(answer.toString()).toContain("101 Switching Protocols");
  return connection;
}
