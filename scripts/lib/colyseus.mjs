/**
 * Makes `bench/colyseus` usable: a package of its own, with its own lockfile, that is no workspace. So nobody who only plays or develops
 * gets Colyseus' packages, nor npm's complaints that they ask for a newer Node.
 *
 * An install is made in a folder beside and put in place by one rename: an install that fails leaves nothing half done, and of two at the
 * same time the second finds everything there.
 */
import { copyFileSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { compile } from "./build.mjs";
import { ensureInstalled, firstMissingPackage, runNpm } from "./install.mjs";
import { root, ScriptError, say } from "./process.mjs";

const folder = join(root, "bench/colyseus");
const recipe = ["package.json", "package-lock.json", ".npmrc"];

/** Where the tsconfig of Colyseus' side is, for `compile`. */
export const colyseusProject = "bench/colyseus";

/**
 * Installs what is missing and compiles it.
 *
 * @param {{ compiles?: boolean }} [options] compiles: default true
 */
export async function prepareColyseus({ compiles = true } = {}) {
  await ensureInstalled();
  if (firstMissingPackage(folder) !== undefined) await install();
  if (compiles) await compile([colyseusProject]);
}

async function install() {
  say(
    "Installing Colyseus for the comparison with it, into bench/colyseus/node_modules (pinned there, used by nothing else) …",
  );
  const workshop = join(folder, ".cache", `install-${process.pid}`);
  rmSync(workshop, { recursive: true, force: true });
  mkdirSync(workshop, { recursive: true });
  try {
    for (const name of recipe) copyFileSync(join(folder, name), join(workshop, name));
    // Errors only: some of its packages ask for Node 22 and run on Node 20 too, and npm would warn of each.
    const code = await runNpm(["ci", "--ignore-scripts", "--loglevel=error"], { cwd: workshop });
    if (code !== 0) {
      throw new ScriptError(
        "npm could not install the packages of bench/colyseus; its message is above.\n" +
          "Check that the npm registry can be reached (`npm ping`), and run the command again.",
      );
    }
    if (firstMissingPackage(folder) === undefined) return;
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    renameSync(join(workshop, "node_modules"), join(folder, "node_modules"));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}
