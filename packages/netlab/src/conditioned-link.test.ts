import { type MemoryLink, memoryLinks } from "@nearfield/transport/internal";
import { describe, expect, it } from "vitest";
import { ConditionedLink, type ConditionedLinkOptions } from "./conditioned-link.ts";
import { Dice } from "./dice.ts";
import { VirtualClock } from "./virtual-clock.ts";

/** A wrapped server's end, and the client's as it is. Everything that the server's network lets go arrives at once. */
function scene(options: ConditionedLinkOptions = {}) {
  const clock = new VirtualClock();
  const [client, inner] = memoryLinks();
  const server = new ConditionedLink(inner, clock, new Dice("link"), options);
  const got: string[] = [];
  const keep = (link: MemoryLink | ConditionedLink, name: string): void => {
    link.onMessage((_, bytes) => got.push(`${name} ${new TextDecoder().decode(bytes)}`));
    link.onClose(({ code }) => got.push(`${name} closed: ${code}`));
  };
  keep(client, "client");
  keep(server, "server");
  const run = (ms: number): void => {
    for (let left = ms; left >= 0; left -= 1) {
      client.flush();
      inner.flush();
      if (left > 0) clock.advance(1);
    }
  };
  return { clock, client, inner, server, got, run };
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe("ConditionedLink", () => {
  it("passes on at once without conditions, and schedules nothing", () => {
    const { clock, client, server, got, run } = scene();
    server.send("sequenced", text("a"));
    client.send("reliable", text("b"));
    run(0);
    expect(got).toEqual(["server b", "client a"]);
    expect(clock.pending).toBe(0);
    expect([server.kind, server.inOrder, server.maxUnreliableBytes]).toEqual(["memory", false, 1200]);
  });

  it("delays each way by its own conditions", () => {
    const { client, server, got, run } = scene();
    server.change({ up: { latencyMs: 10 }, down: { latencyMs: 30 } });
    server.send("sequenced", text("down"));
    client.send("sequenced", text("up"));
    run(11);
    expect(got).toEqual(["server up"]);
    run(20);
    expect(got).toEqual(["server up", "client down"]);
  });

  it("lets nothing overtake when conditions are taken away", () => {
    const { clock, client, server, got, run } = scene();
    server.change({ latencyMs: 50 });
    for (const channel of ["reliable", "sequenced"] as const) {
      server.send(channel, text(`old ${channel}`));
      client.send(channel, text(`old ${channel}`));
    }
    run(10);
    server.change(undefined);
    server.send("reliable", text("new"));
    client.send("reliable", text("new"));
    run(100);
    const [down, up] = ["client", "server"].map((side) => got.filter((line) => line.startsWith(side)));
    expect(down).toEqual(["client old reliable", "client old sequenced", "client new"]);
    expect(up).toEqual(["server old reliable", "server old sequenced", "server new"]);
    server.send("reliable", text("at once"));
    run(0);
    expect(got.at(-1)).toBe("client at once");
    expect(clock.pending).toBe(0);
  });

  it("lets what waits for bandwidth go once there is more", () => {
    const { client, server, got, run } = scene();
    server.change({ bandwidthBytesPerSecond: 10 });
    for (let index = 0; index < 5; index += 1) {
      server.send("reliable", text(`${index}`));
      client.send("reliable", text(`${index}`));
    }
    run(450);
    expect(got).toEqual(["server 0", "client 0", "server 1", "client 1"]);
    server.change(undefined);
    server.send("reliable", text("5"));
    run(2);
    expect(got.filter((line) => line.startsWith("server"))).toHaveLength(5);
    expect(got.slice(-4)).toEqual(["client 2", "client 3", "client 4", "client 5"]);
    expect(server.backlogBytes).toBe(0);
  });

  it("drops a sequenced message that a newer one has passed", () => {
    const { client, server, got, run } = scene();
    server.change({ latencyMs: 50 });
    client.send("sequenced", text("old"));
    run(1);
    server.change(undefined);
    client.send("sequenced", text("new"));
    run(100);
    expect(got).toEqual(["server new"]);
    expect(server.traffic.sequenced).toMatchObject({ messagesIn: 2, lateIn: 1 });
  });

  it("ends with overflow when more comes in than its network takes", () => {
    const gone: string[] = [];
    const { client, server, got, run } = scene({
      limits: { overflowAfterBytes: 5000 },
      onGone: () => gone.push("gone"),
    });
    server.change({ bandwidthBytesPerSecond: 1000 });
    for (let index = 0; index < 6; index += 1) client.send("reliable", new Uint8Array(1000));
    run(0);
    expect(server.closeReason?.code).toBe("overflow");
    expect(gone).toEqual(["gone"]);
    run(100);
    expect(got).toEqual(["server closed: overflow", "client closed: overflow"]);
  });

  it("does not let a goodbye wait for ever", () => {
    const { client, server, run } = scene();
    server.change({ bandwidthBytesPerSecond: 10 });
    server.send("reliable", new Uint8Array(1000));
    server.close({ code: "bye", detail: "" });
    run(29_000);
    expect(client.closeReason).toBeUndefined();
    run(1100);
    expect(client.closeReason?.code).toBe("bye");
  });
});
