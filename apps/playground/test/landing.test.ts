/**
 * The playground as a visitor meets it: built landing page, live status, refused sockets, clean end.
 */
import { once } from "node:events";
import { createConnection } from "node:net";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
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

/** The colour in the middle of the live map. */
async function colourInTheMiddle(page: Page): Promise<string> {
  return await page.locator("[data-map]").evaluate((canvas: HTMLCanvasElement) => {
    const pixel = canvas.getContext("2d")?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? [];
    return [...pixel].join(",");
  });
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

  test("draws a live map of a game that sends one", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(playground.address);
    await page.getByRole("img", { name: /Pac-Man/ }).waitFor();
    const others = Array.from({ length: 8 }, (_, id) => ({ id, x: id + 0.5, y: 0.5, colour: "#58b7ff" }));
    const map = { columns: 8, rows: 8, marks: [...others, { id: 9, x: 4, y: 4, colour: "rgb(255, 213, 61)" }] };
    shown.status = { people: 1, bots: 6, map };
    await page.locator("[data-map]").waitFor();
    await expect.poll(() => colourInTheMiddle(page)).toBe("255,213,61,255");
    await keepScreenshot(page, "landing-map");
    shown.status = { people: 1, bots: 6 };
    await page.getByRole("img", { name: /Pac-Man/ }).waitFor();
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
    for (const path of ["/elsewhere/ws", "/pacman%2Fws", "/arena%2fws", "/%zz"])
      expect(await upgradeAnswer(playground.port, path), path).toBe("HTTP/1.1 404 Not Found");
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
