/**
 * Attacks that once kept others out: sockets that say nothing, hellos whose client vanishes, messages that never end. The strangers come through a proxy that
 * the server trusts, so that they can have any address; honest players come from this machine's own.
 */

import { afterEach, describe, expect, it } from "vitest";
import { nightly } from "../seeds.ts";
import type { RawSocket } from "./raw-socket.ts";
import { Stage, type StageOptions } from "./stage.ts";

const stages: Stage[] = [];
afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.close();
});

/** Nobody is sent away for being silent: what else is limited decides, however long the strangers take to arrive. */
async function open({ times, ...options }: StageOptions = {}): Promise<Stage> {
  const stage = await Stage.open({
    links: { trustedProxies: ["127.0.0.1"] },
    times: { helloMs: 600_000, ...times },
    ...options,
  });
  stages.push(stage);
  return stage;
}

/** The n-th of as many addresses as an attacker has. */
const address = (n: number): string => `203.0.${113 + Math.floor(n / 250)}.${1 + (n % 250)}`;

async function many(stage: Stage, count: number, from: (i: number) => string): Promise<RawSocket[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => stage.stranger({ from: from(i) })));
}

describe("silent sockets", () => {
  it("270 of one address take 64 places, the rest is refused at once, and everybody else gets in", async () => {
    const stage = await open({ honest: 1 });
    const silent = await many(stage, 270, () => address(0));
    expect(silent.filter(({ isOpen }) => isOpen)).toHaveLength(64);
    const refused = silent.filter(({ isOpen }) => !isOpen);
    expect(new Set(refused.map(({ statusLine }) => statusLine))).toEqual(new Set(["HTTP/1.1 429 Too Many Requests"]));
    for (const raw of refused) await raw.closed;
    for (let i = 0; i < 39; i++) await stage.joinHonest(`late ${i}`);
    await stage.expectUnharmed();
  });

  it("270 of 30 addresses fill the door, and newcomers take the places of the oldest of them", async () => {
    const stage = await open({ honest: 1 });
    const silent = await many(stage, 270, (i) => address(i % 30));
    await stage.rounds(2);
    for (let i = 0; i < 39; i++) await stage.joinHonest(`late ${i}`);
    const sentAway = silent.filter(({ closeCode }) => closeCode === "too-many" || closeCode === "full");
    expect(sentAway.length).toBeGreaterThanOrEqual(14);
    await stage.expectUnharmed();
  });
});

describe("clients that say hello and vanish", () => {
  it("of one address hold 16 seats at most while they go on, and leave room in a small arena", async () => {
    const stage = await open({
      honest: 2,
      limits: { players: 40, hellosPerSecond: 10_000 },
      times: { resumeMs: 600_000 },
    });
    for (let i = 0; i < nightly(80); i++) {
      const raw = await stage.stranger({ from: address(0) });
      expect(await raw.join({ nickname: `ghost ${i}` })).toMatchObject({ kind: "welcome" });
      raw.destroy();
    }
    await stage.rounds(3);
    const players = [...stage.server.main.players.values()];
    expect(players.filter(({ presence }) => presence === "away").length).toBeLessThanOrEqual(16);
    for (let i = 0; i < 20; i++) await stage.joinHonest(`late ${i}`);
    await stage.expectUnharmed();
  });

  it("of many addresses give way when the server is full", async () => {
    const stage = await open({ honest: 2, limits: { players: 30 }, times: { resumeMs: 600_000 } });
    for (let i = 0; i < 28; i++) {
      const raw = await stage.stranger({ from: address(i % 7) });
      expect(await raw.join({ nickname: `ghost ${i}` })).toMatchObject({ kind: "welcome" });
      raw.destroy();
    }
    await stage.rounds(3);
    expect(stage.server.playerCount).toBe(30);
    for (let i = 0; i < 10; i++) await stage.joinHonest(`late ${i}`);
    await stage.expectUnharmed();
  });

  it("say so many hellos at once from one address, and more only as time goes by", async () => {
    let nowMs = 0;
    const stage = await open({ honest: 1, limits: { perAddress: 5, hellosPerSecond: 2 }, now: () => nowMs });
    const answers: string[] = [];
    for (let i = 0; i < 8; i++) {
      const raw = await stage.stranger({ from: address(0) });
      const answer = await raw.join({ nickname: `ghost ${i}` });
      answers.push(answer !== undefined && "reason" in answer ? answer.reason.code : (answer?.kind ?? "nothing"));
      raw.destroy();
      await raw.closed;
      await stage.rounds(1);
    }
    expect(answers).toEqual([...Array.from({ length: 5 }, () => "welcome"), "too-many", "too-many", "too-many"]);
    const other = await stage.stranger({ from: address(1) });
    expect(await other.join({ nickname: "somebody else" })).toMatchObject({ kind: "welcome" });
    nowMs += 500;
    await stage.rounds(1);
    const later = await stage.stranger({ from: address(0) });
    expect(await later.join({ nickname: "later" })).toMatchObject({ kind: "welcome" });
    await stage.expectUnharmed();
  });

  it("hold no more seats than one address may have", async () => {
    const stage = await open({
      honest: 1,
      limits: { perAddress: 4 },
      links: { trustedProxies: ["127.0.0.1"], maxLinksPerAddress: 100 },
    });
    const raws = await many(stage, 6, () => address(0));
    const answers = await Promise.all(raws.map((raw, i) => raw.join({ nickname: `crowd ${i}` })));
    expect(answers.filter((answer) => answer?.kind === "welcome")).toHaveLength(4);
    expect(answers.filter((answer) => answer?.kind === "refuse")).toHaveLength(2);
    await stage.expectUnharmed();
  });
});

