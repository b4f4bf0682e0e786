/**
 * Builds: TypeScript projects by reference, then the pages.
 *
 * A page belongs to any workspace that has a `vite.config.ts`; nothing else has to be registered. Type errors stop a
 * build before pages are made, so a page never comes from code that does not check.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { root, runTool, ScriptError, say } from "./process.mjs";

/** Workspaces with a page, e.g. `apps/playground`. */
export function pageWorkspaces() {
  return ["apps", "games"].flatMap((group) =>
    existsSync(join(root, group))
      ? readdirSync(join(root, group))
          .map((name) => `${group}/${name}`)
          .filter((folder) => existsSync(join(root, folder, "vite.config.ts")))
      : [],
  );
}

/**
 * Compiles the given projects and what they refer to; without arguments, everything, tests included.
 *
 * @param {readonly string[]} projects
 */
export async function compile(projects = []) {
  say(`Compiling ${projects.join(", ") || "everything"} …`);
  const { code } = await runTool("typescript/bin/tsc", ["-b", ...projects], { output: "stderr" });
  if (code !== 0) throw new ScriptError("TypeScript found errors; they are listed above.");
}

/** Builds pages, each into its workspace's `dist/page`. @param {readonly string[]} [workspaces] default: all that have one */
export async function buildPages(workspaces = pageWorkspaces()) {
  for (const workspace of workspaces) {
    say(`Building the page of ${workspace} …`);
    const cwd = join(root, workspace);
    const { code } = await runTool("vite/bin/vite.js", ["build", "--logLevel", "warn"], { cwd, output: "stderr" });
    if (code !== 0) throw new ScriptError(`The page of ${workspace} could not be built; the reason is above.`);
  }
}
