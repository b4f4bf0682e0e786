/** The program: one server of the frontier with its page and inspector, alone or in a cluster. `npm run cluster` and deploy/kubernetes start it. */

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerHealth, drainOnSignals } from "@nearfield/server/node";
import { HELP, type ProgramOptions, readProgramOptions } from "./program-options.ts";
import { pageAnswerer } from "./site.ts";
import { pageFolder, startFrontier } from "./start-frontier.ts";

async function run({ port, host, page, cluster }: ProgramOptions): Promise<void> {
  const answerPage = pageAnswerer(pageFolder);
  const http = createServer((request, response) => {
    if (!answerHealth(running.game, request, response)) answerPage(request, response);
  });
  const token = process.env["NEARFIELD_INSPECTOR_TOKEN"];
  const onDead = (): void => {
    console.error("The other servers have declared this one dead: it was paused or cut off for too long.");
    process.exit(1);
  };
  const running = await startFrontier({
    server: http,
    path: "/ws",
    ...(cluster !== undefined && { cluster: { ...cluster, onDead } }),
    ...(token !== undefined && { inspector: { token, ...(page !== undefined && { page }) } }),
  });
  http.listen(port, host);
  await new Promise((resolve, reject) => {
    http.once("listening", resolve);
    http.once("error", reject);
  });
  drainOnSignals([running.game]);
  const address = http.address() as AddressInfo;
  const number = running.cluster?.number ?? 0;
  console.log(`Frontier server ${number}: http://${host}:${address.port}/`);
  // Whoever started this process over a channel is told by it.
  process.send?.({ port: address.port, number });
}

try {
  const options = readProgramOptions(process.argv.slice(2), process.env);
  if (options === "help") process.stdout.write(HELP);
  else await run(options);
} catch (error) {
  console.error(`The server could not start: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
  process.disconnect?.();
}
