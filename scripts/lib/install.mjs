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

/**
 * The first package that a folder's lockfile asks for and its `node_modules` lacks; undefined if nothing is missing.
 *
 * @param {string} [folder] the repository's top by default
 */
export function firstMissingPackage(folder = root) {
  const recordPath = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(recordPath)) return "node_modules";
  const wanted = readLock(join(folder, "package-lock.json"));
  const installed = readLock(recordPath);
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.includes("node_modules/")) continue;
    const found = installed[path];
    if (found === undefined && (entry.optional || entry.devOptional)) continue;
    if (found === undefined || found.version !== entry.version || !existsSync(join(folder, path))) return path;
  }
  return undefined;
}

/**
 * Runs npm; if this script was itself started by npm, that one. Its output goes to standard error.
 *
 * @param {readonly string[]} args
 * @param {{ cwd?: string }} [options] cwd: the repository's top by default
 * @returns {Promise<number>} its exit code
 */
export async function runNpm(args, { cwd = root } = {}) {
  const npmScript = process.env.npm_execpath;
  const { code } = npmScript?.endsWith(".js")
    ? await run(process.execPath, [npmScript, ...args], { cwd, output: "stderr" })
    : await run("npm", args, { cwd, output: "stderr", shell: process.platform === "win32" });
  return code;
}

/** Installs the npm packages of the lockfile unless they are there. */
export async function ensureInstalled() {
  checkNode();
  const missing = firstMissingPackage();
  if (missing === undefined) return;
  say(`Installing npm packages (${missing} is missing or out of date) …`);
  // On a fresh clone exactly what the lockfile says. Later only what differs: `npm ci` would empty node_modules first, under the
  // feet of whatever runs from it, and take the compilers' caches along. `--no-save` leaves package.json and the lockfile alone.
  const args = [
    ...(existsSync(join(root, "node_modules")) ? ["install", "--no-save"] : ["ci"]),
    ...["--include=dev", "--include=optional", "--no-audit", "--no-fund"],
  ];
  if ((await runNpm(args)) !== 0) {
    throw new ScriptError(
      "npm could not install the packages; its message is above.\n" +
        "Check that the npm registry can be reached (`npm ping`), and run the command again.",
    );
  }
}
