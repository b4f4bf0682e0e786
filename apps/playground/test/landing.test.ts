/**
 * The playground as a visitor meets it: built landing page, live status, refused sockets, clean end.
 */
import { once } from "node:events";
import { createConnection } from "node:net";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepScreenshot, openBrowser } from "../../../test/browser.ts";
import type { GameMount, GameStatus } from "../src/games.ts";
import { type Playground, startPlayground } from "../src/playground.ts";

const pageFolder = join(import.meta.dirname, "../dist/page");

/** A game of which only its status matters here; its page is the landing page again. */
function statusOnlyGame(shown: { status: GameStatus; closed: boolean }): GameMount {
  return {
    id: "pacman",
    name: "Pac-Man",
    pageFolder,
    start: async () => ({
      status: () => shown.status,
      close: async () => {
        shown.closed = true;
      },
    }),
  };
}

/** Asks for a WebSocket by hand and returns the first line of the answer. */
async function upgradeAnswer(port: number, path: string): Promise<string> {
  const socket = createConnection(port, "localhost");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return answer.toString().split("\r\n")[0]!;
}

describe("landing page", () => {
  const shown = { status: { people: 1, bots: 6 } as GameStatus, closed: false };
  let playground: Playground;
  let browser: Browser;

  beforeAll(async () => {
    playground = await startPlayground({ port: 0, pageFolder, games: [statusOnlyGame(shown)] });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await playground.close();
    expect(shown.closed).toBe(true);
  });

  test("shows what is running and leads to it", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const complaints: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));
    await page.goto(playground.address);
    await page.getByText("Running · 1 person, 6 bots").waitFor();
    await page.getByText("1 game running · 1 person playing").waitFor();
    await keepScreenshot(page, "landing");
    await page.getByRole("link", { name: "Play" }).click();
    await page.waitForURL("**/pacman/");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("fits a telephone without scrolling sideways", async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(playground.address);
    await page.getByText("Running · 1 person, 6 bots").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await keepScreenshot(page, "landing-narrow");
    await page.close();
  });

  test("leads to the documents and to the code, and from there back", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(playground.address);
    await page.getByRole("link", { name: "Getting started" }).click();
    await page.getByRole("heading", { level: 1, name: "Getting started" }).waitFor();
    await keepScreenshot(page, "reading-document");
    await page.getByRole("link", { name: "Playground", exact: true }).click();
    await page.getByRole("link", { name: "Its code" }).first().click();
    await page.getByRole("link", { name: "src/", exact: true }).click();
    await page.getByRole("link", { name: "host.ts", exact: true }).click();
    await page.getByText("export class PacmanHost").waitFor();
    await keepScreenshot(page, "reading-source");
    await page.close();
  });

  test("says when the server is gone", async () => {
    const page = await browser.newPage();
    await page.route("**/status.json", (route) => route.abort());
    await page.goto(playground.address);
    await page.getByText("The server does not answer").waitFor();
    await page.close();
  });

  test("answers an unknown address with a page that leads back", async () => {
    const page = await browser.newPage();
    const answer = await page.goto(`${playground.address}no/such/place`);
    expect(answer?.status()).toBe(404);
    await page.getByRole("link", { name: "Back to the playground" }).click();
    await page.waitForURL(playground.address);
    await page.close();
  });

  test("refuses a WebSocket that belongs to no game", async () => {
    for (const path of ["/elsewhere/ws", "/pacman%2Fws", "/arena%2fws"])
      expect(await upgradeAnswer(playground.port, path), path).toBe("HTTP/1.1 404 Not Found");
    expect(await upgradeAnswer(playground.port, "/%zz")).toBe("HTTP/1.1 400 Bad Request");
  });
});

test("a game that cannot start ends the playground and frees its port", async () => {
  const failing: GameMount = {
    id: "broken",
    name: "Broken",
    pageFolder,
    start: () => Promise.reject(new Error("no maze")),
  };
  await expect(startPlayground({ port: 0, pageFolder, games: [failing] })).rejects.toThrow("no maze");
});
