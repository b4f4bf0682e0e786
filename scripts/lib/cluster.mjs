/**
 * A whole cluster as processes of this machine: NATS nodes, servers of the frontier, and processes with bots. Each process is in a group of its own, so
 * that Ctrl+C reaches only whoever started them, and they end in order: bots, servers, NATS.
 */
import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isProgram, natsServer } from "./debian.mjs";
import { NatsNodes } from "./nats.mjs";
import { root, ScriptError } from "./process.mjs";

/** @typedef {{ port: number, number: number, child: import("node:child_process").ChildProcess, said: string[] }} ServerProcess number: 0 on one server alone */
/** @typedef {{ active: number, joined: number, bytesIn: number, bytesOut: number, gold: number, lost: number }} BotsReport */
/** @typedef {{ child: import("node:child_process").ChildProcess, report: BotsReport }} BotsProcess */
/** @typedef {{ onEnded?: (server: ServerProcess, how: string) => void, inspectorPage?: string, token?: string }} ClusterOptions */

const SERVER = join(root, "games/frontier/dist/node/main.js");
const BOTS = join(root, "scripts/cluster-bots.mjs");
/** A server that drains gets this long. */
const DRAIN_MS = 8000;
const MOST_SAID = 200;

export class Cluster {
  /** @type {NatsNodes | undefined} */
  nats;
  /** @type {ServerProcess[]} */
  servers = [];
  /** @type {BotsProcess[]} */
  bots = [];
  #options;
  #token;
  #isEnding = false;

  /** @param {ClusterOptions} [options] */
  constructor(options = {}) {
    this.#options = options;
    this.#token = options.token ?? randomBytes(18).toString("base64url");
    process.once("exit", this.#endAtExit);
  }

  get token() {
    return this.#token;
  }

  /** Starts NATS, with secrets that only this cluster has. @param {import("./nats.mjs").Wiring} [wiring] of the nodes among each other; default: directly */
  async startNats(wiring) {
    const program = natsServer.find();
    if (program === undefined || !isProgram(program))
      throw new ScriptError(
        "A world over many servers needs the NATS server, and it is not here.\n" +
          `  Debian, Ubuntu:  sudo apt-get update && sudo apt-get install ${natsServer.debian}\n` +
          `  elsewhere:       ${natsServer.elsewhere}\n` +
          "One server alone needs none: npm run cluster -- --servers 1",
      );
    const nats = await NatsNodes.start({ program, ...(wiring !== undefined && { wiring }) });
    this.nats = nats;
    const folder = join(nats.folder, "server");
    await mkdir(folder);
    const { ca, cert, key } = /** @type {NonNullable<typeof nats.secrets>} */ (nats.secrets).tls;
    for (const [name, text] of /** @type {const} */ ([
      ["ca.crt", ca],
      ["tls.crt", cert],
      ["tls.key", key],
    ]))
      await writeFile(join(folder, name), text, { mode: 0o600 });
  }

  /**
   * Starts one server more, in the cluster if NATS runs.
   *
   * @param {number} [port] default: any free one
   * @param {readonly string[]} [addresses] under which it reaches NATS; default: those of the nodes
   * @returns {Promise<ServerProcess>}
   */
  async startServer(port = 0, addresses = this.nats?.servers ?? []) {
    if (!existsSync(SERVER)) throw new ScriptError("The frontier is not built; leave out --no-build.");
    const { nats } = this;
    const secrets = nats?.secrets;
    const inCluster =
      nats === undefined
        ? []
        : [
            ...["--nats", addresses.join(","), "--replicas", "3", "--tls-folder", join(nats.folder, "server")],
            ...["--data", join(nats.folder, "accounts")],
          ];
    const page = this.#options.inspectorPage === undefined ? [] : ["--inspector-page", this.#options.inspectorPage];
    const env = {
      ...process.env,
      NEARFIELD_INSPECTOR_TOKEN: this.#token,
      ...(secrets !== undefined && {
        NEARFIELD_NATS_USER: secrets.user,
        NEARFIELD_NATS_PASSWORD: secrets.password,
      }),
    };
    const child = forked(SERVER, ["--port", `${port}`, ...inCluster, ...page], env);
    /** @type {string[]} */
    const said = [];
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        said.push(text);
        if (said.length > MOST_SAID) said.shift();
      });
    const told = await firstMessage(child).catch((/** @type {Error} */ error) => {
      throw new ScriptError(`A server could not start: ${error.message}\n${said.join("")}`);
    });
    const server = { .../** @type {{ port: number, number: number }} */ (told), child, said };
    this.servers.push(server);
    child.once("exit", (code, signal) => {
      this.servers = this.servers.filter((other) => other !== server);
      if (!this.#isEnding) this.#options.onEnded?.(server, signal ?? `code ${code}`);
    });
    return server;
  }

  /** Lets bots join one server, from a process of their own. @param {{ port: number }} server @param {number} count @param {number} seed */
  startBots({ port }, count, seed) {
    const others = this.servers.filter((server) => server.port !== port);
    const urls = [{ port }, ...others].map((server) => `ws://127.0.0.1:${server.port}/ws`);
    const child = forked(BOTS, [urls.join(","), `${count}`, `${seed}`], process.env);
    child.stdout?.resume();
    child.stderr?.resume();
    /** @type {BotsProcess} */
    const bots = { child, report: { active: 0, joined: 0, bytesIn: 0, bytesOut: 0, gold: 0, lost: 0 } };
    child.on("message", (report) => {
      bots.report = /** @type {BotsReport} */ (report);
    });
    this.bots.push(bots);
    return bots;
  }

  /** All bots together. @returns {BotsReport} */
  botsReport() {
    const sum = { active: 0, joined: 0, bytesIn: 0, bytesOut: 0, gold: 0, lost: 0 };
    for (const { report } of this.bots)
      for (const name of /** @type {(keyof BotsReport)[]} */ (Object.keys(sum))) sum[name] += report[name];
    return sum;
  }

  /** Drains the servers, then ends everything. */
  async end() {
    this.#isEnding = true;
    await Promise.all(this.bots.map(({ child }) => ended(child, "SIGTERM", 2000)));
    await Promise.all(this.servers.map(({ child }) => ended(child, "SIGTERM", DRAIN_MS)));
    await this.nats?.end();
    process.off("exit", this.#endAtExit);
  }

  #endAtExit = () => {
    for (const { child } of [...this.bots, ...this.servers]) child.kill("SIGKILL");
  };
}

/** @param {string} module @param {readonly string[]} args @param {NodeJS.ProcessEnv} env */
function forked(module, args, env) {
  // What runs is compiled, whatever flags this process has.
  return fork(module, [...args], { env, execArgv: [], detached: true, stdio: ["ignore", "pipe", "pipe", "ipc"] });
}

/** @param {import("node:child_process").ChildProcess} child */
function firstMessage(child) {
  return new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`it ended with ${signal ?? `code ${code}`}`)));
  });
}

/** @param {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} signal @param {number} patienceMs */
async function ended(child, signal, patienceMs) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  await gone;
  clearTimeout(timer);
}
