/**
 * `npm run fresh-clone`: does what a newcomer does, and fails where a newcomer would fail.
 *
 * clone HEAD into an empty folder → the README's first command, with an empty npm cache → open every page → join every game → stop. Which
 * games there are is asked of the server. Nothing that is built or installed here is used, and nothing of it may change. The last line is
 * `N passed, N failed`.
 */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readOptions } from "./lib/options.mjs";
import { root, runMain, ScriptError, say } from "./lib/process.mjs";
import { addressesIn, addressIn, firstCommand } from "./lib/served.mjs";

const help = `Clones HEAD into an empty folder and runs the README's first command there, with an empty npm cache: every page must answer, a bot
must get into every game, and the server must stop when it is told to. What is not committed is not tried.

  npm run fresh-clone              takes one to three minutes; the last line is \`N passed, N failed\`
  npm run fresh-clone -- --keep    leaves the folder for you to look at
  npm run fresh-clone -- --help    this text
`;

/** Limits end what hangs, on a machine that does other things too. */
const START_MS = 10 * 60_000;
const STOP_MS = 30_000;
const BOT_MS = 60_000;

/** What npm says to nobody's use: each is a thing that we could have put right. */
const noise = /^npm warn (EBADENGINE|install-scripts|deprecated).*$/m;

let passed = 0;
let failed = 0;

/**
 * One thing that must work. @template T @param {string} what @param {() => Promise<T> | T} attempt @returns {Promise<T | undefined>} undefined: it did not
 */
