/**
 * `npm start`: from a fresh clone to a served playground.
 *
 * read options → install → compile → build pages → serve. The server runs in this process, so a signal sent here reaches it directly.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildPages, compile } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runMain } from "./lib/process.mjs";
import { readStartArgs, startHelp } from "./lib/start-args.mjs";

await runMain(async () => {
  const args = readStartArgs(process.argv.slice(2), process.env);
  if (args === "help") {
    process.stdout.write(startHelp);
    return;
  }
  await ensureInstalled();
  await compile(["apps/playground"]);
  await buildPages();
  process.env["PORT"] = String(args.port);
  process.env["NEARFIELD_DATA"] = args.data;
  await import(pathToFileURL(join(root, "apps/playground/dist/main.js")).href);
});
