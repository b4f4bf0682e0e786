/** Time limits are counted in time: rounds that take long, as under an attack, do not stretch them. A process that stood still ends nobody. */

import { encodeFromClient, PROTOCOL_VERSION } from "@nearfield/protocol/internal";
import { Server } from "@nearfield/server";
import { type MemoryLink, MemoryListener } from "@nearfield/transport/internal";
import { describe, expect, it } from "vitest";
import { Crate, protocol, view } from "../scenario.ts";

/** A server that is driven by hand, by a clock that does not keep up with its rounds. */
function drive(roundTakesMs: number) {
  let nowMs = 0;
  const listener = new MemoryListener();
  const server = new Server({
    protocol,
    view,
    roundMs: 50,
    tokenSource: () => new Uint8Array(16).fill(7),
    now: () => nowMs,
    onError: "throw",
    times: { resumeMs: 2000, ackMs: 2000, helloMs: 2000, lockMs: 2000 },
  });
  server.listen(listener);
  return {
    server,
    listener,
    run(ms: number): void {
      for (const endMs = nowMs + ms; nowMs < endMs; ) {
        nowMs += roundTakesMs;
        listener.flush();
        server.round();
        listener.flush();
      }
    },
    stand(ms: number): void {
      nowMs += ms;
      server.round();
      listener.flush();
    },
  };
}

function hello(link: MemoryLink): void {
  const hash = protocol.hash;
  const rest = { nickname: "ann", room: "main", role: "player", credentials: "", resume: undefined } as const;
  link.send("reliable", encodeFromClient({ kind: "hello", version: PROTOCOL_VERSION, hash, ...rest }, protocol));
}

describe.each([50, 250])("rounds that take %i ms", (roundTakesMs) => {
  it("a stranger is waited for helloMs", () => {
    const { listener, run } = drive(roundTakesMs);
    let code: string | undefined;
    listener.connect().onClose((reason) => {
      code = reason.code;
    });
    run(1750);
    expect(code).toBeUndefined();
    run(750);
    expect(code).toBe("silent");
  });

  it("an absent player is kept for resumeMs, one that acknowledges nothing for ackMs", () => {
    const { server, listener, run } = drive(roundTakesMs);
    hello(listener.connect());
    run(roundTakesMs);
    const [player] = server.main.players.values();
    server.world.spawn(Crate, { x: 1, y: 1, label: "apples" });
    run(1500);
    expect(player!.presence).toBe("here");
    run(1250);
    expect(player!.presence).toBe("away");
    run(1000);
    expect(player!.presence).toBe("away");
    run(1250);
    expect(player!.presence).toBe("left");
  });
});

it("a process that stood still for a minute ends nobody for it", () => {
  const { server, listener, run, stand } = drive(50);
  hello(listener.connect());
  run(100);
  const [player] = server.main.players.values();
  stand(60_000);
  expect(player!.presence).toBe("here");
});
