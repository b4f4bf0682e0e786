/**
 * Checks that the names which the packages' entry points export are those in packages/public-names.txt, so that a new one is a decision. Entry
 * points `/internal` are for packages of this repository, and are not listed.
 *
 * `node scripts/check-names.mjs --write` takes the present names into the list.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { report, repositoryFiles } from "./lib/files.mjs";
import { root, runMain, say } from "./lib/process.mjs";
import { differences, exportedNames, formatNames, parseNames, rootNames } from "./lib/public-names.mjs";
import { entryPoints } from "./lib/references.mjs";

const listPath = join(root, "packages/public-names.txt");

await runMain(async () => {
  /** @type {Record<string, string[]>} */
  const names = {};
  for (const path of repositoryFiles().filter((file) => /^packages\/[^/]+\/package\.json$/.test(file))) {
    for (const [entry, source] of entryPoints(dirname(path), JSON.parse(readFileSync(join(root, path), "utf8")))) {
      if (!entry.endsWith("/internal")) names[entry] = exportedNames(source, readFileSync(join(root, source), "utf8"));
    }
  }
  if (process.argv.includes("--write")) {
    writeFileSync(listPath, formatNames(names));
    say(`${rootNames(names)} names at the packages' roots`);
    return 0;
  }
  return report(differences(names, parseNames(readFileSync(listPath, "utf8"))));
});
