/** `npm run cluster` as people run it: it says what is missing, starts, and leaves nothing behind when it is ended. */

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { natsServer } from "./debian.mjs";

const script = fileURLToPath(new URL("../cluster.mjs", import.meta.url));

interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs it with temporary files in a folder of its own. `onText` is told all that it has said so far. */
function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onText: (text: string, pid: number) => void,
) {
  return new Promise<Run>((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env }, stdio: "pipe" });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        onText(output, child.pid!);
      });
    child.once("close", (code) => resolve({ code, output }));
  });
}

describe("npm run cluster", () => {
  it("says what to install where there is no nats-server", async () => {
    const { code, output } = await run(["--no-build", "--servers", "2"], { NEARFIELD_NATS: "/nowhere" }, () => {});
    expect(code).toBe(1);
    expect(output).toContain("apt-get install nats-server");
    expect(output).toContain("--servers 1");
  });

  it.skipIf(natsServer.find() === undefined && process.env["CI"] === undefined)(
    "starts servers with bots, and leaves no process and no file behind after Ctrl+C",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "nearfield-cluster-"));
      let isEnded = false;
      const args = ["--no-build", "--servers", "2", "--bots", "2", "--port", "0"];
      const { code, output } = await run(args, { TMPDIR: folder }, (text, pid) => {
        // Bots are in: the first line of progress is there.
        if (isEnded || !text.includes("2/2 bots in")) return;
        isEnded = true;
        process.kill(pid, "SIGINT");
      });
      const left = readdirSync(folder);
      rmSync(folder, { recursive: true });
      expect({ code, left }).toEqual({ code: 0, left: [] });
      expect(output).toMatch(/^Frontier: {2}http:\/\/127\.0\.0\.1:\d+\/$/m);
      expect(output).toMatch(/^Inspector: http:\/\/127\.0\.0\.1:\d+\/inspector\/#token=\S+$/m);
      expect(output).not.toMatch(/has ended|Error/);
      // Whoever still ran would answer.
      const addresses = [...output.matchAll(/http:\/\/127\.0\.0\.1:\d+\//g)].map(([address]) => address);
      for (const address of new Set(addresses)) await expect(fetch(`${address}healthz`)).rejects.toThrow();
    },
  );
});
