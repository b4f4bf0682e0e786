/**
 * `npm run kernel`: compiles the engine's kernel (packages/core/kernel) to WebAssembly and writes it, as text, where the engine imports
 * it: so nobody who uses or tests the engine needs the compiler. `--check` compares instead of writing.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureInstalled } from "./lib/install.mjs";
import { readOptions } from "./lib/options.mjs";
import { root, runMain, ScriptError, say } from "./lib/process.mjs";

const entries = { SHARED: "packages/core/kernel/shared-kernel.ts", FIXED: "packages/core/kernel/kernel.ts" };
const target = "packages/core/src/engine/memory/kernel-binary.ts";
const usage = `npm run kernel              compiles packages/core/kernel into ${target}
npm run kernel -- --check   writes nothing; fails if that file is not what the kernel compiles to
npm run kernel -- --help    this text`;
/** Least and most memory, in pages, as `memory.ts` allocates it. */
const limits = { SHARED: [16, 65536], FIXED: [4096, 4096] };

/** @param {"SHARED" | "FIXED"} name */
async function compile(name) {
  const { default: asc } = await import("assemblyscript/asc");
  const [initial, maximum] = limits[name];
  const options = ["--outFile", "kernel.wasm", "--baseDir", root, "-O3", "--runtime", "stub", "--use", "abort="];
  options.push("--importMemory", "--initialMemory", `${initial}`, "--maximumMemory", `${maximum}`, "--enable", "simd");
  if (name === "SHARED") options.push("--sharedMemory", "--enable", "threads");
  /** @type {Uint8Array} */
  let binary = new Uint8Array();
  const { error, stderr } = await asc.main([entries[name], ...options], {
    writeFile: (/** @type {string} */ _, /** @type {string | Uint8Array} */ contents) => {
      if (typeof contents !== "string") binary = contents;
    },
  });
  if (error !== null) throw new ScriptError(`The kernel does not compile:\n${stderr.toString()}`);
  return Buffer.from(binary).toString("base64");
}

await runMain(async () => {
  const { values } = readOptions(process.argv.slice(2), { check: { type: "boolean" } }, { command: "npm run kernel" });
  if (values["help"]) {
    console.log(usage);
    return 0;
  }
  await ensureInstalled();
  const binaries = { SHARED: await compile("SHARED"), FIXED: await compile("FIXED") };
  const text = [
    "/** Made by `node scripts/kernel.mjs` from packages/core/kernel; not to be edited. For memory that is shared, and for one of a fixed size. */",
    "// biome-ignore-all format: one long line each",
    ...Object.entries(binaries).map(([name, base64]) => `\nexport const ${name} =\n  "${base64}";`),
    "",
  ].join("\n");
  const path = join(root, target);
  if (!values["check"]) {
    await writeFile(path, text);
    const bytes = Object.values(binaries).map((base64) => Buffer.byteLength(base64, "base64"));
    say(`${target}: ${bytes.join(" and ")} bytes of WebAssembly`);
    return 0;
  }
  if (existsSync(path) && (await readFile(path, "utf8")) === text) return 0;
  console.log(`${target} is not what packages/core/kernel compiles to: run \`npm run kernel\`.`);
  return 1;
});
