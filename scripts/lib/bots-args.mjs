/** What `npm run bots` is told, and what it says when that does not work. */

import { parseArgs } from "node:util";
import { ScriptError } from "./process.mjs";

/** @typedef {{ url: string, count: number, game: string, seconds: number | undefined, seed: number, udp: boolean, build: boolean }} BotsArgs */

/** The games that have bots: what to compile, and the module that has `joinBots`. @type {Record<string, { project: string, module: string, path: string }>} */
const BOT_GAMES = {
  arena: { project: "games/arena/tsconfig.node.json", module: "games/arena/dist/node/index.js", path: "/arena/ws" },
  pacman: {
    project: "games/pacman/tsconfig.node.json",
    module: "games/pacman/dist/node/index.js",
    path: "/pacman/ws",
  },
};

const MOST_BOTS = 1000;

/** @param {string} name */
export function botGame(name) {
  const game = Object.hasOwn(BOT_GAMES, name) ? BOT_GAMES[name] : undefined;
  if (game === undefined)
    throw new ScriptError(`--game ${name}: there are bots for ${Object.keys(BOT_GAMES).join(", ")}.`);
  return game;
}

export function botsHelp() {
  return `Bots that play like people, one real client connection each.

  npm run bots -- --url ws://localhost:3000/arena/ws --count 48
  npm run bots -- --url ws://localhost:3000/pacman/ws --count 30 --game pacman

  --url URL      where the game's WebSocket is; of \`npm start\` it is ws://localhost:3000/GAME/ws
  --count N      how many bots, 1 to ${MOST_BOTS} (default 8)
  --game NAME    ${Object.keys(BOT_GAMES).join(", ")} (default arena)
  --seconds N    ends after so long (default: with Ctrl+C)
  --seed S       how they play; another seed, other bots (default 1)
  --udp          state over UDP (WebRTC) beside the WebSocket, where the server offers it
  --no-build     runs what is compiled already
  --help         this text

Every second: bots in, bytes per second in and out, updates per second, mean round trip, and what they did: kills, or points.
`;
}

/** @param {readonly string[]} argv @returns {BotsArgs | "help"} */
export function readBotsArgs(argv) {
  const options = /** @type {const} */ ({
    url: { type: "string" },
    count: { type: "string", default: "8" },
    game: { type: "string", default: "arena" },
    seconds: { type: "string" },
    seed: { type: "string", default: "1" },
    udp: { type: "boolean", default: false },
    "no-build": { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  });
  let values;
  try {
    ({ values } = parseArgs({ args: [...argv], options, allowPositionals: false }));
  } catch (error) {
    throw new ScriptError(`${/** @type {Error} */ (error).message}\n\n${botsHelp()}`);
  }
  if (values.help) return "help";
  botGame(values.game);
  return {
    url: readUrl(values.url, values.game),
    count: whole("--count", values.count, 1, MOST_BOTS),
    game: values.game,
    seconds: values.seconds === undefined ? undefined : whole("--seconds", values.seconds, 1, 1e6),
    seed: whole("--seed", values.seed, 0, 2 ** 31),
    udp: values.udp,
    build: !values["no-build"],
  };
}

/** @param {string | undefined} text @param {string} game */
function readUrl(text, game) {
  const example = `for example ws://localhost:3000/${game}/ws, where \`npm start\` serves it`;
  if (text === undefined) throw new ScriptError(`--url is missing: where is the server? ${example}.`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "ws:" && url?.protocol !== "wss:")
    throw new ScriptError(`--url ${text}: must be a ws:// or wss:// address, ${example}.`);
  return url.href;
}

/** @param {string} name @param {string} text @param {number} least @param {number} most */
function whole(name, text, least, most) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new ScriptError(`${name} ${text}: must be a whole number from ${least} to ${most}.`);
}

/** What to do about a server that did not let a bot in. @param {unknown} error @param {BotsArgs} args */
export function reasonOf(error, { url, game }) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
  const advice = {
    link: `Nothing answers there. Is a server running, and is the path right? \`npm start\` serves ${game} at ws://localhost:3000${botGame(game).path}.`,
    schema: `There is a server, but it does not run this version of ${game}: start it from the same sources, or check the path of ${url}.`,
    version: "Server and bots were built from different versions of Nearfield: build both from the same sources.",
    full: "The server takes no more players: ask for fewer (--count), or raise its limit.",
  };
  const known = /** @type {Record<string, string>} */ (advice)[code ?? ""];
  return known === undefined ? message : `${message}\n${known}`;
}
