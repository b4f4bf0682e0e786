/**
 * Which files a check looks at, and how it reports: `path:line: message`, one per line, like a compiler.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "./process.mjs";

/** Files of the repository that git knows or would add, relative to its top. */
export function repositoryFiles() {
  const output = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  return output.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
}

/** @param {string} text @param {number} offset @returns {number} the line that holds the offset, from 1 */
export function lineAt(text, offset) {
  return text.slice(0, offset).split("\n").length;
}

/** Prints what was found; the exit code of a check. @param {readonly string[]} findings */
export function report(findings) {
  for (const finding of findings) process.stdout.write(`${finding}\n`);
  return findings.length > 0 ? 1 : 0;
}
