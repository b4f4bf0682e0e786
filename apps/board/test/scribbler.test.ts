import { expect, it } from "vitest";
import { Note, Scribbler, Stroke } from "../src/index.ts";
import { setUp } from "./board-lab.ts";

it("somebody who writes by the dice puts things down, and takes old ones away", () => {
  const board = setUp();
  const { client } = board.lab.join("Bot 1");
  const bot = new Scribbler(client, 1);
  board.lab.run(90_000);
  expect(bot.put).toBeGreaterThan(30);
  const things = [...client.world.all(Note), ...client.world.all(Stroke)];
  expect(things.length).toBeGreaterThan(5);
  expect(things.length).toBeLessThan(20);
});
