/**
 * Makes a fresh clone usable: the right Node, and `node_modules` as the lockfile asks.
 *
 * Plain Node without dependencies, because it runs before anything is installed. It compares the lockfile with the
 * record npm keeps of what it installed, so a pull that changes the lockfile is noticed and a touched file is not.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, ScriptError, say } from "./process.mjs";

/** Releases the build tools run on: [major, lowest minor]. Majors above the last one are accepted. */
const supportedNode = [
  [20, 19],
  [22, 12],
  [24, 0],
];

/** @param {string} version as `process.versions.node` gives it */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return supportedNode.some(([m = 0, n = 0]) => major === m && minor >= n) || major > 24;
}

/** Throws unless this Node can build the repository. */
export function checkNode() {
  if (isSupportedNode(process.versions.node)) return;
  throw new ScriptError(
    `Nearfield needs Node 20.19, 22.12, 24 or newer; this is Node ${process.versions.node}.\n` +
      "Install a current release from https://nodejs.org and run the command again.",
  );
}

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }} LockEntry */

/** @param {string} path @returns {Record<string, LockEntry>} */
function readLock(path) {
  return JSON.parse(readFileSync(path, "utf8")).packages ?? {};
}

/** What the lockfile asks for and `node_modules` lacks; the first such package, or undefined when all is there. */
export function firstMissingPackage() {
  const recordPath = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(recordPath)) return "node_modules";
  const wanted = readLock(join(root, "package-lock.json"));
  const installed = readLock(recordPath);
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes("node_modules/")) continue;
    const found = installed[path];
    if (found === undefined && (entry.optional || entry.devOptional)) continue;
    if (found === undefined || found.version !== entry.version || !existsSync(join(root, path))) return path;
  }
  return undefined;
}

/** Installs the npm packages of the lockfile unless they are there. */
export async function ensureInstalled() {
  checkNode();
  const missing = firstMissingPackage();
  if (missing === undefined) return;
  say(`Installing npm packages (${missing} is missing or out of date) …`);
  // Not `npm ci`: it refuses a lockfile that lacks the binaries of platforms which the registry at hand does not carry.
  // `--no-save` installs the locked versions all the same and leaves package.json and the lockfile alone.
  const args = ["install", "--no-save", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
  const npmScript = process.env.npm_execpath;
  const { code } = npmScript?.endsWith(".js")
    ? await run(process.execPath, [npmScript, ...args], { output: "stderr" })
    : await run("npm", args, { output: "stderr", shell: process.platform === "win32" });
  if (code !== 0) {
    throw new ScriptError(
      "npm could not install the packages; its message is above.\n" +
        "Check that the npm registry can be reached (`npm ping`), and run the command again.",
    );
  }
}
