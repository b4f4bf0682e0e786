/**
 * `npm run test:nodes`: the tests that need no browser, on every release of Node that the README promises, one after the other.
 *
 * Everything is installed and built once, by the Node that runs this script; the other releases only run the tests. The nightly tier does this too.
 * The last line is `N passed, N failed`, over all releases.
 */
import { buildPages, compile } from "./lib/build.mjs";
import { prepareColyseus } from "./lib/colyseus.mjs";
import { chooseNodes, nodeProgram, promisedNodes } from "./lib/nodes.mjs";
import { readOptions } from "./lib/options.mjs";
import { runMain, say } from "./lib/process.mjs";
import { runVitest, sumOf } from "./lib/vitest.mjs";

const help = `Runs the tests that need no browser on Node ${promisedNodes.join(", ")}, which npm brings as packages.

  npm run test:nodes                        all tests on each
  npm run test:nodes -- 24                  on one of them
  npm run test:nodes -- 24 packages/core    some tests, as npm test takes them
  npm run test:nodes -- --help              this text
`;

await runMain(async () => {
  const { values, names } = readOptions(process.argv.slice(2), {}, { command: "npm run test:nodes", takesNames: true });
  if (values["help"]) {
    process.stdout.write(help);
    return 0;
  }
  const { versions, rest } = chooseNodes(names);
  await prepareColyseus({ compiles: false });
  await compile();
  await buildPages();
  const results = [];
  for (const version of versions) {
    const node = await nodeProgram(version);
    say(`== Node ${version}`);
    const counts = await runVitest(["--project", "unit", ...rest], { node });
    say(`Node ${version}: ${counts.passed} passed, ${counts.failed} failed`);
    results.push(counts);
  }
  const { passed, failed } = sumOf(results);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed > 0 ? 1 : 0;
});
