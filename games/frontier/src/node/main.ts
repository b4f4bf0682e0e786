/** The program: one server of the frontier with its page and inspector, alone or in a cluster. `npm run cluster` and deploy/kubernetes start it. */

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerHealth, drainOnSignals } from "@nearfield/server/node";
import { openStore } from "@nearfield/store/node";
import { HELP, type ProgramOptions, readProgramOptions } from "./program-options.ts";
import { pageAnswerer } from "./site.ts";
import { pageFolder, type RunningFrontier, startFrontier } from "./start-frontier.ts";

async function run({ port, host, address: given, page, data, cluster }: ProgramOptions): Promise<void> {
  const answerPage = pageAnswerer(pageFolder);
  let running: RunningFrontier | undefined;
  const http = createServer((request, response) => {
    if (running === undefined) response.writeHead(503).end("The server is starting.\n");
    else if (answerHealth(running.game, request, response)) return;
    else if (running.answer(request, response)) return;
    else if (request.url === "/gateways.json") answerJson(response, running.cluster?.gateways() ?? []);
    else answerPage(request, response);
  });
  http.listen(port, host);
  await new Promise((resolve, reject) => {
    http.once("listening", resolve);
    http.once("error", reject);
  });
  const bound = http.address() as AddressInfo;
  const address = given ?? (host === "0.0.0.0" ? undefined : `http://${host}:${bound.port}/`);
  const token = process.env["NEARFIELD_INSPECTOR_TOKEN"];
  const onDead = (): void => {
    console.error("The other servers have declared this one dead: it was paused or cut off for too long.");
    process.exit(1);
  };
  running = await startFrontier({
    server: http,
    path: "/ws",
    ...(data !== undefined && { store: await openStore(data) }),
    ...(cluster !== undefined && { cluster: { ...cluster, onDead, ...(address !== undefined && { address }) } }),
    ...(token !== undefined && { inspector: { token, ...(page !== undefined && { page }) } }),
  });
  drainOnSignals([running.game]);
  const number = running.cluster?.number ?? 0;
  console.log(`Frontier server ${number}: http://${host}:${bound.port}/`);
  // Whoever started this process over a channel is told by it.
  process.send?.({ port: bound.port, number });
}

/** Pages of other servers may ask too: their own one may be gone. */
function answerJson(response: ServerResponse, json: unknown): void {
  const head = { "Content-Type": "application/json", "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*" };
  response.writeHead(200, head).end(JSON.stringify(json));
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
