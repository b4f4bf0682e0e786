/** A join told by its status: from joining to the end, and the words a player reads at each. */

import { type Client, ClientError } from "@nearfield/client";
import { describe, expect, it } from "vitest";
import { Joining, type Rejoining } from "./joining.ts";
import { statusWords } from "./status-words.ts";

/** As much of a client as a join looks at. */
class StandIn {
  state = "active";
  reason: { readonly code: string; readonly detail: string } | undefined;
  hasLeft = false;

  leave(): void {
    this.hasLeft = true;
  }

  get asClient(): Client {
    return this as unknown as Client;
  }
}

/** Lets what waits for settled promises run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await Promise.resolve();
}

describe("a join", () => {
  it("follows its client through loss and end", async () => {
    const client = new StandIn();
    const told: Client[] = [];
    const joining = new Joining(
      () => Promise.resolve(client.asClient),
      (joined) => told.push(joined),
    );
    expect(joining.status).toEqual({ kind: "joining" });
    expect(joining.client).toBeUndefined();
    await settle();
    expect(told).toEqual([client]);
    expect(joining.status).toEqual({ kind: "playing" });
    client.state = "reconnecting";
    expect(statusWords(joining.status).title).toBe("Connection lost");
    client.state = "ended";
    client.reason = { code: "closing", detail: "bye" };
    expect(joining.status).toEqual({ kind: "ended", ...client.reason });
    expect(statusWords(joining.status).title).toBe("The server has closed");
  });

  it("that fails tells why", async () => {
    const full = new Joining(
      () => Promise.reject(new ClientError("full", "40 of 40")),
      () => expect.unreachable(),
    );
    const broken = new Joining(
      () => Promise.reject(new Error("no route")),
      () => expect.unreachable(),
    );
    await settle();
    expect(statusWords(full.status, "arena").title).toBe("The arena is full");
    expect(broken.status).toEqual({ kind: "ended", code: "link", detail: "no route" });
    expect(statusWords({ kind: "ended", code: "kicked", detail: "Too loud." })).toEqual({
      title: "Disconnected",
      text: "Too loud.",
    });
  });

  it("goes on with another client after a restart of the server", async () => {
    const [first, second] = [new StandIn(), new StandIn()];
    const told: Client[] = [];
    let onRejoin: Rejoining["onRejoin"] | undefined;
    const joining = new Joining(
      (options) => {
        ({ onRejoin } = options);
        return Promise.resolve(first.asClient);
      },
      (joined) => told.push(joined),
    );
    await settle();
    onRejoin!(Promise.resolve(second.asClient));
    expect(joining.status).toEqual({ kind: "rejoining" });
    expect(statusWords(joining.status).text).toMatch(/join again/);
    await settle();
    expect([told, joining.status]).toEqual([[first, second], { kind: "playing" }]);
  });

  it("that is closed early leaves as soon as it is in", async () => {
    const client = new StandIn();
    const joining = new Joining(
      () => Promise.resolve(client.asClient),
      () => expect.unreachable(),
    );
    joining.close();
    await settle();
    expect(client.hasLeft).toBe(true);
    expect(joining.client).toBeUndefined();
  });
});
