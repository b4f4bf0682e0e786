/**
 * NATS nodes with JetStream that form one cluster: processes of their own, on loopback ports that the system gave, with their files in a temporary
 * folder. With secrets, nobody reaches them without a certificate of this cluster's own authority and the password; without, anybody on this machine
 * does, which is for tests of the bus alone.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Authority } from "./certificates.mjs";

/** @typedef {{ user: string, password: string, tls: { ca: string, cert: string, key: string } }} NatsSecrets what a server of the world needs to get in */
/**
 * Says under which ports each node reaches the others, given the ports at which the nodes listen for each other: a row for each node, with a port for
 * each node. For tests that cut nodes off from each other.
 * @typedef {(routePorts: readonly number[]) => Promise<readonly (readonly number[])[]>} Wiring
 */
/** @typedef {{ program: string, nodes?: number, hasSecrets?: boolean, wiring?: Wiring, isHidden?: boolean }} NatsOptions nodes: default 3; hasSecrets: default true; wiring: default: directly; isHidden: they tell nobody how to reach them, default false */
/** @typedef {{ name: string, port: number, routePort: number, child: import("node:child_process").ChildProcess | undefined }} Node */

/** Somebody else may take a port between its choice and its use. The nodes are then started anew on others. */
const ATTEMPTS = 3;
const LOOK_MS = 25;
const NOBODYS_PORT = 1;
const ADDRESS = "127.0.0.1";
const USER = "nearfield";

