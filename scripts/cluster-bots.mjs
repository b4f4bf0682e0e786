/** A process with bots of the frontier: `cluster-bots.mjs URL,URL… COUNT SEED`, where the first server takes them in, and the others if it is gone. Tells whoever started it once a second how they are; ends on SIGTERM, or with it. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./lib/process.mjs";

const [urls = "", count = "1", seed = "1"] = process.argv.slice(2);
const [url = "", ...others] = urls.split(",");
let tried = 0;
/** @typedef {{ active: number, joined: number, bytesIn: number, bytesOut: number, deeds: { gold: number } }} Report */
/** @typedef {{ allIn: Promise<void>, report: () => Report, leave: () => void }} Bots */
/** @type {{ joinBots: (options: { url: string, count: number, seed: number, everyMs: number, elsewhere: () => string, onChange: (what: "in" | "out") => void }) => Bots }} */
const { joinBots } = await import(pathToFileURL(join(root, "games/frontier/dist/node/index.js")).href);
let lost = 0;
const bots = joinBots({
  url,
  count: Number(count),
  seed: Number(seed),
  everyMs: 25,
  elsewhere: () => [url, ...others][++tried % (others.length + 1)] ?? url,
  onChange: (what) => {
    if (what === "out") lost += 1;
  },
});
// A bot that could not get in is not in the report.
bots.allIn.catch(() => {});

const tell = () => {
  const { active, joined, bytesIn, bytesOut, deeds } = bots.report();
  process.send?.({ active, joined, bytesIn, bytesOut, gold: deeds.gold, lost });
};
setInterval(tell, 1000);
const end = () => {
  bots.leave();
  setTimeout(() => process.exit(0), 100);
};
process.once("SIGTERM", end);
process.once("disconnect", end);
