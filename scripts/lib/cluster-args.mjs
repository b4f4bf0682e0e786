/** The options of `npm run cluster`. */

import { readOptions, UsageError } from "./options.mjs";

/** @typedef {{ servers: number, bots: number, port: number, seconds: number | undefined, build: boolean }} ClusterArgs */

const MOST_SERVERS = 16;
const MOST_BOTS = 1000;
const DEFAULTS = { servers: 4, bots: 40, port: 3000 };

const options = /** @type {const} */ ({
  servers: { type: "string", example: "4" },
  bots: { type: "string", example: "40" },
  port: { type: "string", example: "4000" },
  seconds: { type: "string", example: "60" },
  "no-build": { type: "boolean" },
});

export const clusterHelp = `One world over many servers: the frontier on several server processes, with NATS between them, bots and the inspector.

  npm run cluster                      ${DEFAULTS.servers} servers, ${DEFAULTS.bots} bots
  npm run cluster -- --servers 2       fewer servers; 1 needs no NATS, and the game is the same code

  --servers N    server processes, 1 to ${MOST_SERVERS} (default ${DEFAULTS.servers})
  --bots N       bots, spread over the servers, 0 to ${MOST_BOTS} (default ${DEFAULTS.bots})
  --port N       of the first server; the others take free ports; 0 takes any free one (default ${DEFAULTS.port})
  --seconds N    ends after so long (default: with Ctrl+C)
  --no-build     runs what is compiled already
  --help         this text

Several servers need NATS: Debian's package nats-server, or NEARFIELD_NATS with the path of the program. Three nodes are started on free ports of this
machine, with their data in a temporary folder, and with TLS and passwords made for this run. Ctrl+C drains the servers and leaves nothing behind.
NEARFIELD_INSPECTOR_TOKEN is the inspector's token; without it each start makes a new one.
`;

/** @param {readonly string[]} argv @returns {ClusterArgs | "help"} */
export function readClusterArgs(argv) {
  const { values } = readOptions(argv, options, { command: "npm run cluster" });
  if (values["help"]) return "help";
  const whole = (/** @type {keyof typeof options} */ name, /** @type {number} */ least, /** @type {number} */ most) => {
    const text = values[name];
    if (typeof text !== "string") return undefined;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new UsageError(`--${name} ${text}: must be a whole number from ${least} to ${most}.`);
  };
  return {
    servers: whole("servers", 1, MOST_SERVERS) ?? DEFAULTS.servers,
    bots: whole("bots", 0, MOST_BOTS) ?? DEFAULTS.bots,
    port: whole("port", 0, 65_535) ?? DEFAULTS.port,
    seconds: whole("seconds", 1, 1e6),
    build: values["no-build"] !== true,
  };
}
