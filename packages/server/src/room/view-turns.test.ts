import { expect, test } from "vitest";
import { MOST_EVERY } from "../round-load.ts";
import { ViewTurns } from "./view-turns.ts";

class Client {
  roundsOut = 0;
  longestOut = 0;
  served = 0;
  isPaused = false;
}

/** Plays a round; returns how many were served. */
function play(turns: ViewTurns, clients: readonly Client[], every: number): number {
  turns.begin(clients, every);
  let served = 0;
  for (const client of clients) {
    if (client.isPaused) continue;
    const isServed = turns.serves(client);
    served += isServed ? 1 : 0;
    client.served += isServed ? 1 : 0;
    client.roundsOut = isServed ? 0 : client.roundsOut + 1;
    client.longestOut = Math.max(client.longestOut, client.roundsOut);
  }
  return served;
}

const crowd = (count: number): Client[] => Array.from({ length: count }, () => new Client());

test("while there is time, everybody is served", () => {
  const clients = crowd(5);
  expect(play(new ViewTurns(), clients, 1)).toBe(5);
});

test.each([1.3, 2, 2.5, 3, 7.9, 8])("every %d rounds: each round serves its share, and turns are even", (every) => {
  const turns = new ViewTurns();
  const clients = crowd(100);
  for (let round = 0; round < 160; round++) expect(play(turns, clients, every)).toBe(Math.ceil(100 / every));
  const served = clients.map((client) => client.served);
  expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(1);
  expect(Math.max(...clients.map(({ longestOut }) => longestOut))).toBeLessThan(Math.ceil(every) + 1);
});

test("nobody sits out longer than is allowed, while clients come, pause and strain changes", () => {
  const turns = new ViewTurns();
  const clients = crowd(40);
  for (let round = 0; round < 400; round++) {
    if (round % 3 === 0) clients.push(...crowd(1 + (round % 5)));
    if (round % 7 === 0) clients.shift();
    const client = clients[(round * 31) % clients.length]!;
    client.isPaused = !client.isPaused;
    if (client.isPaused) client.roundsOut = 0;
    play(turns, clients, 1 + ((round * 17) % 71) / 10);
  }
  expect(Math.max(...clients.map(({ longestOut }) => longestOut))).toBeLessThan(MOST_EVERY);
});
