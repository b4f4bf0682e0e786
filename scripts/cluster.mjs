/**
 * `npm run cluster -- --servers 4`: one world over many servers on this machine.
 *
 * read options → install → compile → build pages → NATS → servers → bots; then a line of progress until Ctrl+C drains everything.
 */
import { join } from "node:path";
import { buildPages, compile } from "./lib/build.mjs";
import { Cluster } from "./lib/cluster.mjs";
import { clusterHelp, readClusterArgs } from "./lib/cluster-args.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root, runMain, say } from "./lib/process.mjs";

/** @typedef {import("./lib/cluster-args.mjs").ClusterArgs} ClusterArgs */

/** Where output is no terminal, a line is worth keeping only so often. */
const LINE_EVERY_S = process.stdout.isTTY ? 1 : 5;

/** @param {Cluster} cluster @param {ClusterArgs} args */
async function start(cluster, { servers, bots, port }) {
  if (servers > 1) {
    say("Starting three NATS nodes …");
    await cluster.startNats();
  }
  say(servers === 1 ? "Starting the server …" : `Starting ${servers} servers …`);
  const first = await cluster.startServer(port);
  for (let i = 1; i < servers; i++) await cluster.startServer();
  cluster.servers.forEach((server, i) => {
    const count = Math.floor((bots + i) / servers);
    if (count > 0) cluster.startBots(server, count, 1000 * (i + 1));
  });
  const address = `http://127.0.0.1:${first.port}/`;
  process.stdout.write(`Frontier:  ${address}\n`);
  for (const other of cluster.servers.slice(1)) process.stdout.write(`           http://127.0.0.1:${other.port}/\n`);
  process.stdout.write(`Inspector: ${address}inspector/#token=${cluster.token}\n`);
  process.stdout.write("Press Ctrl+C to stop.\n");
}

/** @param {Cluster} cluster @param {number} bots @param {{ bytesIn: number }} before */
function progress(cluster, bots, before) {
  const now = cluster.botsReport();
  const kilobytes = (now.bytesIn - before.bytesIn) / 1000 / LINE_EVERY_S;
  const servers = `${cluster.servers.length} ${cluster.servers.length === 1 ? "server" : "servers"}`;
  const line = `${servers} · ${now.active}/${bots} bots in · ${kilobytes.toFixed(1)} kB/s to them · ${now.gold} gold`;
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${line}`);
  else process.stdout.write(`${line}\n`);
  return now;
}

/** Resolves on the first signal. A second one ends the process at once. */
function signalled() {
  return new Promise((resolve) => {
    let isOver = false;
    for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
      process.on(signal, () => {
        if (isOver) process.exit(1);
        isOver = true;
        resolve(undefined);
      });
  });
}

/** Shows progress until the promise resolves, or the time is over. @param {Cluster} cluster @param {ClusterArgs} args @param {Promise<unknown>} ending */
async function play(cluster, { bots, seconds }, ending) {
  let before = cluster.botsReport();
  let elapsed = 0;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const over = new Promise((resolve) => {
    timer = setInterval(() => {
      elapsed += 1;
      if (elapsed % LINE_EVERY_S === 0) before = progress(cluster, bots, before);
      if (elapsed === seconds) resolve(undefined);
    }, 1000);
  });
  await Promise.race([over, ending]);
  clearInterval(timer);
}

await runMain(async () => {
  const args = readClusterArgs(process.argv.slice(2));
  if (args === "help") {
    process.stdout.write(clusterHelp);
    return;
  }
  if (args.build) {
    await ensureInstalled();
    await compile(["games/frontier/tsconfig.node.json"]);
    await buildPages(["games/frontier", "apps/inspector"]);
  }
  const token = process.env["NEARFIELD_INSPECTOR_TOKEN"];
  const cluster = new Cluster({
    inspectorPage: join(root, "apps/inspector/dist/page"),
    ...(token !== undefined && token !== "" && { token }),
    onEnded: ({ number }, how) => say(`\nServer ${number} has ended (${how}); the others take over what it owned.`),
  });
  try {
    const ending = signalled();
    await start(cluster, args);
    await play(cluster, args, ending);
    say("\nStopping …");
  } finally {
    await cluster.end();
  }
});
