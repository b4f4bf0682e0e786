/**
 * A recorded network in the Realtime Simulator, as somebody uses it: opens a file, reads what it measures, sees it replayed, seeks in it,
 * drops one that is none, and closes it again.
 */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { keepScreenshot, openBrowser } from "../../../test/browser.ts";
import { type Playground, startPlayground } from "../src/playground.ts";
import { networkCsv } from "./simulator/network-csv.ts";

const pageFolder = join(import.meta.dirname, "../dist/page");

/** Lets go of a file over the page. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([text, called]) => {
      const files = new DataTransfer();
      files.items.add(new File([text!], called!));
      return files;
    },
    [content, name],
  );
  await page.dispatchEvent("#truth", "drop", { dataTransfer: transfer });
}

describe("a recorded network in the Realtime Simulator", () => {
  let playground: Playground;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    playground = await startPlayground({ port: 0, pageFolder, games: [] });
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1360, height: 1500 }, colorScheme: "dark" });
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));
    await page.goto(`${playground.address}simulator/#network=satellite`);
    await page.getByText("You steer").waitFor();
  });

  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await playground?.close();
  });

  test("is opened from a packed file, says what it measures, and is replayed", async () => {
    const buffer = gzipSync(networkCsv());
    await page.setInputFiles("#trace-file", { name: "town.csv.gz", mimeType: "application/gzip", buffer });
    await page.getByText("town.csv.gz").waitFor();
    expect(await page.locator('[data-fact="Round trip"]').textContent()).toBe("170 ms on average");
    expect(await page.locator('[data-fact="Bandwidth"]').textContent()).toBe("as set below");
    // What it tells is no setting any more; what it does not is the preset's.
    expect(await page.getByLabel("Latency", { exact: true }).isVisible()).toBe(false);
    expect(await page.getByLabel("Bandwidth", { exact: true }).inputValue()).toBe("10000");
    await page.getByText(/at \d\.\d s · 300 ms · 20 % lost/).waitFor();
    await page.getByText("A recorded network is left out here").waitFor();
    await page.getByRole("button", { name: "Sample" }).click();
    await keepScreenshot(page, "simulator-network");
  });

  test("is sought by its field and by its curve, and starts there", async () => {
    await page.locator("#trace-strip").click({ position: { x: 1, y: 10 } });
    await expect.poll(() => page.getByLabel("Replay from").inputValue()).toBe("0");
    const { width } = (await page.locator("#trace-strip").boundingBox())!;
    await page.locator("#trace-strip").click({ position: { x: width * 0.7, y: 10 } });
    await expect.poll(() => page.getByLabel("Replay from").inputValue()).toBe("4");
    expect(await page.evaluate(() => location.hash)).toContain("replayFromS=4");
  });

  test("stays while a file that is none is dropped, and the page says what to do", async () => {
    await drop(page, "walk.csv", "t_ms,id,x,y\n0,1,2,3\n");
    await page.getByText("walk.csv, line 1: the columns are t_ms,id,x,y").waitFor();
    await page.getByText("A network recording is a csv whose first line names t_ms").waitFor();
    expect(await page.locator("#trace-name").textContent()).toBe("town.csv.gz");
    await keepScreenshot(page, "simulator-network-wrong");
    await drop(page, "other.csv", "t_ms,packets_1500B\n0,1\n9,1\n");
    await page.getByText("other.csv").waitFor();
    expect(await page.locator("#trace-problem").textContent()).toBe("");
    expect(await page.getByLabel("Latency", { exact: true }).isVisible()).toBe(true);
  });

  test("is closed again, and the settings count as before", async () => {
    await page.getByRole("button", { name: "Close the file" }).click();
    await page.getByRole("button", { name: "Replay a real network" }).waitFor();
    expect(await page.getByLabel("Latency", { exact: true }).inputValue()).toBe("47");
    expect(await page.getByLabel("Replay from").isVisible()).toBe(false);
  });
});
