/** Programs that tests start as processes of their own and kill. Each is bundled from the sources, since Node 20 runs no TypeScript. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/** Loaded before a program. Its input ends when the process of the test does, killed or not, and the program must not outlive that. */
const END_WITH_TEST = `data:text/javascript,process.stdin.on("end",()=>process.exit(1)).resume().unref()`;

export class Program {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param entry the program's source. */
  static async bundle(entry: URL): Promise<Program> {
    // Inside the repository, so that the bundle finds the binaries that it does not contain.
    const folder = mkdtempSync(join(ROOT, "node_modules/.cache-program-"));
    await build({
      configFile: false,
      logLevel: "error",
      root: ROOT,
      resolve: { conditions: ["nearfield:source"] },
      ssr: { noExternal: [/^@nearfield\//], resolve: { conditions: ["nearfield:source"] } },
      build: {
        ssr: fileURLToPath(entry),
        outDir: folder,
        emptyOutDir: true,
        minify: false,
        rolldownOptions: { output: { entryFileNames: "program.mjs" } },
      },
    });
    return new Program(folder);
  }

  /** Runs until the program ends or is killed. */
  start(...args: readonly string[]): Running {
    return new Running(
      // Node 22 warns of Ed25519, which is no error of the program's.
      spawn(
        process.execPath,
        [
          "--disable-warning=ExperimentalWarning",
          "--import",
          END_WITH_TEST,
          join(this.#folder, "program.mjs"),
          ...args,
        ],
        {
          stdio: "pipe",
        },
      ),
    );
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

export class Running {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #errors = "";
  /** How it ended: its exit code, or the signal that killed it. */
  readonly ended: Promise<number | string>;

  constructor(child: ChildProcess) {
    this.#child = child;
    let rest = "";
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      this.#lines.push(...lines);
      for (const wake of this.#waiting.splice(0)) wake();
    });
    child.stderr!.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
    });
    this.ended = new Promise((resolve) => {
      child.on("close", (code, signal) => {
        resolve(signal ?? code ?? -1);
        for (const wake of this.#waiting.splice(0)) wake();
      });
    });
  }

  /** What it has printed. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  get errors(): string {
    return this.#errors;
  }

  /** The first line that begins so, without its beginning. Rejects if the program ends before. */
  async line(beginning: string): Promise<string> {
    for (;;) {
      const found = this.#lines.find((line) => line.startsWith(beginning));
      if (found !== undefined) return found.slice(beginning.length);
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`the program ended without "${beginning}": ${this.#errors}`);
      await new Promise<void>((wake) => this.#waiting.push(wake));
    }
  }

  /** As `kill -9` does. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }
}
