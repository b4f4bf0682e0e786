/** Bots that are clients: they play from what their replica shows, on virtual time, and from the command line against a real server. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Lab } from "@nearfield/netlab";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { ClientBot } from "../src/client-bot.ts";
import { PacmanHost, protocol, ROUND_MS, view } from "../src/index.ts";
import { Maze, SIDE } from "../src/maze.ts";
import { type RunningPacman, startPacman } from "../src/node/index.ts";
import type { Spot } from "../src/state.ts";

const SEED = 21;
const maze = new Maze(SEED);

interface Started {
  readonly lab: Lab;
  readonly bots: readonly ClientBot[];
}

function start(count: number, ghostsPerHome: number, spawns: readonly Spot[] = []): Started {
  const lab = new Lab({ protocol, view, roundMs: ROUND_MS, frameMs: ROUND_MS, seed: 1 });
  new PacmanHost(lab.server, { seed: SEED, bots: 0, ghostsPerHome, spawns });
  const bots = Array.from({ length: count }, (_, at) => {
    const { client } = lab.join(`bot ${at}`, { latencyMs: 20 });
    return new ClientBot(client, { mazeOf: () => maze, seed: at });
  });
  return { lab, bots };
}

function play(seconds: number, count: number, ghostsPerHome: number): readonly ClientBot[] {
  const { lab, bots } = start(count, ghostsPerHome);
  lab.run(seconds * 1000);
  return bots;
}

describe("as clients", () => {
  it("eat their way through the maze", () => {
    // At 5.6 tiles a second and 10 points a dot: half of the way lies over dots.
    for (const { own } of play(20, 3, 0)) expect(own!.score).toBeGreaterThan(500);
  });

  it("begin again after their last life", () => {
    // Before the gate of the ghosts' home.
    const { exit } = maze.homes[0]!;
    const { lab, bots } = start(1, 4, [{ x: exit % SIDE, y: Math.floor(exit / SIDE) }]);
    const [bot] = bots;
    lab.until(() => bot!.own?.condition === "out", 300_000);
    expect(bot!.deaths).toBeGreaterThanOrEqual(3);
    lab.run(5000);
    expect(bot!.own!.condition).not.toBe("out");
  });

  it("play the same game again from the same seeds", () => {
    const places = (): number[] => play(8, 3, 4).flatMap(({ own }) => [own!.x, own!.y, own!.score]);
    expect(places()).toEqual(places());
  });
});

interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
  readonly said: () => string;
}

/** Ms in which bots are in on any machine; only ends what hangs. */
const PATIENCE = { timeout: 120_000, interval: 100 };

describe("from the command line", () => {
  const script = fileURLToPath(new URL("../../../scripts/bots.mjs", import.meta.url));
  let server: Server;
  let pacman: RunningPacman;
  let url: string;

  beforeAll(async () => {
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/pacman/ws`;
    pacman = await startPacman({ server, path: "/pacman/ws", seed: SEED, bots: 0 });
  });

  afterAll(async () => {
    await pacman.close();
    await new Promise((resolve) => server.close(resolve));
  });

  /** What is built is what runs: `npm test` builds before it tests. */
  function runBots(...args: string[]): Running {
    const child = spawn(process.execPath, [script, "--no-build", "--game", "pacman", ...args]);
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

  it("join, play, and say what passed; then they leave", async () => {
    const { child, ended, said } = runBots("--url", url, "--count", "3");
    const progress = /^3\/3 bots in · .* kB\/s in · .* ms round trip · [1-9]\d* points$/m;
    await vi.waitFor(() => expect(said()).toMatch(progress), PATIENCE);
    child.kill("SIGTERM");
    const { code, out, err } = await ended;
    expect(err).toBe("");
    expect(out).toMatch(
      /^3 bots played \d+ s: \d+ kB in, \d+ kB out, [1-9]\d* updates, [1-9]\d* points, \d+ deaths, 0 lost$/m,
    );
    expect(code).toBe(0);
    expect(pacman.game.main.telemetry.joins).toBe(3);
  });

  it("say where the game would be", async () => {
    const { code, err } = await runBots("--url", "ws://127.0.0.1:1/pacman/ws").ended;
    expect(err).toMatch(/Nothing answers there\..*ws:\/\/localhost:3000\/pacman\/ws/);
    expect(code).toBe(1);
  });
});
