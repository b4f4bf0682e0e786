/**
 * Events and commands: on the reliable channel none is lost or doubled, across broken links too; and who hears an event
 * (F §4.2.3).
 */

import { along, near, to, toAll } from "@nearfield/server";
import type { Audience } from "@nearfield/server/internal";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { Chat, protocol, Say, Ship, Shot, view } from "./scenario.ts";
import { seeds } from "./seeds.ts";

describe("reliable messages", () => {
  it.each(seeds(5051, 4))("seed %i: arrive once and in order, whatever happens to the links", (seed) => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed });
    const dice = lab.dice.fork("breaks");
    const said = new Map<string, string[]>();
    let emitted = 0;
    lab.server.onCommand(Say, (player, { words }) => void said.get(player.nickname)!.push(words));
    lab.server.onRound(() => {
      if (emitted >= 400) return;
      emitted += 1;
      lab.server.emit(Shot, { x: 1, y: 1, number: emitted });
    });
    const clients = ["ann", "ben", "cay"].map((nickname) => lab.join(nickname, nickname === "cay" ? {} : ROUGH));
    const heard = clients.map(({ client, nickname }) => {
      said.set(nickname, []);
      const numbers: number[] = [];
      client.onEvent(Shot, ({ number }) => numbers.push(number));
      return numbers;
    });
    lab.until(() => clients.every(({ client }) => client.state === "active"));
    let spoken = 0;
    for (let i = 0; i < 80; i++) {
      for (const { client } of clients) client.send(Say, { words: `word ${spoken}` });
      spoken += 1;
      if (dice.chance(0.15)) {
        const victim = dice.pick(clients);
        victim.setReachable(false);
        victim.breakLink();
        lab.clock.after(dice.int(2500), () => victim.setReachable(true));
      }
      lab.run(250);
    }
    for (const client of clients) client.setReachable(true);
    lab.run(15_000);
    expect(lab.server.main.telemetry.resumes).toBeGreaterThan(2);
    const words = Array.from({ length: spoken }, (_, i) => `word ${i}`);
    for (const [i, { client, nickname }] of clients.entries()) {
      expect([nickname, client.state]).toEqual([nickname, "active"]);
      expect(said.get(nickname)).toEqual(words);
      const [first] = heard[i]!;
      expect(heard[i]).toEqual(Array.from({ length: 400 - first! + 1 }, (_, n) => first! + n));
    }
  });
});

describe("the audience of an event", () => {
  function stage(): { lab: Lab; heard: Map<string, number[]>; fire: (number: number, audience: Audience) => void } {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 7 });
    const heard = new Map<string, number[]>();
    const places: Record<string, [number, number]> = { origin: [0, 0], near: [60, 0], middle: [250, 0], far: [900, 0] };
    lab.server.onJoin((player) => {
      const [x, y] = places[player.nickname]!;
      player.pivotOn(lab.world.spawn(Ship, { x, y }, { owner: player.id }));
    });
    for (const nickname of Object.keys(places)) {
      const numbers: number[] = [];
      heard.set(nickname, numbers);
      lab.join(nickname).client.onEvent(Shot, ({ number }) => numbers.push(number));
    }
    lab.run(300);
    const fire = (number: number, audience: Audience): void => {
      lab.server.emit(Shot, { x: 0, y: 0, number }, audience);
      lab.run(200);
    };
    return { lab, heard, fire };
  }
  const who = (heard: Map<string, number[]>, number: number): string[] =>
    [...heard].filter(([, numbers]) => numbers.includes(number)).map(([nickname]) => nickname);

  it("is everybody, the chosen, or those with a pivot within a radius of a point", () => {
    const { lab, heard, fire } = stage();
    fire(1, toAll());
    expect(who(heard, 1)).toEqual(["origin", "near", "middle", "far"]);
    const far = [...lab.server.main.players.values()].find(({ nickname }) => nickname === "far")!;
    fire(2, to(far));
    expect(who(heard, 2)).toEqual(["far"]);
    fire(3, near([0, 0], 60));
    expect(who(heard, 3)).toEqual(["origin", "near"]);
    fire(4, near([0, 0], 59));
    expect(who(heard, 4)).toEqual(["origin"]);
  });

  it("is those for whom either end of a segment lies in a low enough zone", () => {
    const { heard, fire } = stage();
    // Zone 0 reaches 100, zone 1 reaches 300. The shot flies from near the origin to near the far one; its middle does
    // not count.
    fire(1, along([30, 0], [860, 0], { zone: 0 }));
    expect(who(heard, 1)).toEqual(["origin", "near", "far"]);
    fire(2, along([30, 0], [860, 0], { zone: 1 }));
    expect(who(heard, 2)).toEqual(["origin", "near", "middle", "far"]);
    fire(3, along([30, 0], [31, 0], { zone: 0 }));
    expect(who(heard, 3)).toEqual(["origin", "near"]);
  });
});

describe("unreliable events", () => {
  it("ride on frames: at most once, never late, most of them heard", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 8 });
    let emitted = 0;
    lab.server.onRound(() => {
      emitted += 1;
      lab.server.emit(Shot, { x: 1, y: 1, number: emitted }, toAll(), { unreliable: true });
    });
    const ann = lab.join("ann", ROUGH);
    const heard: number[] = [];
    ann.client.onEvent(Shot, ({ number }) => heard.push(number));
    lab.run(20_000);
    expect(new Set(heard).size).toBe(heard.length);
    expect(heard.length).toBeGreaterThan(0.7 * emitted);
    expect(heard.length).toBeLessThan(0.9 * emitted);
  });

  it("do not pile up for a client that is away", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 9 });
    const ann = lab.join("ann");
    lab.run(200);
    ann.setReachable(false);
    ann.breakLink();
    for (let i = 0; i < 100; i++) {
      lab.server.emit(Chat, { words: "lost" }, toAll(), { unreliable: true });
      lab.step();
    }
    const heard: string[] = [];
    ann.client.onEvent(Chat, ({ words }) => heard.push(words));
    ann.setReachable(true);
    lab.run(8000);
    expect(ann.client.state).toBe("active");
    expect(heard).toEqual([]);
  });
});
