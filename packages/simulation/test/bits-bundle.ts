/** A story, that of `bits.ts` if no other is named, as one module of JavaScript, for places that know neither TypeScript nor the names of packages. */

import { fileURLToPath } from "node:url";
import { build, type Rollup } from "vite";

/** Exports what the story does. */
export async function bundleBits(story: URL = new URL("bits.ts", import.meta.url)): Promise<string> {
  const entry = fileURLToPath(story);
  const output = (await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["nearfield:source"] },
    build: { lib: { entry, formats: ["es"] }, write: false, target: "es2023" },
  })) as Rollup.RollupOutput[];
  return output[0]!.output[0].code;
}
