/**
 * Checks that pure sources use no clock, dice, timer or host: these are parameters, so that the same seed gives the same run.
 *
 * The dependency check finds imports of Node modules; this check reads the syntax tree for globals. Sources whose
 * results must agree between machines may also use no Math function that differs in its last bits between engines.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { report, repositoryFiles } from "./lib/files.mjs";
import { root, runMain } from "./lib/process.mjs";
import { findImpurities } from "./lib/purity.mjs";

/** Pure packages, the main entry points (everything outside node/ and browser/) of the others, and what a game's server and page share. */
const pure =
  /^(packages\/(schema|simulation|rollback|presentation|core|protocol|transport|server|inspector|client|store|social|cluster|netlab)|games\/[^/]+|apps\/board)\/src\/(?!node\/|browser\/)/;

/**
 * What runs on several machines and must agree bit for bit: the simulation with the angles it builds on, models and presenters (lag
 * compensation), and what a game's server and page share, step functions among it.
 */
const bitExact =
  /^(packages\/schema\/src\/angles\.ts$|(packages\/(simulation|rollback|presentation)|games\/[^/]+)\/src\/(?!clock\/))/;

await runMain(async () => {
  const sources = repositoryFiles().filter((path) => pure.test(path) && !/(\.test\.ts|\.md)$/.test(path));
  return report(
    sources.flatMap((path) =>
      findImpurities(path, readFileSync(join(root, path), "utf8"), { bitExact: bitExact.test(path) }),
    ),
  );
});
