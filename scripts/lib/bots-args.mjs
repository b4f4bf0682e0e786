/** The options of `npm run bots`, and its messages for wrong ones. */

import { readOptions, UsageError } from "./options.mjs";

/** @typedef {{ url: string, count: number, game: string, seconds: number | undefined, seed: number, udp: boolean, build: boolean }} BotsArgs */

/** The games that have bots: what to compile, and the module that has `joinBots`. @type {Record<string, { project: string, module: string, path: string }>} */
const BOT_GAMES = {
  arena: { project: "games/arena/tsconfig.node.json", module: "games/arena/dist/node/index.js", path: "/arena/ws" },
  pacman: {
    project: "games/pacman/tsconfig.node.json",
    module: "games/pacman/dist/node/index.js",
    path: "/pacman/ws",
  },
  skirmish: {
    project: "games/skirmish/tsconfig.node.json",
    module: "games/skirmish/dist/node/index.js",
    path: "/skirmish/ws",
  },
  outpost: {
    project: "games/outpost/tsconfig.node.json",
    module: "games/outpost/dist/node/index.js",
    path: "/outpost/ws",
  },
  frontier: {
    project: "games/frontier/tsconfig.node.json",
    module: "games/frontier/dist/node/index.js",
    path: "/frontier/ws",
  },
  board: { project: "apps/board/tsconfig.node.json", module: "apps/board/dist/node/index.js", path: "/board/ws" },
};

const MOST_BOTS = 1000;

const options = /** @type {const} */ ({
  url: { type: "string", example: "ws://localhost:3000/arena/ws" },
  count: { type: "string", example: "48" },
  game: { type: "string", example: "arena" },
  seconds: { type: "string", example: "60" },
  seed: { type: "string", example: "1" },
  udp: { type: "boolean" },
  "no-build": { type: "boolean" },
});

/** @param {string} name */
export function botGame(name) {
  const game = Object.hasOwn(BOT_GAMES, name) ? BOT_GAMES[name] : undefined;
  if (game === undefined)
    throw new UsageError(`--game ${name}: there are bots for ${Object.keys(BOT_GAMES).join(", ")}.`);
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
  const { values } = readOptions(argv, options, { command: "npm run bots" });
  if (values["help"]) return "help";
  const text = (/** @type {keyof typeof options} */ name) => /** @type {string | undefined} */ (values[name]);
  const game = text("game") ?? "arena";
  const seconds = text("seconds");
  botGame(game);
  return {
    url: readUrl(text("url"), game),
    count: whole("--count", text("count") ?? "8", 1, MOST_BOTS),
    game,
    seconds: seconds === undefined ? undefined : whole("--seconds", seconds, 1, 1e6),
    seed: whole("--seed", text("seed") ?? "1", 0, 2 ** 31),
    udp: values["udp"] === true,
    build: values["no-build"] !== true,
  };
}

/** @param {string | undefined} text @param {string} game */
function readUrl(text, game) {
  const example = `for example ws://localhost:3000/${game}/ws, where \`npm start\` serves it`;
  if (text === undefined) throw new UsageError(`--url is missing: where is the server? ${example}.`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "ws:" && url?.protocol !== "wss:")
    throw new UsageError(`--url ${text}: must be a ws:// or wss:// address, ${example}.`);
  return url.href;
}

/** @param {string} name @param {string} text @param {number} least @param {number} most */
function whole(name, text, least, most) {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new UsageError(`${name} ${text}: must be a whole number from ${least} to ${most}.`);
}

/** Says what to do when the server did not let a bot in. @param {unknown} error @param {BotsArgs} args */
export function reasonOf(error, { url, game }) {
  const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
  const advice = {
    link: `Nothing answers there. Is a server running, and is the path right? \`npm start\` serves ${game} at ws://localhost:3000${botGame(game).path}.`,
    schema: `There is a server, but it does not run this version of ${game}: start it from the same sources, or check the path of ${url}.`,
    version: "Server and bots were built from different versions of Nearfield: build both from the same sources.",
    "too-many":
      "The server takes no more of one address: ask for fewer (--count), or start it with a larger limits.perAddress.",
    full: "The server takes no more players: ask for fewer (--count), or raise its limit.",
  };
  const known = /** @type {Record<string, string>} */ (advice)[code ?? ""];
  return known === undefined ? message : `${message}\n${known}`;
}
