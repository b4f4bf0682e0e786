import { expect, it } from "vitest";
import { Building, Purse, RemoteBot, START_BUILDERS, Unit } from "../src/index.ts";
import { setUp } from "./skirmish-lab.ts";

it("bots over connections get ready, dig, build and raise an army", () => {
  const { lab } = setUp();
  const bots = ["Ann", "Bob"].map((name, index) => {
    const { client } = lab.join(name);
    return { client, bot: new RemoteBot(client, index + 1) };
  });
  lab.run(240_000);
  for (const { client, bot } of bots) {
    expect(bot.orders).toBeGreaterThan(10);
    const [purse] = client.world.all(Purse);
    const own = [...client.world.where(Unit, ({ side }) => side === purse!.side)];
    expect(own.length).toBeGreaterThan(START_BUILDERS);
    expect([...client.world.all(Building)].some(({ kind }) => kind === "barracks")).toBe(true);
  }
});
