import { MemoryListener } from "@nearfield/transport/internal";
import { describe, expect, it } from "vitest";
import { changePath, conditionedLinks, conditionedPath } from "./conditioned-links.ts";
import { Dice } from "./dice.ts";
import { VirtualClock } from "./virtual-clock.ts";

function timesOfEcho(conditions: Parameters<typeof conditionedLinks>[2]): number[] {
  const clock = new VirtualClock();
  const { client, server } = conditionedLinks(clock, new Dice("echo"), conditions);
  const times: number[] = [];
  server.onMessage((channel, bytes) => {
    times.push(clock.nowMs);
    server.send(channel, bytes);
  });
  client.onMessage(() => times.push(clock.nowMs));
  client.send("reliable", Uint8Array.of(1));
  clock.advance(1000);
  return times;
}

describe("conditionedLinks", () => {
  it("applies one set of conditions both ways, or each way its own", () => {
    expect(timesOfEcho({ latencyMs: 40 })).toEqual([40, 80]);
    expect(timesOfEcho({ up: { latencyMs: 100 }, down: { latencyMs: 20 } })).toEqual([100, 120]);
  });

  it("gives each direction luck of its own", () => {
    const clock = new VirtualClock();
    const { client, server } = conditionedLinks(clock, new Dice("each"), { loss: 0.5 });
    const got = { client: "", server: "" };
    client.onMessage((_, bytes) => {
      got.client += `${bytes[0]},`;
    });
    server.onMessage((_, bytes) => {
      got.server += `${bytes[0]},`;
    });
    for (let index = 0; index < 50; index += 1) {
      client.send("unsequenced", Uint8Array.of(index));
      server.send("unsequenced", Uint8Array.of(index));
    }
    clock.advance(1);
    expect(got.client).not.toBe(got.server);
  });

  it("never goes back on sequenced, whatever the path does", () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const clock = new VirtualClock();
      const rough = { latencyMs: 50, jitterMs: 40, loss: 0.2, reorder: 0.3, duplicate: 0.3 };
      const { client, server, up } = conditionedLinks(clock, new Dice(`rough ${seed}`), rough);
      let newest = -1;
      let got = 0;
      server.onMessage((_, bytes) => {
        const number = bytes[0]! * 256 + bytes[1]!;
        expect(number, `seed "rough ${seed}"`).toBeGreaterThan(newest);
        newest = number;
        got += 1;
      });
      for (let index = 0; index < 500; index += 1) {
        client.send("sequenced", Uint8Array.of(index >> 8, index & 255));
        clock.advance(10);
      }
      clock.advance(1000);
      const { lateIn, messagesIn } = server.traffic.sequenced;
      expect(messagesIn).toBe(up.counters.delivered);
      expect(got).toBe(messagesIn - lateIn);
      expect(lateIn).toBeGreaterThan(0);
      expect(got).toBeGreaterThan(200);
    }
  });

  it("ends in overflow, not in endless memory, when nothing gets across", () => {
    const clock = new VirtualClock();
    const limits = { overflowAfterBytes: 10_000, maxMessageBytes: 1000 };
    const { client, up } = conditionedLinks(clock, new Dice("cut"), { latencyMs: 20 }, { limits });
    up.cut();
    while (client.send("reliable", new Uint8Array(500))) clock.advance(50);
    expect(client.closeReason?.code).toBe("overflow");
    expect(up.backlogBytes).toBeLessThanOrEqual(10_001);
  });

  it("tells the other side of a close through loss, behind what was sent reliably before", () => {
    const clock = new VirtualClock();
    const { client, server } = conditionedLinks(clock, new Dice("bye"), { latencyMs: 30, loss: 0.5 });
    const log: string[] = [];
    server.onMessage((_, bytes) => log.push(`message ${bytes[0]}`));
    server.onClose((reason) => log.push(`closed ${reason.code}`));
    for (let index = 0; index < 3; index += 1) client.send("reliable", Uint8Array.of(index));
    client.close({ code: "done", detail: "" });
    clock.advance(20_000);
    expect(log).toEqual(["message 0", "message 1", "message 2", "closed done"]);
  });
});

describe("conditionedPath", () => {
  it("leads a client to a listener, and can be changed on the way", () => {
    const clock = new VirtualClock();
    const listener = new MemoryListener();
    const path = conditionedPath(clock, new Dice("path"), { latencyMs: 10 });
    const times: number[] = [];
    listener.onLink((link) => link.onMessage(() => times.push(clock.nowMs)));
    const client = listener.connect({ pipes: [path.up, path.down] });
    client.send("unsequenced", Uint8Array.of(1));
    clock.advance(100);
    changePath(path, { up: { latencyMs: 50 }, down: {} });
    client.send("unsequenced", Uint8Array.of(1));
    clock.advance(100);
    expect(times).toEqual([10, 150]);
  });
});
