/**
 * What a load balancer or an orchestrator asks over HTTP. `/healthz`: do rounds run? `/readyz`: should players be sent here? The two differ
 * while a server drains, is full, or fails a check of `server.addReadiness`: it is healthy then, but no player should be sent to it.
 *
 * Both answer 200 or 503 with a line of text that says why, and tell nothing about players.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "@nearfield/server";

/** A server hangs if its last round began longer ago than this, ms; or than ten rounds, if those are longer. */
const LEAST_HANG_MS = 5000;
const HANG_ROUNDS = 10;

/** Undefined while the server's rounds run; else what is wrong. */
export function illnessOf(server: Server): string | undefined {
  const { isClosed, roundMs, roundNumber, timeMs } = server;
  if (isClosed) return "the server is closed";
  const sinceMs = timeMs - roundNumber * roundMs;
  if (sinceMs <= Math.max(LEAST_HANG_MS, HANG_ROUNDS * roundMs)) return undefined;
  return `the last round, number ${roundNumber}, began ${Math.round(sinceMs)} ms ago`;
}

/**
 * Answers a request for `/healthz` or `/readyz` below a prefix. Returns false for any other request. `serve` with a port of its own and
 * `serveInspector` call it. A web server of your own calls it first: `if (answerHealth(server, request, response)) return;`
 */
export function answerHealth(server: Server, request: IncomingMessage, response: ServerResponse, prefix = ""): boolean {
  const path = (request.url ?? "/").split(/[?#]/, 1)[0]!;
  const isHead = request.method === "HEAD";
  if (path === `${prefix}/healthz`) say(response, illnessOf(server), isHead);
  else if (path === `${prefix}/readyz`) say(response, illnessOf(server) ?? server.unreadyBecause, isHead);
  else return false;
  return true;
}

function say(response: ServerResponse, trouble: string | undefined, isHead: boolean): void {
  const text = `${trouble ?? "ok"}\n`;
  response.writeHead(trouble === undefined ? 200 : 503, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(isHead ? undefined : text);
}
