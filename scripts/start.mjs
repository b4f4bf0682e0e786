/**
 * `npm start`: from a fresh clone to a served playground.
 *
 * install → compile → build pages → serve. The server runs in this process, so a signal sent here reaches it directly.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildPages, compile } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runMain } from "./lib/process.mjs";

await runMain(async () => {
  await ensureInstalled();
  await compile(["apps/playground"]);
  await buildPages();
  await import(pathToFileURL(join(root, "apps/playground/dist/main.js")).href);
});
