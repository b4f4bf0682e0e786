/**
 * The workspaces fit together: what is easy to forget when a package is added.
 *
 * Every tsconfig of a workspace is built from the top; every workspace states the same licence, version and module
 * kind; every dependency is pinned to one exact version; a project reference stands for each dependency on a workspace.
 */
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { report, repositoryFiles } from "./lib/files.mjs";
import { root, runMain } from "./lib/process.mjs";

/** @typedef {{ name: string, version: string, license?: string, type?: string, engines?: object, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest */

/** Reads JSON in which whole lines may be comments. @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8").replace(/^\s*(\/\/.*|\/\*.*\*\/)$/gm, ""));
}

/** @param {string} tsconfig @returns {string[]} the tsconfig files it refers to, from the top */
function references(tsconfig) {
  /** @type {{ path: string }[]} */
  const list = readJson(tsconfig).references ?? [];
  return list.map(({ path }) => {
    const target = normalize(join(dirname(tsconfig), path));
    return target.endsWith(".json") ? target : join(target, "tsconfig.json");
  });
}

/** @param {string} path @param {Manifest} manifest @param {Manifest} top */
function checkManifest(path, manifest, top) {
  const found = [];
  for (const key of /** @type {const} */ (["license", "type", "version"])) {
    if (manifest[key] !== top[key])
      found.push(`${path}: "${key}" is ${manifest[key]}; the repository's is ${top[key]}`);
  }
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      found.push(`${path}: ${name} is not pinned to one version (${version})`);
  }
  return found;
}

await runMain(async () => {
  const files = repositoryFiles();
  const top = /** @type {Manifest} */ (readJson("package.json"));
  const manifests = files.filter((path) => /^((packages|games|apps)\/[^/]+|bench)\/package\.json$/.test(path));
  const tsconfigs = files.filter((path) =>
    /^((packages|games|apps)\/[^/]+|bench|scripts)\/tsconfig[^/]*\.json$/.test(path),
  );
  const folders = new Map(manifests.map((path) => [readJson(path).name, dirname(path)]));
  const built = new Set(references("tsconfig.json"));

  const unbuilt = tsconfigs
    .filter((path) => !built.has(path))
    .map((path) => `tsconfig.json: does not refer to ${path}, so nothing checks it`);
  const unreferenced = manifests.flatMap((path) => {
    const workspace = dirname(path);
    const referred = tsconfigs
      .filter((config) => dirname(config) === workspace)
      .flatMap(references)
      .map(dirname);
    return Object.keys(readJson(path).dependencies ?? {})
      .map((name) => folders.get(name))
      .filter((folder) => folder !== undefined && !referred.includes(folder))
      .map((folder) => `${workspace}: depends on ${folder}, but no tsconfig there refers to it`);
  });
  return report([
    ...checkManifest("package.json", top, top),
    ...manifests.flatMap((path) => checkManifest(path, readJson(path), top)),
    ...unbuilt,
    ...unreferenced,
  ]);
});
