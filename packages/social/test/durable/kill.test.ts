/** A real server that keeps its room is killed with -9 while clients play over sockets: nothing that a client was told is lost, nothing counts twice. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join as joinPath } from "node:path";
import { join } from "@nearfield/client/node";
import { command, event, object, Protocol, quantized, uint } from "@nearfield/schema";
import { afterEach, expect, it } from "vitest";

const place = quantized(0, 1000, 0.1);
const Chest = object("chest", { x: place, y: place, gold: uint(20) }, { position: ["x", "y"] });
const Give = command("give", { gold: uint(10) });
const Given = event("given", { total: uint(20) });
const protocol = new Protocol({ objects: [Chest], commands: [Give], events: [Given] });

const PROGRAM = new URL("town-server.mjs", import.meta.url).pathname;
const KILLS = process.env["NEARFIELD_NIGHTLY"] === "1" ? 50 : 2;
const CLIENTS = 3;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function start(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [PROGRAM, folder], { stdio: ["ignore", "pipe", "inherit"] });
  closing.push(() => child.kill("SIGKILL"));
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { child, url: line.toString().trim() };
}

it(`keeps all that was acknowledged through ${KILLS} kills`, async () => {
  const folder = await mkdtemp(joinPath(tmpdir(), "nearfield-town-"));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  let sent = 0;
  let told = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const { child, url } = await start(folder);
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, (_, i) => join(url, { protocol, nickname: `p${i}` })),
    );
    const before = told;
    const enough = new Promise<void>((resolve) => {
      for (const [i, client] of clients.entries()) {
        const give = (): void => {
          sent++;
          client.send(Give, { gold: 1 });
        };
        client.onEvent(Given, ({ total }) => {
          expect(total, "what was told before the kill is there").toBeGreaterThan(before);
          told = Math.max(told, total);
          if (told >= before + 10 + 5 * kill) resolve();
          else if (total % CLIENTS === i) give();
        });
        give();
      }
    });
    await enough;
    child.kill("SIGKILL");
    await once(child, "exit");
    for (const client of clients) client.leave();
  }
  const { url } = await start(folder);
  const client = await join(url, { protocol, nickname: "auditor" });
  closing.push(() => client.leave());
  await expect.poll(() => [...client.world.all(Chest)].length).toBe(1);
  const gold = [...client.world.all(Chest)][0]?.gold ?? 0;
  expect(gold).toBeGreaterThanOrEqual(told);
  expect(gold).toBeLessThanOrEqual(sent);
});