async function expectThat(what, attempt) {
  const startedMs = performance.now();
  try {
    const result = await attempt();
    passed += 1;
    say(`ok     ${what} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
    return result;
  } catch (error) {
    failed += 1;
    say(`FAILED ${what}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** @param {boolean} condition @param {string} otherwise */
function must(condition, otherwise) {
  if (!condition) throw new Error(otherwise);
}

/** @template T @param {Promise<T>} promise @param {number} limitMs @param {string} what @returns {Promise<T>} */
function within(promise, limitMs, what) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: not within ${limitMs / 1000} s`)), limitMs);
  });
  return /** @type {Promise<T>} */ (Promise.race([promise, limit])).finally(() => clearTimeout(timer));
}

/** @param {string} folder @param {...string} args */
function git(folder, ...args) {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

/** What was built or installed in a checkout: changes when any of it does. @param {string} folder */
function fingerprint(folder) {
  const hash = createHash("sha256");
  const add = (/** @type {string} */ path) => {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  };
  const walk = (/** @type {string} */ path) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) walk(inner);
      else add(inner);
    }
  };
  const workspaces = ["packages", "games", "apps"].flatMap((group) =>
    readdirSync(join(folder, group)).map((name) => join(folder, group, name)),
  );
  for (const workspace of [...workspaces, join(folder, "bench")]) {
    const output = join(workspace, "dist");
    if (existsSync(output)) walk(output);
  }
  const record = join(folder, "node_modules/.package-lock.json");
  if (existsSync(record)) add(record);
  return hash.digest("hex");
}

/** The environment of somebody who has only this clone. @param {string} cache @returns {NodeJS.ProcessEnv} */
function newcomersEnv(cache) {
  const ours =
    /^(npm_(lifecycle|package)_|npm_(command|execpath|node_execpath)$|INIT_CWD$|NODE_(ENV|OPTIONS|PATH)$|NEARFIELD_|CI$)/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(kept), npm_config_cache: cache, PORT: "0" };
}

/** A start that is under way. */
class Start {
  output = "";
  /** Its own exit code, null when a signal ended it; resolves once nobody holds its output any more. @type {Promise<number | null>} */
  ended;
  #child;

  /** @param {string} command @param {readonly string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} env */
  constructor(command, args, cwd, env) {
    this.#child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        this.output += text;
        process.stderr.write(text.replace(/^(?=.)/gm, "       | "));
      });
    }
    this.ended = new Promise((resolve, reject) => {
      this.#child.on("error", reject);
      this.#child.on("close", resolve);
    });
    this.ended.catch(() => {});
  }

  /** Where it serves, once it does. @returns {Promise<string>} */
  async address() {
    const serves = new Promise((resolve) => {
      const look = () => {
        const address = addressIn(this.output);
        if (address !== undefined) resolve(address);
      };
      this.#child.stdout.on("data", look);
      look();
    });
    const fails = this.ended.then((code) => {
      throw new Error(`it ended with code ${code} instead`);
    });
    return within(Promise.race([serves, fails]), START_MS, "no address");
  }

  stop() {
    this.#child.kill("SIGTERM");
  }
}

/** @param {string} address */
async function fetchText(address) {
  const response = await fetch(address);
  must(response.ok, `${address} answers ${response.status}`);
  return { type: response.headers.get("content-type") ?? "", text: await response.text() };
}

/** Opens a page and everything it refers to. @param {string} address */
async function openPage(address) {
  const { type, text } = await fetchText(address);
  must(type.startsWith("text/html"), `${address} is ${type || "of no type"}`);
  const parts = addressesIn(text, address);
  must(parts.length > 0, `${address} refers to nothing, not even a script`);
  for (const part of parts) await fetchText(part);
}

/** Lets a bot play a game until it was sent something. @param {string} clone @param {string} id @param {string} address */
async function playWithBot(clone, id, address) {
  const module =
    ["games", "apps"].map((folder) => join(clone, folder, id, "dist/node/index.js")).find(existsSync) ?? "";
  must(module !== "", `${id} has no bots (dist/node/index.js)`);
  /** @type {{ joinBots: (options: { url: string, count: number }) => { allIn: Promise<void>, report: () => { updates: number }, leave: () => void } }} */
  const { joinBots } = await import(pathToFileURL(module).href);
  const { error: report } = console;
  /** @type {string[]} */
  const complaints = [];
  // Bots report their mistakes there and play on.
  console.error = (/** @type {unknown[]} */ ...words) => complaints.push(words.join(" "));
  const bots = joinBots({ url: new URL(`/${id}/ws`, address.replace("http", "ws")).href, count: 1 });
  try {
    await within(bots.allIn, BOT_MS, "the bot is not in");
    const hears = new Promise((resolve) => {
      const timer = setInterval(() => {
        if (bots.report().updates === 0) return;
        clearInterval(timer);
        resolve(undefined);
      }, 20);
    });
    await within(hears, BOT_MS, "the bot is in and was sent nothing");
    must(complaints.length === 0, complaints[0] ?? "");
  } finally {
    bots.leave();
    console.error = report;
  }
}

/** What must hold while it serves. @param {string} clone @param {string} address */
async function visit(clone, address) {
  await expectThat("the first page and all it links to answer", () => openPage(address));
  const games = await expectThat("the server says which games there are", async () => {
    const status = JSON.parse((await fetchText(new URL("/status.json", address).href)).text);
    const ids = Object.keys(status.games);
    must(ids.length > 0, "it names none");
    return ids;
  });
  for (const id of games ?? []) {
    await expectThat(`the page of ${id} answers`, () => openPage(new URL(`/${id}/`, address).href));
    await expectThat(`a bot joins ${id} and is sent updates`, () => playWithBot(clone, id, address));
  }
}

/** @param {string} address */
async function mustBeGone(address) {
  const answer = await fetch(address).then(
    ({ status }) => status,
    () => undefined,
  );
  must(answer === undefined, `${address} still answers ${answer}`);
}

/** @param {string} clone @param {string} command @param {NodeJS.ProcessEnv} env */
async function tryClone(clone, command, env) {
  const [program = "", ...args] = command.split(" ");
  const first = new Start(program, args, clone, env);
  try {
    const address = await expectThat(`"${command}" installs, builds and serves`, () => first.address());
    if (address === undefined) return;
    await expectThat("npm warns of nothing that we could put right", () => {
      must(!noise.test(first.output), noise.exec(first.output)?.[0] ?? "");
    });
    await visit(clone, address);
    await expectThat("SIGTERM to npm ends the server too", async () => {
      first.stop();
      await within(first.ended, STOP_MS, "something still runs");
      await mustBeGone(address);
    });
  } finally {
    first.stop();
  }
  const second = new Start(process.execPath, [join(clone, "scripts/start.mjs"), "--port", "0"], clone, env);
  try {
    const address = await expectThat("a second start serves", () => second.address());
    if (address === undefined) return;
    await expectThat("SIGTERM ends it with exit code 0", async () => {
      second.stop();
      const code = await within(second.ended, STOP_MS, "it still runs");
      must(code === 0, `exit code ${code}`);
      await mustBeGone(address);
    });
  } finally {
    second.stop();
  }
  await expectThat("the clone is as it was committed", () => {
    const changes = git(clone, "status", "--porcelain");
    must(changes === "", `\n${changes}`);
  });
}

await runMain(async () => {
  const { values } = readOptions(
    process.argv.slice(2),
    { keep: { type: "boolean" } },
    { command: "npm run fresh-clone" },
  );
  if (values["help"]) {
    process.stdout.write(help);
    return;
  }
  const command = firstCommand(readFileSync(join(root, "README.md"), "utf8"));
  if (command === undefined)
    throw new ScriptError("README.md has no shell block, so there is no first command to try.");
  const before = fingerprint(root);
  const folder = mkdtempSync(join(tmpdir(), "nearfield-fresh-"));
  const clone = join(folder, "nearfield");
  try {
    mkdirSync(clone);
    git(clone, "init", "--quiet");
    git(clone, "fetch", "--quiet", "--depth", "1", pathToFileURL(root).href, "HEAD");
    git(clone, "checkout", "--quiet", "FETCH_HEAD");
    say(`${git(clone, "log", "-1", "--format=%h %s")}\n       in ${clone}`);
    await tryClone(clone, command, newcomersEnv(join(folder, "npm-cache")));
  } finally {
    if (values["keep"]) say(`It stays in ${folder}.`);
    else rmSync(folder, { recursive: true, force: true });
  }
  await expectThat("nothing changed where this was started", () => {
    must(fingerprint(root) === before, `something was built or installed in ${root}`);
  });
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  // A client that was imported may still have timers.
  process.exit(failed > 0 ? 1 : 0);
});
