/**
 * Three NATS nodes with JetStream, in processes of their own, on loopback ports that the system gave, with their files in a temporary folder. `end`
 * ends the processes and removes the folder.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface NatsNodes {
  readonly servers: readonly string[];
  end(): Promise<void>;
}

export async function startNats(program: string): Promise<NatsNodes> {
  // Somebody else may take a port between its choice and its use. The nodes are then started anew on others.
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(program);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

async function startOnce(program: string): Promise<NatsNodes> {
  const folder = await mkdtemp(join(tmpdir(), "nearfield-nats-"));
  const ports = await freePorts(6);
  const routes = ports.slice(3).map((port) => `nats://127.0.0.1:${port}`);
  const nodes = routes.map((route, i) => {
    const flags = ["-a", "127.0.0.1", "-p", `${ports[i]}`, "-js", "-sd", join(folder, `node${i}`), "-n", `node${i}`];
    const cluster = ["--cluster_name", "test", "--cluster", route, "--routes", routes.join(",")];
    return spawn(program, [...flags, ...cluster, "-l", join(folder, `node${i}.log`)], { stdio: "ignore" });
  });
  const end = async (): Promise<void> => {
    await Promise.all(nodes.map(endProcess));
    await rm(folder, { recursive: true, force: true });
  };
  const died = Promise.race(nodes.map(diedEarly));
  try {
    await Promise.race([hasLeader(nodes.map((_, i) => join(folder, `node${i}.log`))), died]);
  } catch (error) {
    await end();
    throw error;
  }
  died.catch(() => {});
  return { servers: ports.slice(0, 3).map((port) => `127.0.0.1:${port}`), end };
}

/** The nodes have chosen the one that decides which node leads which stream: before that, nothing can be stored. */
async function hasLeader(logs: readonly string[]): Promise<void> {
  for (;;) {
    const texts = await Promise.all(logs.map((path) => readFile(path, "utf8").catch(() => "")));
    if (texts.some((log) => /JetStream cluster new (meta|metadata) leader/.test(log))) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function diedEarly(node: ChildProcess): Promise<never> {
  const [code] = await once(node, "exit");
  throw new Error(`nats-server ended with code ${code}`);
}

async function endProcess(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, "exit");
  node.kill("SIGKILL");
  await ended;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}
