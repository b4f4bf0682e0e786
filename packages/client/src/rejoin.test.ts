import { describe, expect, it } from "vitest";
import type { Client } from "./client.ts";
import { ClientError, type ClientErrorCode } from "./errors.ts";
import { type Rejoin, rejoinAfter } from "./rejoin.ts";

/** Joins end as the script says; time passes only while somebody waits. */
class Stage {
  nowMs = 0;
  readonly attemptsMs: number[] = [];
  joining: Promise<Client> | undefined;
  readonly client = {} as Client;
  readonly script: (ClientErrorCode | "in")[];

  constructor(script: (ClientErrorCode | "in")[]) {
    this.script = script;
  }

  end(code: ClientErrorCode, options: Partial<Rejoin> = {}, hasJoined = true): void {
    rejoinAfter(
      { hasJoined },
      { code: code as "left", detail: "" },
      {
        onRejoin: (joining) => {
          this.joining = joining;
        },
        rejoinMs: undefined,
        join: () => {
          this.attemptsMs.push(this.nowMs);
          const outcome = this.script.shift() ?? "link";
          return outcome === "in" ? Promise.resolve(this.client) : Promise.reject(new ClientError(outcome, outcome));
        },
        wait: (ms) => {
          this.nowMs += ms;
          return Promise.resolve();
        },
        now: () => this.nowMs,
        random: () => 1,
        ...options,
      },
    );
  }
}

describe("joining again", () => {
  it.each(["closing", "session-gone"] as const)(
    "follows %s, and tries until the new server lets it in",
    async (code) => {
      const stage = new Stage(["link", "closing", "full", "in"]);
      stage.end(code);
      expect(await stage.joining).toBe(stage.client);
      expect(stage.attemptsMs).toEqual([500, 1500, 3500, 7500]);
    },
  );

  it.each(["kicked", "left", "schema", "flood"] as const)("does not follow %s", (code) => {
    const stage = new Stage(["in"]);
    stage.end(code);
    expect(stage.joining).toBeUndefined();
  });

  it("does not follow an end before the join, nor where the game does not want it", () => {
    const stage = new Stage(["in"]);
    stage.end("closing", {}, false);
    stage.end("closing", { onRejoin: undefined });
    expect(stage.joining).toBeUndefined();
  });

  it("gives up at once on what does not pass, and in time on what does", async () => {
    const other = new Stage(["link", "schema"]);
    other.end("closing");
    await expect(other.joining).rejects.toMatchObject({ code: "schema" });
    const nobody = new Stage([]);
    nobody.end("closing", { rejoinMs: 20_000 });
    await expect(nobody.joining).rejects.toMatchObject({ code: "link" });
    expect(nobody.attemptsMs.at(-1)).toBeGreaterThanOrEqual(20_000);
  });
});
