/** The arena on a web server, and bots from the command line against it: real sockets on a free port. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type RunningArena, startArena } from "../src/node/index.ts";

const script = fileURLToPath(new URL("../../../scripts/bots.mjs", import.meta.url));

let server: Server;
let arena: RunningArena;
let url: string;

beforeEach(async () => {
  server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/arena/ws`;
  arena = await startArena({ server, path: "/arena/ws", seed: 1, bots: 2, levels: ["cell"] });
});

afterEach(async () => {
  await arena.close();
  await new Promise((resolve) => server.close(resolve));
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** What is built is what runs: `npm test` builds before it tests. */
function runBots(...args: string[]): { child: ChildProcess; ended: Promise<Ended>; said: () => string } {
  const child = spawn(process.execPath, [script, "--no-build", ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, out, err }));
  return { child, ended, said: () => out };
}

/** Ms in which bots are in on any machine; only ends what hangs. */
const PATIENCE = { timeout: 120_000, interval: 100 };

describe("a server", () => {
  it("tells how it is going: people, bots, the level from above", async () => {
    const before = arena.status();
    expect(before).toMatchObject({ people: 0, bots: 2, map: { columns: 2, rows: 2 } });
    expect(before.map.marks).toHaveLength(2);
    for (const { x, y, colour } of before.map.marks) {
      expect(Math.min(x, y)).toBeGreaterThan(0);
      expect(Math.max(x, y)).toBeLessThan(2);
      expect(colour).toMatch(/^#/);
    }
  });
});

describe("bots from the command line", () => {
  it("join, play, and say what passed; then they leave", async () => {
    const { child, ended, said } = runBots("--url", url, "--count", "4", "--seed", "3");
    const progress =
      /^4\/4 bots in · [\d.]+ kB\/s in · [\d.]+ kB\/s out · \d+ updates\/s · [\d.]+ ms round trip · \d+ kills$/m;
    await vi.waitFor(() => expect(said()).toMatch(progress), PATIENCE);
    child.kill("SIGTERM");
    const { code, out, err } = await ended;
    expect(err).toBe("");
    expect(out).toMatch(
      /^4 bots played \d+ s: [1-9]\d* kB in, [1-9]\d* kB out, [1-9]\d* updates, \d+ kills, \d+ deaths, 0 lost$/m,
    );
    expect(code).toBe(0);
    expect(arena.game.main.telemetry.joins).toBe(6);
  });

  it("end by themselves after so many seconds", async () => {
    const { code, out } = await runBots("--url", url, "--count", "1", "--seconds", "4").ended;
    expect(out).toMatch(/^\d bots? played 4 s: /m);
    expect(code).toBe(0);
  });

  it("end cleanly with Ctrl+C", async () => {
    const { child, ended } = runBots("--url", url, "--count", "2");
    await vi.waitFor(() => expect(arena.host.bots).toBe(4), PATIENCE);
    // The server has both; whoever acknowledges has heard that it is in.
    const connected = [...arena.game.main.players.values()].filter(({ linkKind }) => linkKind !== undefined);
    expect(connected).toHaveLength(2);
    const heard = (): boolean => connected.every(({ telemetry }) => telemetry.packetsArrived > 0);
    await vi.waitFor(() => expect(heard()).toBe(true), PATIENCE);
    child.kill("SIGINT");
    const { code, out } = await ended;
    expect(out).toMatch(/2 bots played \d+ s/);
    expect(code).toBe(0);
    await vi.waitFor(() => expect(arena.host.bots).toBe(2), PATIENCE);
  });

  it.each([
    [["--count", "4"], /--url is missing.*ws:\/\/localhost:3000\/arena\/ws/, 2],
    [["--url", "ws://127.0.0.1:1/arena/ws"], /Nothing answers there\. Is a server running/, 1],
    [["--url", "ws://127.0.0.1:1/", "--count", "none"], /--count none: must be a whole number/, 2],
    [["--url", "ws://127.0.0.1:1/", "--game", "chess"], /--game chess: there are bots for arena, pacman/, 2],
    [["--speed"], /There is no option --speed.* There are --url.*--help/s, 2],
  ])("say what to do: %j", async (args, expected, exitCode) => {
    const { code, err } = await runBots(...args).ended;
    expect(err).toMatch(expected);
    expect(code).toBe(exitCode);
  });
});
