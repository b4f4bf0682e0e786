/**
 * A PostgreSQL server for one test file: in a temporary folder of its own, reached by a socket in that folder, so no port is used. It runs with the
 * settings that durability needs (fsync, full_page_writes and synchronous_commit are on); only `initdb` itself does not wait for the disk.
 * PostgreSQL refuses to run as root: root's tests run it as the user `postgres` or `nobody`.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { postgres } from "../scripts/lib/debian.mjs";

const program = postgres.find();

/** Why tests with PostgreSQL cannot run here; undefined when they can. In CI they must. */
export const noPostgres: string | undefined =
  program === undefined && process.env["CI"] !== "true"
    ? "PostgreSQL is not installed: sudo apt-get install postgresql"
    : undefined;

export class PostgresServer {
  readonly #folder: string;
  readonly #program: string;
  readonly #user: { readonly uid: number; readonly gid: number } | undefined;
  #child: ChildProcess | undefined;
  readonly #endChild = (): void => void this.#child?.kill("SIGQUIT");

  static async start(): Promise<PostgresServer> {
    if (program === undefined) throw new Error("the tests of stores need PostgreSQL: apt-get install postgresql");
    const server = new PostgresServer(program);
    try {
      server.#initialise();
      await server.#run();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  private constructor(program: string) {
    this.#program = program;
    this.#folder = mkdtempSync(join(tmpdir(), "nearfield-postgres-"));
    this.#user = process.getuid?.() === 0 ? humbleUser() : undefined;
    if (this.#user !== undefined) chownSync(this.#folder, this.#user.uid, this.#user.gid);
    process.once("exit", this.#endChild);
  }

  get address(): string {
    return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(this.#folder)}`;
  }

  /** Ends the server without any farewell, as a power failure would, and starts it on what it left. */
  async crash(): Promise<void> {
    await this.#end("SIGQUIT");
    await this.#run();
  }

  async stop(): Promise<void> {
    await this.#end("SIGINT");
    process.off("exit", this.#endChild);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #initialise(): void {
    const args = [
      "-D",
      join(this.#folder, "data"),
      "-U",
      "postgres",
      "-A",
      "trust",
      "-E",
      "UTF8",
      "--locale=C",
      "--no-sync",
    ];
    const done = spawnSync(join(dirname(this.#program), "initdb"), args, {
      ...this.#user,
      cwd: this.#folder,
      encoding: "utf8",
    });
    if (done.status !== 0) throw new Error(`initdb failed: ${done.error ?? ""}${done.stdout}${done.stderr}`);
  }

  async #run(): Promise<void> {
    const settings = {
      listen_addresses: "",
      unix_socket_directories: this.#folder,
      fsync: "on",
      full_page_writes: "on",
      synchronous_commit: "on",
      shared_buffers: "16MB",
      log_min_messages: "log",
    };
    const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const child = spawn(this.#program, ["-D", join(this.#folder, "data"), ...args], {
      ...this.#user,
      cwd: this.#folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    let log = "";
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`PostgreSQL did not start: ${log}`)));
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        // Only the beginning is of interest.
        if (log.length < 10_000) log += text;
        if (log.includes("ready to accept connections")) resolve();
      });
    });
  }

  async #end(signal: "SIGINT" | "SIGQUIT"): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }
}

function humbleUser(): { uid: number; gid: number } {
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL does not run as root, and there is no user postgres or nobody");
}
