/**
 * The page against a feed without a server: every panel at both widths, every state somebody can meet, keys, files. What the figures mean is
 * compared with a real server in inspector.test.ts.
 */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Browser, Page, WebSocketRoute } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { keepScreenshot, openBrowser } from "../../../test/browser.ts";
import { asTold, FakeFeed, type FakeOptions } from "./fake-feed.ts";

const pageFolder = join(import.meta.dirname, "../dist/page");
const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".json": "application/json",
};
const panels = ["overview", "clients", "audit", "map", "why", "views", "recorder", "network"] as const;

interface Opened {
  readonly page: Page;
  readonly feed: FakeFeed;
  readonly sockets: WebSocketRoute[];
  /** Moves the fake world and tells the page. */
  step(rounds?: number): void;
}

interface Wanted extends Partial<FakeOptions> {
  readonly isNarrow?: boolean;
  readonly hash?: string;
  /** No socket opens while this says so. */
  readonly isDown?: () => boolean;
}

describe("inspector page", () => {
  let server: Server;
  let browser: Browser;
  let address: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://localhost");
      const name = pathname.replace(/^\/inspector\//, "") || "index.html";
      readFile(join(pageFolder, name)).then(
        (content) => response.writeHead(200, { "Content-Type": types[extname(name)] ?? "text/plain" }).end(content),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    address = `http://localhost:${(server.address() as AddressInfo).port}/inspector/`;
    browser = await openBrowser();
  });

  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
  });

  async function open(wanted: Wanted = {}): Promise<Opened> {
    const { isNarrow = false, hash = "#token=secret", isDown = () => false, ...options } = wanted;
    const viewport = isNarrow ? { width: 390, height: 844 } : { width: 1440, height: 900 };
    const page = await browser.newPage({ viewport });
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));
    const feed = new FakeFeed({ clients: 12, items: 30, seed: 7, ...options });
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket(/\/feed$/, (socket) => {
      if (isDown()) {
        void socket.close({ code: 1011 });
        return;
      }
      sockets.push(socket);
      socket.onMessage((text) => {
        for (const tell of feed.answer(String(text))) socket.send(asTold(tell));
      });
    });
    await page.goto(address + hash);
    // Whoever clicks before the page has begun clicks in vain.
    await page.locator('body:not([data-state="starting"])').waitFor();
    const step = (rounds = 3): void => {
      for (const tell of feed.step(rounds)) sockets.at(-1)?.send(asTold(tell));
    };
    return { page, feed, sockets, step };
  }

  /** Connected, and told the first report. */
  const live = async (page: Page): Promise<void> => {
    await page.locator("body[data-state=live]").waitFor();
    await page.locator('#facts[data-round]:not([data-round=""])').waitFor({ state: "attached" });
  };
  /** What the page needs without scrolling sideways; charts take the window's width a frame after it. */
  const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);
  const openPanel = (page: Page, panel: string) => page.locator(`[data-open="${panel}"]`).click();
  const figure = (page: Page, name: string) =>
    page.locator(`[data-figure="${name}"]`).first().getAttribute("data-value");

  test.each([false, true])("every panel has its place (narrow: %s)", async (isNarrow) => {
    const { page, step } = await open({ isNarrow });
    await page.locator('[data-figure="out.now"][data-value]').first().waitFor();
    for (let sample = 0; sample < 80; sample++) step(15);
    for (const panel of panels) {
      await openPanel(page, panel);
      if (panel === "clients") await page.locator("#clients-table tbody tr").nth(2).click();
      if (panel === "map") await page.locator("#show-heat").check();
      if (panel === "why") await page.locator("#pick-object").selectOption("5");
      step();
      const shown = panels.indexOf(panel) > 2 && panel !== "network" ? `#side-${panel}` : `#panel-${panel}`;
      await page.locator(shown).waitFor();
      if (panel === "why") await page.locator('[data-figure="why.zone"][data-value="1"]').waitFor();
      if (panel === "views") await page.locator('[data-figure="preview.change"][data-value^="0.3"]').waitFor();
      await expect.poll(() => widthOf(page)).toBe(isNarrow ? 390 : 1440);
      await keepScreenshot(page, `inspector-${panel}${isNarrow ? "-narrow" : ""}`);
    }
    await page.close();
  });

  test.each([false, true])(
    "a cluster is drawn with its owners, and told in words and tables (narrow: %s)",
    async (isNarrow) => {
      const { page, step } = await open({ isNarrow, hasCluster: true });
      await live(page);
      await openPanel(page, "cluster");
      await page.locator("#cluster-picture rect").nth(3).waitFor();
      for (let second = 0; second < 5; second++) step(30);
      const place = page.locator("#panel-cluster");
      await expect.poll(async () => Number(await figure(page, "cluster.transfers"))).toBeCloseTo(3);
      expect(await figure(page, "cluster.servers")).toBe("3");
      expect(await figure(page, "cluster.imbalance")).toBe("1.5");
      const rectangles = place.locator("#cluster-picture rect");
      // The fourth server is dead and owns nothing; a slice outside of the world is not drawn.
      expect(await rectangles.evaluateAll((all) => all.map((one) => one.getAttribute("data-owner")))).toEqual([
        "1",
        "2",
        "3",
        "1",
      ]);
      expect(await place.locator("#cluster-picture .transfer").count()).toBe(1);
      expect(await place.locator("#cluster-words").textContent()).toContain("Server 2: 1 slice, 60 objects.");
      const leases = place.locator("#cluster-servers tbody td:nth-child(2)");
      expect(await leases.allTextContents()).toEqual(["held", "held", "no answer", "dead"]);
      expect(await place.locator("#cluster-flows tbody tr").first().textContent()).toContain("1 → 2");
      const rooms = place.locator("#cluster-rooms tbody tr");
      expect(await rooms.first().locator("td").allTextContents()).toEqual(["Ann's yard", "1", "3 of 8", "public"]);
      expect(await rooms.count()).toBe(2);
      expect(await place.locator("#cluster-keeper").textContent()).toBe("server 2 keeps parties and queues");
      await expect.poll(() => widthOf(page)).toBe(isNarrow ? 390 : 1440);
      await keepScreenshot(page, `inspector-cluster${isNarrow ? "-narrow" : ""}`);
      await page.close();
    },
  );

  test("a server that stands alone has no panel for a cluster, and is asked for none", async () => {
    const { page, feed } = await open();
    await live(page);
    expect(await page.locator('[data-open="cluster"]').isVisible()).toBe(false);
    await page.keyboard.press("9");
    await page.getByText("This server stands alone").waitFor();
    expect(feed.isWatched("cluster")).toBe(false);
    await page.close();
  });

  test("takes the token out of the address, and keeps it for this tab", async () => {
    const { page } = await open();
    await live(page);
    expect(await page.evaluate(() => location.href)).toBe(address);
    await page.reload();
    await live(page);
    await page.close();
  });

  test("asks for a token, says that one is wrong, and opens with the right one", async () => {
    const { page } = await open({ hash: "" });
    await page.getByRole("heading", { name: "Open the inspector" }).waitFor();
    await page.getByLabel("Token").fill("guess");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByRole("heading", { name: "Wrong token" }).waitFor();
    await keepScreenshot(page, "inspector-wrong-token");
    await page.getByLabel("Token").fill("secret");
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await live(page);
    expect(await page.locator("#gate").isVisible()).toBe(false);
    await page.close();
  });

  test("says when there is no connection, and comes back by itself", async () => {
    let isDown = true;
    const { page, sockets, step } = await open({ isDown: () => isDown });
    await page.getByRole("heading", { name: "No connection" }).waitFor();
    await keepScreenshot(page, "inspector-no-connection");
    // Late enough that the button is pressed before the page tries by itself.
    await page.getByText("Trying again in 5 s").waitFor();
    isDown = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await live(page);
    step();
    isDown = true;
    await sockets.at(-1)!.close({ code: 1001 });
    await page.getByText("The connection is lost").waitFor();
    expect(await page.locator("#panel-overview").isVisible()).toBe(true);
    isDown = false;
    await live(page);
    await page.getByText("The connection is lost").waitFor({ state: "hidden" });
    expect(sockets.length).toBe(2);
    await page.close();
  });

  test("says when page and server are of different versions", async () => {
    const { page } = await open({ version: 99 });
    await page.getByRole("heading", { name: "Page and server do not match" }).waitFor();
    await page.getByText("version 99 of the feed").waitFor();
    await page.close();
  });

  test("has words for a server without clients", async () => {
    const { page, step } = await open({ clients: 0, items: 0 });
    await live(page);
    for (const [panel, words] of [
      ["clients", "No clients yet"],
      ["network", "No clients yet"],
      ["map", "No object with a place in space"],
      ["why", "No clients yet: there is nobody to ask for"],
      ["views", "No clients yet: there is no view to edit"],
    ] as const) {
      await openPanel(page, panel);
      step();
      await page.getByText(words).filter({ visible: true }).first().waitFor();
    }
    await page.close();
  });

  test.each([false, true])(
    "faults: which kind, which client and object, and since when (narrow: %s)",
    async (isNarrow) => {
      const { page, step } = await open({ isFaulty: true, isNarrow });
      await live(page);
      expect(await page.locator('#panel-overview [data-figure="held.share"]').getAttribute("data-level")).toBe("bad");
      await openPanel(page, "audit");
      step(300);
      await page.locator('#faults[data-round="1500"]').waitFor();
      await page.locator(`#fault-kinds [data-kind="late"]`).waitFor();
      expect(await page.locator("#faults [data-empty]").isVisible()).toBe(false);
      expect(await figure(page, "fault.late")).toBe("170");
      expect(await figure(page, "fault.late.first")).toBe("1000");
      expect(await page.locator("#fault-kinds").textContent()).toContain("a pair over its bound was not sent");
      const rows = page.locator("#faulty-pairs tbody tr");
      expect(
        await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent))),
      ).toEqual([
        [
          "late",
          "bot-3 #3",
          "avatar #5",
          "zone 1",
          "time",
          "16.5 s ago",
          "0.0 s ago",
          "166",
          "found in every look",
          "why?",
        ],
        [
          "leaked",
          "left #99",
          "gone #4242",
          "zone 0",
          "removal",
          "13.2 s ago",
          "13.2 s ago",
          "1",
          "found in every look",
          "why?",
        ],
        ["late", "bot-2 #2", "avatar #7", "zone 1", "time", "16.5 s ago", "16.1 s ago", "4", "in order since", "why?"],
      ]);
      await expect.poll(() => widthOf(page)).toBe(isNarrow ? 390 : 1440);
      await keepScreenshot(page, `inspector-faults${isNarrow ? "-narrow" : ""}`);
      // Somebody who has left cannot be asked for.
      expect(await rows.nth(1).locator("button").isVisible()).toBe(false);
      await rows.nth(0).locator("button").click();
      await page.locator("#side-why").waitFor();
      await expect.poll(() => page.locator("#pick-client").inputValue()).toBe("3");
      await expect.poll(() => page.locator("#pick-object").inputValue()).toBe("5");
      await page.close();
    },
  );

  test("no faults: says in how many looks, and how long a pass takes", async () => {
    const { page } = await open();
    await live(page);
    await openPanel(page, "audit");
    await page.getByText("None in 307 200 looks. Every pair of a client and an object is looked at once in").waitFor();
    expect(await page.locator("#faulty-pairs").isVisible()).toBe(false);
    await page.close();
  });

  test("shows one room of several at a time", async () => {
    const { page, step } = await open({ rooms: ["main", "side"] });
    await live(page);
    await openPanel(page, "clients");
    await page.locator("#clients-table tbody tr").first().click();
    await page.locator("#client-detail").waitFor();
    await page.getByLabel("Room").selectOption("side");
    await page.locator("#client-detail").waitFor({ state: "hidden" });
    await expect
      .poll(() => {
        step();
        return page.locator("#clients-table tbody tr").count();
      })
      .toBe(12);
    await page.close();
  });

  test("is worked by keys", async () => {
    const { page, step } = await open();
    await live(page);
    await page.keyboard.press("?");
    await page.getByRole("heading", { name: "Keys" }).waitFor();
    await keepScreenshot(page, "inspector-help");
    await page.keyboard.press("Escape");
    await page.keyboard.press("5");
    await page.getByText("Choose a client above").waitFor();
    await page.keyboard.press("j");
    await page.getByText("Now click an object on the map").waitFor();
    await expect.poll(() => page.locator("#pick-client").inputValue()).toBe("1");
    await page.keyboard.press("k");
    await expect.poll(() => page.locator("#pick-client").inputValue()).toBe("12");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "View editor" }).waitFor();
    await page.keyboard.press("4");
    await page.keyboard.press("h");
    step();
    await expect.poll(() => page.locator("#show-heat").isChecked()).toBe(true);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("#pick-client").inputValue()).toBe("");
    await page.close();
  });

  /** The map is there: its first picture is painted in the frame after the one that says so. */
  async function mapDrawn(page: Page): Promise<void> {
    await page.locator("#panel-map[data-round]").waitFor();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  /** Where an object is on the page. */
  async function spot(page: Page, feed: FakeFeed, id: number): Promise<{ x: number; y: number }> {
    const box = (await page.locator("#map").boundingBox())!;
    const map = feed.map();
    const scale = Math.min((box.width * 0.92) / 2250, (box.height * 0.92) / 1750);
    const at = map.ids.indexOf(id);
    return {
      x: box.x + box.width / 2 + (map.x[at]! - 1125) * scale,
      y: box.y + box.height / 2 + (map.y[at]! - 875) * scale,
    };
  }

  test("client and object are picked on the map", async () => {
    const { page, feed, step } = await open();
    await openPanel(page, "map");
    await mapDrawn(page);
    const [avatar, other] = [await spot(page, feed, 4), await spot(page, feed, 9)];
    await page.mouse.click(avatar.x, avatar.y);
    await expect.poll(() => page.locator("#pick-client").inputValue()).toBe("4");
    await page.mouse.click(other.x, other.y);
    await expect.poll(() => page.locator("#pick-object").inputValue()).toBe("9");
    await page.keyboard.down("Shift");
    await page.mouse.click(other.x, other.y);
    await page.keyboard.up("Shift");
    await expect.poll(() => page.locator("#pick-client").inputValue()).toBe("9");
    await page.locator("#map-why").click();
    step();
    await page.getByText("still within its bound").or(page.getByText("nothing is owed")).first().waitFor();
    // Dragged, the map moves and nothing is picked.
    await page.mouse.move(other.x, other.y);
    await page.mouse.down();
    await page.mouse.move(other.x - 150, other.y + 40, { steps: 4 });
    await page.mouse.up();
    expect(await page.locator("#pick-object").inputValue()).toBe("9");
    await page.close();
  });

  test("a view is edited as a form and by its rings, refused where it tightens outward, and applied", async () => {
    const { page, feed } = await open();
    await openPanel(page, "views");
    await mapDrawn(page);
    await page.locator("#pick-client").selectOption("4");
    await page.getByLabel("zone 0, edge").waitFor();
    expect(await page.locator("#view-revert").isVisible()).toBe(false);
    const pivot = await spot(page, feed, 4);
    const box = (await page.locator("#map").boundingBox())!;
    const scale = Math.min((box.width * 0.92) / 2250, (box.height * 0.92) / 1750);
    await page.mouse.move(pivot.x + 200 * scale, pivot.y);
    await page.mouse.down();
    await page.mouse.move(pivot.x + 300 * scale, pivot.y, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => Number(await page.getByLabel("zone 0, edge").inputValue())).toBeCloseTo(300, -1);
    await page.getByRole("button", { name: "More zones" }).click();
    await expect.poll(() => figure(page, "editor.zones")).toBe("5");
    // From field to field by Tab: what is typed replaces what stood there, though the form is built anew in between.
    await page.getByLabel("zone 0, edge").fill("310");
    await page.getByLabel("zone 0, edge").press("Tab");
    await expect.poll(() => page.getByLabel("zone 0, edge").getAttribute("value")).toBe("310");
    await page.keyboard.type("620");
    await page.keyboard.press("Tab");
    await expect.poll(() => page.getByLabel("zone 1, edge").getAttribute("value")).toBe("620");
    const time = page.getByLabel("zone 1, sector 0: time");
    await time.fill("1500");
    await time.press("Tab");
    await page.getByText("stricter than nearer by").waitFor();
    await page.locator("#view-apply-one:disabled").waitFor();
    await time.fill("100");
    await time.press("Tab");
    await page.locator("#view-apply-one:enabled").click();
    await page.getByText("Applied to this client.").waitFor();
    await page.locator("#view-file").setInputFiles({
      name: "nearfield.jsonc",
      mimeType: "",
      buffer: Buffer.from(
        '{"nearfield":"view","version":1, // ours\n"sets":[{"match":"everything","radii":[77],"bounds":[{"time":0},{}]},]}',
      ),
    });
    await page.getByText("Opened; not applied yet.").waitFor();
    await expect.poll(() => page.getByLabel("zone 0, edge").inputValue()).toBe("77");
    await page.close();
  });

  test("a session is recorded, scrubbed through, saved and opened again", async () => {
    const { page, step } = await open();
    await openPanel(page, "recorder");
    await live(page);
    step();
    await page.locator("#recorder-record").click();
    await page.getByText("Records a picture every 100 ms").waitFor();
    for (let sample = 0; sample < 60; sample++) step(10);
    await page.locator("#recorder-record").click();
    // What is stepped before the feed has heard of it would be recorded too.
    await page.getByText("A recording is there").waitFor();
    await page.locator("#recorder-open:enabled").click();
    await page.locator("#timeline").waitFor();
    await expect
      .poll(() => {
        step();
        return figure(page, "recording.count");
      })
      .toBe("61");
    await page.locator("#timeline-slider").fill("9900");
    await expect.poll(() => page.locator("#side-recorder").getAttribute("data-frame")).toBe("30");
    expect(await figure(page, "frame.out")).toMatch(/^3\d{4}$/);
    await page.keyboard.press(",");
    await expect.poll(() => page.locator("#side-recorder").getAttribute("data-frame")).toBe("26");
    await keepScreenshot(page, "inspector-playback");
    for (const panel of panels) {
      await openPanel(page, panel);
      if (panel === "clients") await page.locator('#clients-table tr[data-player="2"]').click();
      if (panel === "why") await page.locator("#pick-object").selectOption("5");
      const shown = { why: "#why-answer", views: "#views-recorded" }[panel as string];
      if (shown !== undefined) await page.locator(shown).waitFor();
      await keepScreenshot(page, `inspector-playback-${panel}`);
    }
    const recordedRound = await page.locator("#facts").getAttribute("data-round");
    expect(Number(recordedRound)).toBe(Number(await page.locator("#panel-network").getAttribute("data-round")));
    await openPanel(page, "why");
    expect(await figure(page, "why.divergence.sequence")).toBe("1");
    expect(await figure(page, "why.divergence.value")).toBe("");
    await page.setViewportSize({ width: 390, height: 844 });
    for (const panel of panels) {
      await openPanel(page, panel);
      await expect.poll(() => widthOf(page)).toBe(390);
      await keepScreenshot(page, `inspector-playback-${panel}-narrow`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await openPanel(page, "recorder");
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#recorder-save").click()]);
    const saved = await readFile(await download.path());
    await page.locator("#timeline-live").click();
    await live(page);
    await page.close();

    const other = await open({ hash: "" });
    await other.page
      .locator("#recording-file")
      .setInputFiles({ name: "session.json", mimeType: "application/json", buffer: saved });
    await other.page.locator("body[data-state=playback]").waitFor();
    await expect.poll(() => figure(other.page, "recording.count")).toBe("61");
    await other.page.keyboard.press("Space");
    await expect.poll(() => other.page.locator("#side-recorder").getAttribute("data-frame")).not.toBe("0");
    // Of the version before, which held no reports.
    const old = JSON.parse(saved.toString()) as { version: number; frames: Record<string, unknown>[] };
    old.version = 1;
    for (const frame of old.frames) for (const name of ["report", "sends", "versions", "members"]) delete frame[name];
    await other.page
      .locator("#recording-file")
      .setInputFiles({ name: "old.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(old)) });
    await openPanel(other.page, "clients");
    await other.page.getByText("This recording was made by an older version").waitFor();
    await keepScreenshot(other.page, "inspector-playback-old");
    await openPanel(other.page, "map");
    await other.page.locator("#map-note", { hasText: "recorded at" }).waitFor();
    await other.page
      .locator("#recording-file")
      .setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await other.page.getByText("The file is no recording").waitFor();
    await other.page.close();
  });

  test("a preset is set where the host allows it", async () => {
    const { page, feed, step } = await open();
    await openPanel(page, "network");
    const card = page.locator('#network-cards [data-player="1"]');
    await card.getByLabel("Conditions").selectOption("3g");
    await expect.poll(() => feed.report().clients[0]!.network.preset).toBe("3g");
    await page.locator("#live").click();
    await expect
      .poll(() => {
        step();
        return card.getByLabel("Conditions").inputValue();
      })
      .toBe("3g");
    await page.close();
  });
});
