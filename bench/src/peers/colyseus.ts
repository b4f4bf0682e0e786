/**
 * The border between the benchmarks and Colyseus. Its packages are no part of an install of this repository: `scripts/colyseus.mjs` installs
 * them into `bench/colyseus` when a benchmark or a test asks for them here. What lies behind the border is loaded at run time, and
 * `ColyseusSide` is all that is known of it; `bench/colyseus` is compiled against it.
 */

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { SceneSize } from "./scene.ts";
import type { Crowd, Host, IdleCrowd } from "./subject.ts";

/**
 * `view`: every change of what is in sight. `tiers`: every walker carries its place three times, each copy under a view tag of its own and
 * written as often as its tier wants. `packed`: `tiers` with both coordinates in one field, by hand. `open`: every change to everybody, encoded
 * once.
 */
export type ColyseusForm = "view" | "tiers" | "packed" | "open";

/** What `bench/colyseus` offers. */
export interface ColyseusSide {
  startHost(size: SceneSize, form: ColyseusForm): Promise<Host>;
  startCrowd(url: string, size: SceneSize, form: ColyseusForm): Crowd;
  /** Clients that take a seat and read nothing of what they are sent. */
  startIdleCrowd(url: string): IdleCrowd;
}

/** Tests run on sources, where vitest compiles what it loads; everything else runs on what was compiled. */
const runsOnSources = import.meta.url.endsWith(".ts");

/** Installs what is missing and compiles it; says so on standard error. At once when all is there. */
export function prepareColyseus(): Promise<void> {
  const script = fileURLToPath(new URL("../../../scripts/colyseus.mjs", import.meta.url));
  const child = spawn(process.execPath, [script, ...(runsOnSources ? ["--no-compile"] : [])], {
    stdio: ["ignore", 2, 2],
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error("Colyseus could not be installed or compiled; the reason is above"));
    });
  });
}

/** Colyseus' side; `prepareColyseus` comes first, once, in whichever process starts the others. */
export async function loadColyseus(): Promise<ColyseusSide> {
  const module = new URL(`../../colyseus/${runsOnSources ? "src/index.ts" : "dist/index.js"}`, import.meta.url);
  const { side } = (await import(module.href)) as { readonly side: ColyseusSide };
  return side;
}
