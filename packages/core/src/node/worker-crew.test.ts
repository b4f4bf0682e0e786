/** What becomes of the workers: they end with their engine, and keep no process alive. */

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { World } from "@nearfield/core";
import { Engine } from "@nearfield/core/internal";
import { object, Protocol, quantized } from "@nearfield/schema";
import { build } from "vite";
import { expect, onTestFinished, test, vi } from "vitest";
import { WorkerCrew } from "./worker-crew.ts";

function engineWith(crew: WorkerCrew): Engine {
  const place = quantized(0, 100, 1);
  const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
  return new Engine(new World({ protocol: new Protocol({ objects: [Ship] }) }), { roundMs: 50, crew });
}

test("each worker ends with the engine, whether it had started or waited", async () => {
  const terminate = vi.spyOn(Worker.prototype, "terminate");
  const unref = vi.spyOn(Worker.prototype, "unref");
  onTestFinished(() => void vi.restoreAllMocks());
  const crew = new WorkerCrew(2);
  const engine = engineWith(crew);
  expect(unref).toHaveBeenCalledTimes(2);
  const [early] = unref.mock.instances as Worker[];
  await new Promise((resolve) => early!.once("online", resolve));
  engine.dispose();
  const ended = await Promise.all(terminate.mock.results.map(({ value }) => value as Promise<number>));
  expect(ended).toHaveLength(2);
  for (const worker of terminate.mock.instances as Worker[]) expect(worker.threadId).toBe(-1);
  engine.dispose();
  expect(terminate).toHaveBeenCalledTimes(2);
});

/** Plays until somebody has helped, and then has nothing left to do. */
const PROGRAM = `
import { World, zones } from "@nearfield/core";
import { Engine } from "@nearfield/core/internal";
import { WorkerCrew } from "@nearfield/core/node";
import { object, Protocol, quantized } from "@nearfield/schema";

const place = quantized(0, 100, 0.1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const world = new World({ protocol: new Protocol({ objects: [Ship] }) });
const engine = new Engine(world, { roundMs: 50, crew: new WorkerCrew(1) });
for (let i = 0; i < 300; i++) world.spawn(Ship, { x: i % 100, y: i / 3 });
const view = zones(Ship, { radii: [20], bounds: [{ time: 0 }, { time: 100 }] });
for (let i = 0; i < 300; i++) engine.addView({ ...view, pivots: [{ point: [i % 100, i / 3] }] }, { assumeDelivered: true });
let round = 0;
function play() {
  for (const ship of world.all(Ship)) ship.x = (ship.x + 1) % 100;
  world.commit(0);
  engine.round(++round);
  if (engine.doneByCrew[0] === 0 && round < 5000) setImmediate(play);
  else {
    if (process.argv[2] === "dispose") engine.dispose();
    console.log("done by crew: " + (engine.doneByCrew[0] > 0));
  }
}
play();
`;

test.each(["dispose", "leave"])("a process ends by itself when its engine is at rest (%s)", async (how) => {
  const folder = await mkdtemp(join(tmpdir(), "nearfield-crew-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "program.mjs"), PROGRAM);
  const source = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
  await build({
    configFile: false,
    root: folder,
    logLevel: "silent",
    resolve: {
      alias: {
        "@nearfield/core/node": source("core/src/node/index.ts"),
        "@nearfield/core/internal": source("core/src/internal/index.ts"),
        "@nearfield/core": source("core/src/index.ts"),
        "@nearfield/presentation/internal": source("presentation/src/internal/index.ts"),
        "@nearfield/presentation": source("presentation/src/index.ts"),
        "@nearfield/schema/internal": source("schema/src/internal/index.ts"),
        "@nearfield/schema": source("schema/src/index.ts"),
      },
    },
    ssr: { noExternal: true },
    build: { ssr: join(folder, "program.mjs"), outDir: join(folder, "out") },
  });
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, [join(folder, "out/program.mjs"), how], { timeout: 150_000 });
  expect(stdout.trim()).toBe("done by crew: true");
});
