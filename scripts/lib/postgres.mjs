/**
 * A PostgreSQL server for one test file or benchmark: in a temporary folder of its own, reached by a socket in that folder, so no port is used. It runs
 * with the settings that durability needs (fsync, full_page_writes and synchronous_commit are on); only `initdb` itself does not wait for the disk.
 * PostgreSQL refuses to run as root: for root it runs as the user `postgres` or `nobody`.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findProgram, postgres } from "./debian.mjs";

export class PostgresServer {
  #folder;
  #program;
  #user;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #endChild = () => void this.#child?.kill("SIGQUIT");

  /** Starts an empty server. Whoever starts it must stop it. */
  static async start() {
    const program = postgres.find();
    if (program === undefined) throw new Error("PostgreSQL is needed here: apt-get install postgresql");
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

  /** @private @param {string} program */
  constructor(program) {
    this.#program = program;
    this.#folder = mkdtempSync(join(tmpdir(), "nearfield-postgres-"));
    this.#user = process.getuid?.() === 0 ? humbleUser() : undefined;
    if (this.#user !== undefined) chownSync(this.#folder, this.#user.uid, this.#user.gid);
    process.once("exit", this.#endChild);
  }

  /** For `openStore`. @returns {string} */
  get address() {
    return `postgres://postgres@localhost/postgres?host=${encodeURIComponent(this.#folder)}`;
  }

  /** Ends the server without any farewell, as a power failure would, and starts it on what it left. */
  async crash() {
    await this.#end("SIGQUIT");
    await this.#run();
  }

  /** Resolves when nobody is connected any more: the sessions of a process that was killed may still be committing for a moment. */
  async untilAlone() {
    const query =
      "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";
    const psql = findProgram(["psql"], [dirname(realpathSync(this.#program))]);
    if (psql === undefined) throw new Error("psql is needed here: apt-get install postgresql-client");
    for (;;) {
      const args = [this.address, "-Atc", query];
      const child = spawn(psql, args, { stdio: ["ignore", "pipe", "inherit"] });
      let answer = "";
      child.stdout.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        answer += text;
      });
      const [code] = await once(child, "close");
      if (code !== 0) throw new Error(`psql ended with ${code}`);
      if (answer.trim() === "0") return;
    }
  }

  async stop() {
    await this.#end("SIGINT");
    process.off("exit", this.#endChild);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #initialise() {
    const data = join(this.#folder, "data");
    const args = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
    const options = { ...this.#user, cwd: this.#folder };
    const done = spawnSync(join(dirname(this.#program), "initdb"), args, { ...options, encoding: "utf8" });
    if (done.status !== 0) throw new Error(`initdb failed: ${done.error ?? ""}${done.stdout}${done.stderr}`);
  }

  async #run() {
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
    await new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", () => reject(new Error(`PostgreSQL did not start: ${log}`)));
      child.stderr.setEncoding("utf8").on("data", (/** @type {string} */ text) => {
        // Only the beginning is of interest.
        if (log.length < 10_000) log += text;
        if (log.includes("ready to accept connections")) resolve(undefined);
      });
    });
  }

  /** @param {"SIGINT" | "SIGQUIT"} signal */
  async #end(signal) {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }
}

function humbleUser() {
  const users = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = users.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL does not run as root, and there is no user postgres or nobody");
}
