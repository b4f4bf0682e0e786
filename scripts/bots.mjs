/**
 * `npm run bots -- --url ws://… --count 48 --game arena` (or pacman): bots that play like people, one real client connection each, against any Nearfield server
 * that runs the game. A load test with a progress line; ends with Ctrl+C, or after `--seconds`.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { botGame, botsHelp, readBotsArgs, reasonOf } from "./lib/bots-args.mjs";
import { compile } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runMain, ScriptError, say } from "./lib/process.mjs";

/** @typedef {import("./lib/bots-args.mjs").BotsArgs} BotsArgs */
/** @typedef {{ joined: number, active: number, bytesIn: number, bytesOut: number, updates: number, roundTripMs: number, deeds: Record<string, number> }} Report */
/** @typedef {{ allIn: Promise<void>, report: () => Report, leave: () => void }} Bots */
/** @typedef {(options: { url: string, count: number, seed: number, udp: boolean, onChange: (what: "in" | "out", index: number, reason: string) => void }) => Bots} JoinBots */

/** Where output is no terminal, a line is worth keeping only so often. */
const LINE_EVERY_S = process.stdout.isTTY ? 1 : 5;

/** The game's bots, compiled if need be. @param {BotsArgs} args @returns {Promise<JoinBots>} */
async function loadBots({ game, build }) {
  const { project, module } = botGame(game);
  if (build) {
    await ensureInstalled();
    await compile([project]);
  }
  const file = join(root, module);
  if (!existsSync(file)) throw new ScriptError(`${module} is not built; leave out --no-build.`);
  return (await import(pathToFileURL(file).href)).joinBots;
}

/** @param {Report} now @param {Report} before @param {number} seconds @param {number} count */
function progress(now, before, seconds, count) {
  const rate = (/** @type {"bytesIn" | "bytesOut" | "updates"} */ what) => (now[what] - before[what]) / seconds;
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB/s`;
  return [
    `${now.active}/${count} bots in`,
    `${kilobytes(rate("bytesIn"))} in`,
    `${kilobytes(rate("bytesOut"))} out`,
    `${Math.round(rate("updates"))} updates/s`,
    `${now.roundTripMs.toFixed(1)} ms round trip`,
    deeds(now)[0],
  ].join(" · ");
}

/** What they did in the game, that which matters most first. @param {Report} report */
function deeds({ deeds }) {
  return Object.entries(deeds).map(([name, count]) => `${count} ${name}`);
}

/** @param {string} line @param {boolean} isLast */
function show(line, isLast) {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${line}${isLast ? "\n" : ""}`);
  else process.stdout.write(`${line}\n`);
}

await runMain(async () => {
  const args = readBotsArgs(process.argv.slice(2));
  if (args === "help") {
    process.stdout.write(botsHelp());
    return 0;
  }
  const joinBots = await loadBots(args);
  let lost = 0;
  const bots = joinBots({
    ...args,
    onChange: (what, index, reason) => {
      if (what === "in") return;
      lost += 1;
      if (lost <= 3) say(`\nbot ${index + 1} is out: ${reason}`);
    },
  });
  /** @type {Report} */
  let before = bots.report();
  let elapsed = 0;
  /** @type {unknown} */
  let failure;
  await new Promise((resolve) => {
    const timer = setInterval(() => {
      elapsed += 1;
      if (args.seconds !== undefined && elapsed >= args.seconds) return end();
      if (elapsed % LINE_EVERY_S !== 0) return;
      const now = bots.report();
      show(progress(now, before, LINE_EVERY_S, args.count), false);
      before = now;
    }, 1000);
    const end = () => {
      clearInterval(timer);
      resolve(undefined);
    };
    process.once("SIGINT", end);
    process.once("SIGTERM", end);
    bots.allIn.catch((error) => {
      failure = error;
      end();
    });
  });
  const report = bots.report();
  bots.leave();
  if (failure !== undefined) throw new ScriptError(reasonOf(failure, args));
  show(
    `${report.joined} ${report.joined === 1 ? "bot" : "bots"} played ${elapsed} s: ${(report.bytesIn / 1000).toFixed(0)} kB in, ${(report.bytesOut / 1000).toFixed(0)} kB out, ` +
      `${report.updates} updates, ${deeds(report).join(", ")}, ${lost} lost`,
    true,
  );
  return lost === 0 ? 0 : 1;
});