export class NatsNodes {
  #program;
  #folder = mkdtempSync(join(tmpdir(), "nearfield-nats-"));
  /** @type {Node[]} */
  #nodes = [];
  /** @type {NatsSecrets | undefined} */
  secrets;
  /** Nothing is left behind, however this process ends; a process that is killed outright cannot see to that. */
  #endAtExit = () => {
    for (const { child } of this.#nodes) child?.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  };

  /** @param {NatsOptions} options @returns {Promise<NatsNodes>} */
  static async start(options) {
    for (let attempt = 1; ; attempt++) {
      const nodes = new NatsNodes(options.program);
      try {
        await nodes.#begin(options);
        return nodes;
      } catch (error) {
        await nodes.end();
        if (attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** @private @param {string} program */
  constructor(program) {
    this.#program = program;
    process.once("exit", this.#endAtExit);
  }

  /** Addresses for clients. */
  get servers() {
    return this.#nodes.map(({ port }) => `${ADDRESS}:${port}`);
  }

  /** Where the nodes speak to each other. */
  get routePorts() {
    return this.#nodes.map(({ routePort }) => routePort);
  }

  get names() {
    return this.#nodes.map(({ name }) => name);
  }

  /** The folder with everything that the nodes write, and the secrets. */
  get folder() {
    return this.#folder;
  }

  /** The node that led a stream last, as the nodes' logs say: a node notes when it begins to lead. @param {string} stream @returns {Promise<string | undefined>} */
  async leaderOf(stream) {
    const notes = await Promise.all(
      this.names.map(async (name) => {
        const lines = (await this.#log(name)).split("\n").filter((line) => line.includes(` > ${stream}'`));
        const atTime = lines.findLast((line) => line.includes("new stream leader"))?.replace(/^\[\d+\] /, "");
        return { name, atTime };
      }),
    );
    return notes
      .filter(({ atTime }) => atTime !== undefined)
      .sort((a, b) => ((a.atTime ?? "") < (b.atTime ?? "") ? 1 : -1))[0]?.name;
  }

  /** Ends a node at once, as a power failure would. @param {string} name */
  async kill(name) {
    await endProcess(this.#node(name).child);
  }

  /** Starts a node anew on what it left. @param {string} name */
  restart(name) {
    this.#run(this.#node(name));
  }

  async end() {
    await Promise.all(this.#nodes.map(({ child }) => endProcess(child)));
    process.off("exit", this.#endAtExit);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** @param {NatsOptions} options */
  async #begin({ nodes = 3, hasSecrets = true, wiring, isHidden = false }) {
    const ports = await freePorts(2 * nodes);
    this.#nodes = Array.from({ length: nodes }, (_, i) => {
      return { name: `node${i + 1}`, port: ports[i] ?? 0, routePort: ports[nodes + i] ?? 0, child: undefined };
    });
    if (hasSecrets) this.secrets = await this.#makeSecrets();
    const reached = (await wiring?.(this.routePorts)) ?? this.#nodes.map(() => this.routePorts);
    // Nodes tell each other of third ones, who are then reached past the wires. Nothing listens at the address that hidden ones tell.
    const told = isHidden ? `advertise: "${ADDRESS}:${NOBODYS_PORT}"` : "";
    for (const [i, node] of this.#nodes.entries()) await this.#configure(node, reached[i] ?? [], told);
    for (const node of this.#nodes) this.#run(node);
    const early = Promise.race(this.#nodes.map(({ name, child }) => this.#endedEarly(name, child)));
    await Promise.race([this.#hasLeader(), early]);
    early.catch(() => {});
  }

  async #makeSecrets() {
    const authority = new Authority("Nearfield cluster");
    await this.#keep("ca.pem", authority.certificate);
    for (const { name } of this.#nodes) {
      const { cert, key } = authority.identity(name, [ADDRESS, "localhost"]);
      await this.#keep(`${name}.cert.pem`, cert);
      await this.#keep(`${name}.key.pem`, key);
    }
    const tls = { ca: authority.certificate, ...authority.identity("server", [ADDRESS, "localhost"]) };
    return { user: USER, password: randomBytes(24).toString("hex"), tls };
  }

  /** Only this user may read it. @param {string} name @param {string} text */
  #keep(name, text) {
    return writeFile(join(this.#folder, name), text, { mode: 0o600 });
  }

  /** @param {Node} node @param {readonly number[]} reached ports under which it reaches the nodes @param {string} told the line that says what it tells others of itself */
  async #configure({ name, port, routePort }, reached, told) {
    const at = (/** @type {string} */ file) => JSON.stringify(join(this.#folder, file));
    const { secrets } = this;
    const user = secrets === undefined ? "" : `user: "${secrets.user}", password: "${secrets.password}"`;
    const tls = `tls { cert_file: ${at(`${name}.cert.pem`)}, key_file: ${at(`${name}.key.pem`)}, ca_file: ${at("ca.pem")}, verify: true, timeout: 10 }`;
    const guarded = (/** @type {string} */ text) => (secrets === undefined ? "" : text);
    const login = secrets === undefined ? "" : `${secrets.user}:${secrets.password}@`;
    const routes = reached.map((port) => `"nats-route://${login}${ADDRESS}:${port}"`);
    const config = `server_name: ${name}
listen: "${ADDRESS}:${port}"
log_file: ${at(`${name}.log`)}
jetstream { store_dir: ${at(name)} }
${guarded(`authorization { users: [{ ${user} }], timeout: 10 }\n${tls}`)}
cluster {
  name: nearfield
  listen: "${ADDRESS}:${routePort}"
  routes: [${routes.join(", ")}]
  ${told}
  ${guarded(`authorization { ${user}, timeout: 10 }\n  ${tls}`)}
}
`;
    await mkdir(join(this.#folder, name));
    await this.#keep(`${name}.conf`, config);
  }

  /** @param {Node} node */
  #run(node) {
    // A process group of its own: Ctrl+C is for us, and the nodes go last.
    const options = { stdio: /** @type {const} */ ("ignore"), detached: true };
    node.child = spawn(this.#program, ["-c", join(this.#folder, `${node.name}.conf`)], options);
  }

  /** The nodes have chosen the one that decides which node leads which stream: before that, nothing can be stored. */
  async #hasLeader() {
    const isOne = this.#nodes.length === 1;
    for (;;) {
      const logs = await Promise.all(this.#nodes.map(({ name }) => this.#log(name)));
      if (logs.some((log) => (isOne ? /Server is ready/ : /JetStream cluster new (meta|metadata) leader/).test(log)))
        return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  /** @param {string} name */
  #log(name) {
    return readFile(join(this.#folder, `${name}.log`), "utf8").catch(() => "");
  }

  /** @param {string} name @param {import("node:child_process").ChildProcess | undefined} child @returns {Promise<never>} */
  async #endedEarly(name, child) {
    const code = await new Promise((resolve, reject) => {
      child?.once("exit", resolve);
      child?.once("error", reject);
    });
    throw new Error(`nats-server ended with code ${code}:\n${(await this.#log(name)).slice(-2000)}`);
  }

  /** @param {string} name @returns {Node} */
  #node(name) {
    const node = this.#nodes.find((known) => known.name === name);
    if (node === undefined) throw new Error(`there is no node ${name}`);
    return node;
  }
}

/** @param {import("node:child_process").ChildProcess | undefined} child */
async function endProcess(child) {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** @param {number} count */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, ADDRESS);
      await once(server, "listening");
      return server;
    }),
  );
  const ports = servers.map((server) => /** @type {import("node:net").AddressInfo} */ (server.address()).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