describe("messages that never end", () => {
  it("take 16 KiB of each stranger, and then its socket is gone", async () => {
    const stage = await open({ honest: 2 });
    const raws = await many(stage, nightly(150), (i) => address(i % 30));
    const part = new Uint8Array(8 * 1024).fill(1);
    for (const raw of raws) {
      for (let sent = 0; sent < 1024 * 1024; sent += part.length) {
        raw.fragment(part, sent === 0);
        if (raw.socket.writableLength > 64 * 1024) break;
      }
    }
    for (const raw of raws) await raw.closed;
    await stage.expectUnharmed();
  });

  it("a hello may have 1 kB, and credentials", async () => {
    const stage = await open({ honest: 1 });
    const raw = await stage.stranger();
    raw.send("reliable", new Uint8Array(1024 + 3072 + 1));
    expect(await raw.hears("refuse")).toMatchObject({ reason: { code: "flood" } });
    await raw.closed;
    await stage.expectUnharmed();
  });
});

describe("who a stranger is", () => {
  it("is not what it says: a forwarded address of a proxy that is not trusted is ignored, and hinted at once", async () => {
    const hints: string[] = [];
    const stage = await open({ honest: 1, links: { maxLinksPerAddress: 8, onHint: (text) => hints.push(text) } });
    const raws = await many(stage, 20, (i) => address(i));
    expect(raws.filter(({ isOpen }) => isOpen)).toHaveLength(7);
    expect(hints).toHaveLength(1);
    expect(hints[0]).toContain("trustedProxies");
    await stage.expectUnharmed();
  });

  it("is told by the last proxy that is trusted, not by the header's beginning", async () => {
    const stage = await open({ honest: 0 });
    const raw = await stage.stranger({ from: "198.51.100.9, 203.0.113.77" });
    expect(await raw.join()).toMatchObject({ kind: "welcome" });
    const [player] = stage.server.main.players.values();
    expect(player!.address).toMatch(/^203\.0\.113\.77:\d+$/);
  });

  it("is one network, where it comes from IPv6", async () => {
    const stage = await open({ honest: 0, links: { trustedProxies: ["127.0.0.1"], maxLinksPerAddress: 3 } });
    const raws = await many(stage, 6, (i) => `2001:db8:1:2::${i + 1}`);
    expect(raws.filter(({ isOpen }) => isOpen)).toHaveLength(3);
    const other = await stage.stranger({ from: "2001:db8:1:3::1" });
    expect(other.isOpen).toBe(true);
  });
});
