/**
 * Checks that the workspaces fit together: things that are easy to forget when a package is added.
 *
 * Every tsconfig of a workspace is built from the top; every workspace states the same licence, version and module
 * kind; every dependency is pinned to one exact version; a project refers to the project behind every entry point that
 * its sources import; a lockfile has the binaries of every platform, and nothing that asks for another Node than promised.
 */
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { refusedNodes } from "./lib/engines.mjs";
import { report, repositoryFiles } from "./lib/files.mjs";
import { promisedNodes } from "./lib/nodes.mjs";
import { missingBinaries } from "./lib/platforms.mjs";
import { root, runMain } from "./lib/process.mjs";
import { entryPoints, importsOf, missingReferences, projectOf } from "./lib/references.mjs";

/** @typedef {{ name: string, version: string, license?: string, type?: string, exports?: Record<string, Record<string, string>>, dependencies?: Record<string, string>, devDependencies?: Record<string, string>, overrides?: Record<string, string> }} Manifest */

/** Built by those who need them, since their packages are not installed with the others (scripts/lib/colyseus.mjs). */
const builtApart = new Set(["bench/colyseus/tsconfig.json"]);

/** Reads JSON in which whole lines may be comments. @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8").replace(/^\s*(\/\/.*|\/\*.*\*\/)$/gm, ""));
}

/** @param {string} path @param {Manifest} manifest @param {Manifest} top */
function checkManifest(path, manifest, top) {
  const found = [];
  for (const key of /** @type {const} */ (["license", "type", "version"])) {
    if (manifest[key] !== top[key])
      found.push(`${path}: "${key}" is ${manifest[key]}; the repository's is ${top[key]}`);
  }
  for (const [name, version] of Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.overrides,
  })) {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      found.push(`${path}: ${name} is not pinned to one version (${version})`);
  }
  return found;
}

await runMain(async () => {
  const files = repositoryFiles();
  const top = /** @type {Manifest} */ (readJson("package.json"));
  const workspace = "(packages|games|apps)/[^/]+|bench|bench/colyseus";
  const manifests = files
    .filter((path) => new RegExp(`^(${workspace})/package\\.json$`).test(path))
    .map((path) => ({ path, manifest: /** @type {Manifest} */ (readJson(path)) }));
  const projects = files
    .filter((path) => new RegExp(`^((${workspace}|scripts)/tsconfig[^/]*|tsconfig\\.test)\\.json$`).test(path))
    .map((path) => projectOf(path, readJson(path)));
  const built = new Set(projectOf("tsconfig.json", readJson("tsconfig.json")).references);
  const isCompiled = (/** @type {string} */ path) => projects.some((project) => project.includes(path));
  const sources = files.filter((path) => /\.m?ts$|\.mjs$/.test(path) && isCompiled(path));

  return report([
    ...checkManifest("package.json", top, top),
    ...manifests.flatMap(({ path, manifest }) => checkManifest(path, manifest, top)),
    ...projects
      .filter(({ path }) => !built.has(path) && !builtApart.has(path))
      .map(({ path }) => `tsconfig.json: does not refer to ${path}, so nothing checks it`),
    ...missingReferences({
      projects,
      entries: new Map(manifests.flatMap(({ path, manifest }) => entryPoints(dirname(path), manifest))),
      names: manifests.map(({ manifest }) => manifest.name),
      sources: new Map(sources.map((path) => [path, importsOf(path, readFileSync(join(root, path), "utf8"))])),
    }),
    ...files
      .filter((path) => basename(path) === "package-lock.json")
      .flatMap((path) => missingBinaries(path, readJson(path))),
    // Only what everybody installs: those who compare with Colyseus are not warned (scripts/lib/colyseus.mjs).
    ...refusedNodes("package-lock.json", readJson("package-lock.json"), promisedNodes),
  ]);
});
