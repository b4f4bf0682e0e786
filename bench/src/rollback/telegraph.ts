/**
 * The border between the benchmarks and Telegraph (`@tboyt/telegraph`, a TypeScript port of GGPO). It is no part of an install of this repository: the first
 * run installs it into `bench/telegraph`, pinned. Its modules are bundled here and run in a context of their own, in which `performance.now` is virtual
 * time and the console is silent.
 */

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build, type Rollup } from "vite";

/** What is used of it. */
export interface Telegraph {
  addPlayer(player: { type: number; playerNumber: number; remote?: { peerId: string } }): { value: number };
  addLocalInput(handle: number, input: number[]): { code: string };
  syncInput(): { code: string; value: { inputs: number[][] } | null };
  advanceFrame(): void;
  afterTick(): void;
}

interface SavedFrame {
  readonly saved: Uint8Array;
  readonly frame: number;
}

export interface TelegraphOptions {
  readonly peer: unknown;
  readonly numPlayers: number;
  readonly disconnectTimeout: number;
  readonly disconnectNotifyStart: number;
  readonly callbacks: {
    onSaveState(): { state: SavedFrame; checksum: null };
    onLoadState(state: SavedFrame): void;
    onAdvanceFrame(): void;
    onEvent(event: unknown): void;
  };
}

export interface TelegraphLibrary {
  make(options: TelegraphOptions): Telegraph;
  /** The time that it sees. */
  nowMs: number;
}

const folder = fileURLToPath(new URL("../../telegraph/", import.meta.url));

export async function loadTelegraph(): Promise<TelegraphLibrary> {
  const entry = `${folder}node_modules/@tboyt/telegraph/dist/index.js`;
  if (!existsSync(entry)) await install();
  const [output] = (await build({
    configFile: false,
    logLevel: "silent",
    build: { lib: { entry, formats: ["iife"], name: "library" }, write: false, target: "es2023", minify: true },
  })) as Rollup.RollupOutput[];
  const silent = { log: () => {}, warn: () => {}, error: () => {} };
  const context = createContext({ performance: { now: () => library.nowMs }, console: silent });
  runInContext(output!.output[0].code, context);
  const { Telegraph: Library } = runInContext("library", context) as {
    Telegraph: new (options: TelegraphOptions) => Telegraph;
  };
  const library: TelegraphLibrary = { make: (options) => new Library(options), nowMs: 0 };
  return library;
}

function install(): Promise<void> {
  process.stderr.write(
    "Installing Telegraph into bench/telegraph/node_modules (pinned there, used by nothing else) …\n",
  );
  const child = spawn("npm", ["ci", "--ignore-scripts", "--loglevel=error"], { cwd: folder, stdio: ["ignore", 2, 2] });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve() : reject(new Error("Telegraph could not be installed"))));
  });
}
