/** The same path as in the lab, over real sockets: a server of its own port, two clients in this process. */

import { createHmac } from "node:crypto";
import { predict, type Replicated } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { zones } from "@nearfield/core";
import { command, event, object, Protocol, quantized, text } from "@nearfield/schema";
import { to } from "@nearfield/server";
import { serve, signedTokens } from "@nearfield/server/node";
import { afterEach, expect, it } from "vitest";

const Ship = object("ship", { x: quantized(0, 1000, 0.1), y: quantized(0, 1000, 0.1) }, { position: ["x", "y"] });
const Go = command("go", { x: quantized(0, 1000, 0.1) });
const Greeting = event("greeting", { words: text(40) });
const protocol = new Protocol({ objects: [Ship], commands: [Go], events: [Greeting] });
const view = zones(Ship, { radii: [100], bounds: [{ time: 0 }, { time: 100 }] });

type Mine = Replicated<typeof Ship.shape>;

function jump(ship: { x: number }, { x }: { x: number }): void {
  ship.x = x;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it("replicates over WebSocket and says goodbye when it closes", async () => {
  const server = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1" });
  closing.push(() => server.close());
  server.onJoin((player) => player.pivotOn(server.world.spawn(Ship, { x: 1, y: 1 }, { owner: player.id })));
  server.onCommand(Go, (player, { x }) => {
    player.owned()[0]!["x"] = x;
  });
  const ann = await join(server.url, { protocol, nickname: "ann", frameMs: 5 });
  const ben = await join(server.url, { protocol, nickname: "ann", frameMs: 5 });
  expect([ann.nickname, ben.nickname]).toEqual(["ann", "ann-2"]);
  const seen = new Promise<void>((resolve) => {
    ben.activity((world) => {
      if ([...world.where(Ship, (ship) => ship.x === 500)].length === 1) resolve();
    });
  });
  ann.send(Go, { x: 500 });
  await seen;
  const ended = new Promise<string | undefined>((resolve) => {
    ben.onState((state, reason) => {
      if (state === "ended") resolve(reason?.code);
    });
  });
  await server.close();
  expect(await ended).toBe("closing");
});

it("lets in whoever has a signed token, and tells the game where it comes from", async () => {
  const secret = new TextEncoder().encode("a secret of at least thirty-two bytes");
  const checked = signedTokens({ key: secret, algorithm: "HS256" });
  const origins: (string | undefined)[] = [];
  const server = await serve({
    protocol,
    view,
    roundMs: 10,
    host: "127.0.0.1",
    links: { origins: ["https://game.example"] },
    authenticate: (visitor) => {
      origins.push(visitor.origin);
      expect(visitor.address).toMatch(/^127\.0\.0\.1:\d+$/);
      return checked(visitor);
    },
  });
  closing.push(() => server.close());
  const claims = Buffer.from(JSON.stringify({ sub: "ann@example", exp: 4e9, level: 3 })).toString("base64url");
  const head = `${Buffer.from('{"alg":"HS256"}').toString("base64url")}.${claims}`;
  const credentials = `${head}.${createHmac("sha256", secret).update(head).digest("base64url")}`;
  const options = { protocol, nickname: "ann", frameMs: 5 };
  const ann = await join(server.url, { ...options, credentials, link: { origin: "https://game.example" } });
  const [player] = [...server.main.players.values()];
  expect(player!.identity).toMatchObject({ account: "ann@example", attributes: { level: 3 } });
  expect(ann.role).toBe("player");
  await expect(join(server.url, options)).rejects.toMatchObject({ code: "credentials" });
  await expect(join(server.url, { ...options, credentials: `${head}.forged` })).rejects.toMatchObject({
    code: "credentials",
  });
  const joinMs = 100;
  const elsewhere = { ...options, credentials, reconnect: { joinMs }, link: { origin: "https://evil.example" } };
  await expect(join(server.url, elsewhere)).rejects.toMatchObject({ code: "link" });
  expect(origins).toEqual(["https://game.example", undefined, undefined]);
});

it("refuses a client of another schema with a reason", async () => {
  const server = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1" });
  closing.push(() => server.close());
  const other = new Protocol({ objects: [Ship] });
  await expect(join(server.url, { protocol: other, nickname: "eve" })).rejects.toMatchObject({ code: "schema" });
});

it("tells its time, and runs the steps that a client has run already", async () => {
  const server = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1" });
  closing.push(() => server.close());
  server.onJoin((player) => player.pivotOn(server.world.spawn(Ship, { x: 1, y: 1 }, { owner: player.id })));
  server.steps(Ship, Go, jump);
  const ann = await join(server.url, { protocol, nickname: "ann", frameMs: 5 });
  // A process that stood still leaves rounds out, and with them its time; the client follows with the next answers.
  const ship = await new Promise<Mine>((resolve) => {
    ann.activity((world) => {
      const [mine] = [...world.all(Ship)];
      const isKnown = ann.clock.errorMs < 4 && Math.abs(ann.clock.timeMs - server.timeMs) < 50;
      if (mine !== undefined && isKnown) resolve(mine);
    });
  });
  const mine = predict(ann, ship, Go, jump);
  expect(mine.command({ x: 500 })).toBe(true);
  expect(mine.shown.x).toBe(500);
  await new Promise<void>((resolve) => {
    ann.activity(() => {
      if (ship.x === 500 && mine.pending === 0) resolve();
    });
  });
  expect(mine.correction).toBe(0);
});

it("takes state over UDP by itself, says so, and lives through a cut", async () => {
  const server = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1" });
  closing.push(() => server.close());
  server.onJoin((player) => player.pivotOn(server.world.spawn(Ship, { x: 1, y: 1 }, { owner: player.id })));
  server.onCommand(Go, (player, { x }) => {
    player.owned()[0]!["x"] = x;
  });
  const ann = await join(server.url, { protocol, nickname: "ann", frameMs: 5 });
  const states: string[] = [];
  ann.onState((state) => states.push(state));
  const comesTo = (kind: string) =>
    new Promise<void>((resolve) => {
      if (ann.linkKind === kind) resolve();
      ann.onLink((now) => {
        if (now === kind) resolve();
      });
    });
  const sees = (x: number) =>
    new Promise<void>((resolve) => {
      ann.activity((world) => {
        if ([...world.where(Ship, (ship) => ship.x === x)].length === 1) resolve();
      });
    });
  await comesTo("webrtc");
  const [player] = [...server.main.players.values()];
  await expect.poll(() => player!.linkKind).toBe("webrtc");
  ann.send(Go, { x: 200 });
  await sees(200);

  expect(server.udp!.cut(player!.address)).toBe(true);
  await comesTo("websocket");
  ann.send(Go, { x: 300 });
  await sees(300);

  server.udp!.restore(player!.address);
  await comesTo("webrtc");
  ann.send(Go, { x: 400 });
  await sees(400);
  expect(states).toEqual(["active"]);
  expect(server.main.telemetry.resumes).toBe(0);
});

it("stays on WebSocket where either side says so", async () => {
  const plain = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1", udp: false });
  const server = await serve({ protocol, view, roundMs: 10, host: "127.0.0.1" });
  closing.push(
    () => plain.close(),
    () => server.close(),
  );
  expect(plain.udp).toBeUndefined();
  for (const [url, udp] of [
    [plain.url, true],
    [server.url, false],
  ] as const) {
    const ann = await join(url, { protocol, nickname: "ann", frameMs: 5, udp });
    await new Promise<void>((resolve) => {
      ann.activity((world) => {
        if (world.round > 20) resolve();
      });
    });
    expect(ann.linkKind).toBe("websocket");
  }
  expect(server.udp!.peers).toBe(0);
});

it.each([false, true])(
  "after a join the own ship is there and the greeting is heard, in 30 of 30 (udp: %s)",
  async (udp) => {
    const server = await serve({ protocol, view, roundMs: 20, host: "127.0.0.1", udp });
    closing.push(() => server.close());
    server.onJoin((player) => {
      player.pivotOn(server.world.spawn(Ship, { x: 1, y: 1 }, { owner: player.id }));
      server.emit(Greeting, { words: `hello ${player.nickname}` }, to(player));
    });
    const frames = [1, 7, 16, 33];
    for (let i = 0; i < 30; i++) {
      const nickname = `ann ${i}`;
      const client = await join(server.url, { protocol, nickname, frameMs: frames[i % frames.length]!, udp });
      expect([...client.world.where(Ship, (ship) => client.world.isMine(ship))]).toHaveLength(1);
      const greeting = await new Promise<string>((resolve) => client.onEvent(Greeting, ({ words }) => resolve(words)));
      expect(greeting).toBe(`hello ${nickname}`);
      client.leave();
    }
  },
);
