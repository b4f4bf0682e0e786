/** The options of the frontier's program, from its command line and, for secrets, from its environment. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { FrontierOptions } from "./start-frontier.ts";

export interface ProgramOptions {
  readonly port: number;
  readonly host: string;
  /** Of the page, for players of other servers; undefined: derived from the port, or none where the server listens on every interface. */
  readonly address: string | undefined;
  readonly page: string | undefined;
  /** Where accounts are kept; undefined: in memory, or in a cluster nowhere. */
  readonly data: string | undefined;
  readonly cluster: FrontierOptions["cluster"];
}

export const HELP = `One server of the frontier.

  --port N            where it listens; 0 takes any free port (default 3000)
  --host ADDRESS      on which interface (default 127.0.0.1)
  --address URL       where players of other servers find its page when their own server is gone (default: host and port;
                      none with --host 0.0.0.0)
  --nats A:P,B:P      NATS nodes: it is one server of a cluster then. Default: none, the whole country lies on this server
  --world NAME        which world of this NATS (default frontier)
  --replicas 1|3      NATS nodes that hold each key and log (default 1)
  --data PLACE        where accounts are kept: a folder, or postgres://…; the same for all servers of a cluster. Default: in
                      memory; in a cluster nowhere, and then there are no yards
  --tls-folder PATH   ca.crt, tls.crt and tls.key for NATS
  --inspector-page P  folder of the inspector's built page (default: the feed alone)
  --help              this text

NEARFIELD_NATS_USER and NEARFIELD_NATS_PASSWORD are for NATS, NEARFIELD_INSPECTOR_TOKEN is the inspector's token.
GET /healthz and /readyz tell the health. SIGTERM and SIGINT drain it.
`;

const FLAGS = {
  port: { type: "string", default: "3000" },
  host: { type: "string", default: "127.0.0.1" },
  address: { type: "string" },
  nats: { type: "string" },
  world: { type: "string", default: "frontier" },
  replicas: { type: "string", default: "1" },
  "tls-folder": { type: "string" },
  "inspector-page": { type: "string" },
  data: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** Throws an error whose message says which option is wrong. */
export function readProgramOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ProgramOptions | "help" {
  const { values } = parseArgs({ args: [...args], options: FLAGS });
  if (values.help) return "help";
  const { nats, world, replicas, "tls-folder": tlsFolder } = values;
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new Error(`--port ${values.port}: a port is a whole number from 0 to 65535`);
  if (replicas !== "1" && replicas !== "3") throw new Error(`--replicas ${replicas}: 1 or 3 nodes can hold a key`);
  const [user, password] = [env["NEARFIELD_NATS_USER"], env["NEARFIELD_NATS_PASSWORD"]];
  const cluster: FrontierOptions["cluster"] =
    nats === undefined
      ? undefined
      : {
          nats: {
            servers: nats.split(","),
            world,
            replicas: replicas === "3" ? 3 : 1,
            ...(user !== undefined && { user }),
            ...(password !== undefined && { password }),
            ...(tlsFolder !== undefined && { tls: readTls(tlsFolder) }),
          },
        };
  return {
    port,
    host: values.host,
    address: values.address,
    page: values["inspector-page"],
    data: values.data,
    cluster,
  };
}

function readTls(folder: string): { readonly ca: string; readonly cert: string; readonly key: string } {
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  return { ca: read("ca.crt"), cert: read("tls.crt"), key: read("tls.key") };
}
