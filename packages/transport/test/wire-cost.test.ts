/**
 * The formula of wire bytes against the kernel's counters of loopback. It runs in a network namespace of its own, so that no other traffic is counted.
 */

import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { DATACHANNEL_HEADER_BYTES, framedBytes, wireBytes, wirePackets, writtenWireBytes } from "../src/wire-cost.ts";
import type { Findings } from "./loopback-run.ts";

const IP_TCP = 52;
const IP_UDP = 28;
const TLS = 22;
const LOOPBACK_RUN = new URL("loopback-run.ts", import.meta.url).pathname;

/** Why loopback cannot be counted here; undefined where it can. */
const reason = whyNot();
if (reason !== undefined) console.log(`wire-cost: the kernel's counters are not compared: ${reason}`);

describe("wire cost", () => {
  it("adds the headers of each carrier", () => {
    expect(DATACHANNEL_HEADER_BYTES).toBe(93);
    expect(wireBytes("datachannel", "toClient", 10)).toBe(93 + 12);
    expect(wireBytes("websocket", "toClient", 125)).toBe(76 + 125);
    expect(wireBytes("websocket", "toClient", 126)).toBe(78 + 126);
    expect(wireBytes("websocket", "toServer", 10)).toBe(80 + 10);
    expect(writtenWireBytes(127)).toBe(wireBytes("websocket", "toClient", 125));
    expect(framedBytes("datachannel", "sequenced", 10)).toBe(13);
    expect(framedBytes("websocket", "sequenced", 10)).toBe(11);
  });

  it("counts every segment and every record of TLS of a long message", () => {
    expect(wirePackets("websocket", "toClient", 1000)).toBe(1);
    expect(wirePackets("websocket", "toClient", 3000)).toBe(3);
    expect(wireBytes("websocket", "toClient", 3000)).toBe(3000 + 4 + TLS + 3 * IP_TCP);
    const stream = 70_000 + 10 + 5 * TLS;
    expect(wireBytes("websocket", "toClient", 70_000)).toBe(stream + Math.ceil(stream / 1448) * IP_TCP);
  });

  it.skipIf(reason !== undefined && process.env["CI"] === undefined)("is what the kernel counts on loopback", () => {
    const { sizes, udp, toClient, toServer, long, burst, datachannel } = runInNamespace();
    const sum = sizes.reduce((total, size) => total + size, 0);
    expect(udp).toEqual({ packets: sizes.length, bytes: sum + IP_UDP * sizes.length });

    // A message is a segment. Packets beyond those are acknowledgements, which have headers alone. There is no TLS here.
    for (const way of [toClient, toServer]) {
      expect(way.messages).toBe(sizes.length);
      expect(way.packets).toBe(way.messages);
      expect(way.segments).toBe(way.packets);
      expect(way.kernel.bytes).toBe(way.wireBytes - TLS * way.messages + IP_TCP * (way.kernel.packets - way.packets));
    }
    // Loopback has longer packets than a network, so a long message takes fewer of them there; its bytes in the stream are the same.
    const stream = long.wireBytes - IP_TCP * long.packets - TLS * (1 + 1 + 5);
    expect(long.kernel.bytes - IP_TCP * long.kernel.packets).toBe(stream);
    // Messages of one moment may share a segment: the formula never says less than the wire carries.
    expect(burst.segments).toBeLessThanOrEqual(burst.packets);
    expect(burst.kernel.bytes - IP_TCP * (burst.kernel.packets - burst.segments)).toBeLessThanOrEqual(burst.wireBytes);

    // An acknowledgement of SCTP has the headers of a message without one. Tries into which a check of ICE fell are left out.
    const exact = datachannel.filter(
      ({ kernel, wireBytes, packets }) => kernel.bytes === wireBytes + 93 * (kernel.packets - packets),
    );
    expect(exact.length, JSON.stringify(datachannel)).toBeGreaterThan(0);
  });
});

function whyNot(): string | undefined {
  if (process.platform !== "linux") return `${process.platform} has no network namespaces`;
  const tried = spawnSync("unshare", ["-rn", "sh", "-c", "ip link set lo up && ss -tin"], { encoding: "utf8" });
  if (tried.error !== undefined) return tried.error.message;
  return tried.status === 0 ? undefined : `unshare, ip or ss failed: ${tried.stderr.trim()}`;
}

function runInNamespace(): Findings {
  const script = `
    const { runnerImport } = await import("vite");
    const conditions = ["nearfield:source"];
    const resolve = { conditions, externalConditions: conditions };
    const { module } = await runnerImport(process.argv[1], { configFile: false, resolve, ssr: { resolve } });
    console.log(JSON.stringify(module.findings));
    process.exit(0);`;
  const child = `ip link set lo up && exec "$0" --input-type=module -e "$1" "$2"`;
  const output = execFileSync("unshare", ["-rn", "sh", "-c", child, process.execPath, script, LOOPBACK_RUN], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    timeout: 120_000,
  });
  return JSON.parse(output.trim().split("\n").at(-1)!) as Findings;
}
