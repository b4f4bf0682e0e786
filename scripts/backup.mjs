/**
 * `npm run backup -- --from PLACE --to FILE_OR_FOLDER`: copies a store while servers use it, and restores a copy. What the places may be stands in
 * packages/store/src/node/copy-store.ts.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { readOptions, UsageError } from "./lib/options.mjs";
import { root, runMain, ScriptError } from "./lib/process.mjs";

const help = `Copies a store of records, while servers use it, or restores a copy.

  npm run backup -- --from data/store --to backup.jsonl              a dump: lines of JSON that every store can restore
  npm run backup -- --from data/store --to backups/monday            a folder that can be opened as it is (embedded store)
  npm run backup -- --from postgres://user@host/game --to a.jsonl    a dump of a PostgreSQL store
  npm run backup -- --from backup.jsonl --to data/new                restores a dump to an empty store
  npm run backup -- --from data/store --to postgres://user@host/game moves a store to PostgreSQL

  --from PLACE   the store's folder, its postgres:// address, or a dump (a file that ends in .jsonl)
  --to PLACE     a new file that ends in .jsonl, a new folder, or an empty PostgreSQL database
  --no-build     use what is built already
  --help         this text
`;

await runMain(async () => {
  const { values } = readOptions(
    process.argv.slice(2),
    {
      from: { type: "string", example: "data/store" },
      to: { type: "string", example: "backup.jsonl" },
      "no-build": { type: "boolean" },
    },
    { command: "npm run backup" },
  );
  if (values["help"]) {
    process.stdout.write(help);
    return 0;
  }
  const { from, to } = values;
  if (typeof from !== "string" || typeof to !== "string") {
    throw new UsageError(
      "--from and --to are needed: which store, and where the copy goes.\nnpm run backup -- --help says more.",
    );
  }
  if (!values["no-build"]) {
    await ensureInstalled();
    await compile(["packages/store/tsconfig.node.json"]);
  }
  /** @type {typeof import("../packages/store/dist/node/index.js")} */
  const { copyStore, StoreError } = await import(pathToFileURL(join(root, "packages/store/dist/node/index.js")).href);
  try {
    const records = await copyStore(from, to);
    process.stdout.write(
      `Copied ${records === undefined ? "the store" : `${records} records`} from ${hidden(from)} to ${hidden(to)}.\n`,
    );
  } catch (error) {
    if (error instanceof StoreError) throw new ScriptError(`${error.message}.`);
    throw error;
  }
  return 0;
});

/** An address without its password. @param {string} place */
function hidden(place) {
  return place.replace(/^([a-z]+:\/\/[^:/@]*):[^@]*@/i, "$1@");
}
