/** `npm run build`: everything, types and pages. */
import { buildPages, compile } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { readOptions } from "./lib/options.mjs";
import { runMain } from "./lib/process.mjs";

const help = `Compiles every package and builds every page, into the \`dist\` folder of each. Installs what is missing first.

  npm run build             everything
  npm run build -- --help   this text
`;

await runMain(async () => {
  if (readOptions(process.argv.slice(2), {}, { command: "npm run build" }).values["help"]) {
    process.stdout.write(help);
    return;
  }
  await ensureInstalled();
  await compile();
  await buildPages();
});
