/** The story of `bits.ts` as one module of JavaScript, for places that know neither TypeScript nor the names of packages. */

import { fileURLToPath } from "node:url";
import { build, type Rollup } from "vite";

/** Exports `simulationBits`. */
export async function bundleBits(): Promise<string> {
  const entry = fileURLToPath(new URL("bits.ts", import.meta.url));
  const output = (await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["nearfield:source"] },
    build: { lib: { entry, formats: ["es"] }, write: false, target: "es2023" },
  })) as Rollup.RollupOutput[];
  return output[0]!.output[0].code;
}
