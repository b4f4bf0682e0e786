/** A STUN and TURN server for tests: whether coturn is here, and a server of a test's own, on loopback alone. */
import { type ChildProcess, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { coturn } from "../scripts/lib/debian.mjs";

/** Why tests with coturn cannot run here; undefined when they can. In CI they must. */
export const noTurn: string | undefined =
  coturn.find() === undefined && process.env["CI"] !== "true"
    ? "coturn is not installed: sudo apt-get install coturn"
    : undefined;

const USER = { username: "ann", credential: "secret" };

export class TurnServer {
  readonly #folder = mkdtempSync(join(tmpdir(), "nearfield-turn-"));
  readonly #port: number;
  readonly #child: ChildProcess;
  #log = "";

  /** Starts a server that listens. Whoever starts it must stop it. */
  static async start(): Promise<TurnServer> {
    const program = coturn.find();
    if (program === undefined) throw new Error("coturn is needed here: apt-get install coturn");
    const server = new TurnServer(program, await freePort());
    try {
      await server.#until("listener opened on");
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  private constructor(program: string, port: number) {
    this.#port = port;
    const options = {
      "listening-ip": "127.0.0.1",
      "relay-ip": "127.0.0.1",
      "listening-port": port,
      realm: "nearfield",
      user: `${USER.username}:${USER.credential}`,
      pidfile: join(this.#folder, "pid"),
      userdb: join(this.#folder, "users"),
      "log-file": "stdout",
    };
    // Nobody outside of this machine can reach it, so peers on loopback are no danger.
    const flags = ["lt-cred-mech", "allow-loopback-peers", "no-cli", "no-tls", "no-dtls", "no-tcp", "verbose"];
    const args = ["-n", ...flags.map((flag) => `--${flag}`)];
    for (const [name, value] of Object.entries(options)) args.push(`--${name}=${value}`);
    this.#child = spawn(program, args, { cwd: this.#folder, stdio: ["ignore", "pipe", "ignore"] });
    this.#child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      this.#log += text;
      this.#child.emit("log");
    });
  }

  get stun(): { readonly url: string } {
    return { url: `stun:127.0.0.1:${this.#port}` };
  }

  get turn(): { readonly url: string; readonly username: string; readonly credential: string } {
    return { url: `turn:127.0.0.1:${this.#port}?transport=udp`, ...USER };
  }

  /** How often the server has given somebody an address to be reached at. */
  get allocations(): number {
    return this.#log.match(/ALLOCATE processed, success/g)?.length ?? 0;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill("SIGKILL");
      await once(this.#child, "exit");
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #until(words: string): Promise<void> {
    const isOver = new AbortController();
    this.#child.once("exit", () => isOver.abort(new Error(`coturn did not start: ${this.#log}`)));
    this.#child.once("error", (error) => isOver.abort(error));
    while (!this.#log.includes(words)) await once(this.#child, "log", { signal: isOver.signal });
  }
}

/** A UDP port that nobody has at this moment: coturn does not tell which one it took. */
async function freePort(): Promise<number> {
  const socket = createSocket("udp4");
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address();
  socket.close();
  return port;
}
