/** `npm run build`: everything, types and pages. */
import { buildPages, compile } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { runMain } from "./lib/process.mjs";

await runMain(async () => {
  await ensureInstalled();
  await compile();
  await buildPages();
});
