/** The options of `npm start`. An option wins over an environment variable. */

import { readOptions, UsageError } from "./options.mjs";

const command = "npm start";
const defaultPort = 3000;
/** In the folder where the command runs. */
const defaultData = ".nearfield";

const options = /** @type {const} */ ({
  port: { type: "string", example: "4000" },
  data: { type: "string", example: "my-worlds" },
});

export const startHelp = `Builds Nearfield and serves the playground: every game, the simulator and the inspector, on one port.

  npm start                   at http://localhost:${defaultPort}/
  npm start -- --port 4000    on another port; 0 takes any free one
  npm start -- --data FOLDER  where accounts and goods are kept; "memory:" keeps nothing (default .nearfield, here)
  npm start -- --help         this text

Instead of --port the variable PORT may be set. NEARFIELD_INSPECTOR_TOKEN is the inspector's token; without it each start makes a new one.
Installs what is missing first. Ctrl+C stops it.
`;

/**
 * @param {readonly string[]} argv
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ port: number, data: string } | "help"}
 */
export function readStartArgs(argv, env) {
  // `npm start --port 4000`: without the two dashes before it npm keeps the option, and hands on at most its value.
  const kept = env["npm_config_port"] ?? "";
  if (kept !== "" && !argv.some((arg) => arg.startsWith("-"))) {
    const port = [...argv, kept, "4000"].find((text) => /^\d+$/.test(text));
    throw new UsageError(`npm kept --port for itself. Write two dashes before it: ${command} -- --port ${port}`);
  }
  const { values } = readOptions(argv, options, { command });
  if (values["help"]) return "help";
  const data = typeof values["data"] === "string" ? values["data"] : defaultData;
  if (typeof values["port"] === "string") return { port: readPort(`--port ${values["port"]}`, values["port"]), data };
  const fromEnv = env["PORT"];
  if (fromEnv === undefined || fromEnv === "") return { port: defaultPort, data };
  return { port: readPort(`PORT=${fromEnv}`, fromEnv), data };
}

/** @param {string} given @param {string} text */
function readPort(given, text) {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new UsageError(`${given}: a port is a whole number from 0 (any free one) to 65535.`);
}
