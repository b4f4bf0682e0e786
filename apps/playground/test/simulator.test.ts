/**
 * The Realtime Simulator as somebody uses it: steers, changes a model, records, plays back, runs a test run, passes a link on. Figures are
 * read from the page; pictures are kept.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { keepScreenshot, openBrowser } from "../../../test/browser.ts";
import { type Playground, startPlayground } from "../src/playground.ts";

const pageFolder = join(import.meta.dirname, "../dist/page");

/** A figure beside the live charts. */
async function figure(page: Page, name: string): Promise<number> {
  return Number(await page.locator(`#figures [data-figure="${name}"]`).getAttribute("data-value"));
}

/** A figure of the test run's table. */
async function measured(page: Page, latencyMs: number, loss: number, name: string): Promise<number> {
  const row = page.locator(`#run-table tr[data-latency="${latencyMs}"][data-loss="${loss}"]`);
  return Number(await row.locator(`[data-figure="${name}"]`).textContent());
}

async function sets(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.fill(value);
  await field.blur();
}

/** Where the page says it is; Playwright hears of it a little later. */
const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash);

/** Whether anything of that colour is in the picture. */
async function hasColour(page: Page, canvas: string, name: string): Promise<boolean> {
  return await page.locator(canvas).evaluate((element: HTMLCanvasElement, variable) => {
    const paint = element.getContext("2d")!;
    paint.save();
    const probe = document.createElement("canvas").getContext("2d")!;
    probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
    probe.fillRect(0, 0, 1, 1);
    const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
    const { data } = paint.getImageData(0, 0, element.width, element.height);
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) return true;
    }
    return false;
  }, name);
}

describe("Realtime Simulator", () => {
  let playground: Playground;
  let browser: Browser;
  const complaints: string[] = [];

  async function open(hash = "", options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1360, height: 1000 }, colorScheme: "dark", ...options });
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));
    await page.goto(`${playground.address}simulator/${hash}`);
    await page.getByText("You steer").waitFor();
    return page;
  }

  beforeAll(async () => {
    playground = await startPlayground({ port: 0, pageFolder, games: [] });
    browser = await openBrowser();
  });

  afterEach(() => {
    expect(complaints.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await playground?.close();
  });

  test("is reached from the landing page", async () => {
    const page = await browser.newPage();
    await page.goto(playground.address);
    await page.getByRole("link", { name: "Open the simulator" }).click();
    await page.getByRole("heading", { name: "Realtime Simulator" }).waitFor();
    await page.close();
  });

  test("is steered by keys, and draws what the others see beside the truth", async () => {
    const page = await open();
    await page.keyboard.down("ArrowRight");
    await expect.poll(() => figure(page, "maxDistanceError")).toBeGreaterThan(2);
    await page.keyboard.up("ArrowRight");
    await page.keyboard.down("ArrowUp");
    await expect.poll(() => figure(page, "updatesPerSecond")).toBeGreaterThan(0);
    await expect.poll(() => hasColour(page, "#remote", "--remote")).toBe(true);
    await expect.poll(() => hasColour(page, "#remote", "--past")).toBe(true);
    expect(await hasColour(page, "#truth", "--truth")).toBe(true);
    await expect.poll(() => figure(page, "avgDataSent")).toBeGreaterThan(0);
    await expect.poll(() => page.locator("#error-chart canvas").count()).toBe(1);
    await keepScreenshot(page, "simulator-steer");
    await page.keyboard.up("ArrowUp");
    await page.close();
  });

  test("follows a change of model, and hides what the model does not use", async () => {
    const page = await open();
    await page.getByLabel("Model", { exact: true }).selectOption("interpolation");
    await page.getByLabel("Update interval").waitFor();
    expect(await page.getByLabel("Position threshold").isVisible()).toBe(false);
    expect(await hashOf(page)).toContain("model=interpolation");
    await page.getByText("changed", { exact: true }).waitFor();
    await page.getByLabel("Genre", { exact: true }).selectOption("shooter");
    expect(await page.getByLabel("Model", { exact: true }).inputValue()).toBe("linear");
    await page.getByText("walk").waitFor();
    await page.close();
  });

  test.each([
    ["thrust", "pushes ahead"],
    ["action", "step aside"],
  ])("is steered under %s", async (control, words) => {
    const page = await open(`#control=${control}&latencyMs=50`);
    await page.getByText(words).filter({ visible: true }).waitFor();
    await page.keyboard.down("KeyA");
    await page.keyboard.down("KeyW");
    await expect.poll(() => figure(page, "updatesPerSecond")).toBeGreaterThan(1);
    await expect.poll(() => figure(page, "maxDistanceError")).toBeGreaterThan(0.5);
    await page.close();
  });

  test("leaves a choice that was made, so that arrow keys steer again", async () => {
    const page = await open();
    const speed = page.getByLabel("Acceleration");
    await speed.fill("200");
    await speed.press("Enter");
    await page.keyboard.down("ArrowLeft");
    await expect.poll(() => figure(page, "maxDistanceError")).toBeGreaterThan(1);
    expect(await hashOf(page)).toContain("acceleration=200");
    await page.close();
  });

  test("goes where it is clicked under point and click", async () => {
    const page = await open("#control=point&latencyMs=100");
    await page.locator("#truth").click({ position: { x: 60, y: 60 } });
    await expect.poll(() => figure(page, "maxDistanceError")).toBeGreaterThan(1);
    await keepScreenshot(page, "simulator-point");
    await page.close();
  });

  test("records, plays back, and measures the same again", async () => {
    const page = await open("#seed=7");
    await page.getByRole("button", { name: "Record" }).click();
    await page.keyboard.down("ArrowLeft");
    await page.getByText(/^(0\.[5-9]|[1-9]\d*\.\d) s$/).waitFor();
    await page.keyboard.up("ArrowLeft");
    await page.getByRole("button", { name: "Stop recording" }).click();
    const figures: string[] = [];
    for (let turn = 0; turn < 2; turn++) {
      await page.getByRole("button", { name: "Play back" }).click();
      await page.getByText("The recording is over").waitFor();
      figures.push((await page.locator("#figures").textContent()) ?? "");
    }
    expect(figures[0]).toBe(figures[1]);
    expect(await hashOf(page)).toContain("recording=");
    const other = await open(await hashOf(page));
    await other.getByRole("button", { name: "Play back" }).click();
    await other.getByText("The recording is over").waitFor();
    expect(await other.locator("#figures").textContent()).toBe(figures[0]);
    await other.close();
    await page.close();
  });

  test("plays a sample, and says which genre it looks like", async () => {
    const page = await open("#genre=arcade");
    await page.getByRole("button", { name: "Sample" }).click();
    await page.getByText("Playing the sample").waitFor();
    await page.getByRole("button", { name: "Which genre?" }).click();
    await page.getByText("This moves like arcade action").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByText("Paused. Playing the sample.").waitFor();
    await page.close();
  });

  test("runs a short test run: curves, figures, csv", async () => {
    const page = await open("#runToMs=400&runStepMs=200&runLosses=0,20&runRepeats=1&seed=3");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Done: 6 cells").waitFor();
    expect(await page.locator("#run-table tbody tr").count()).toBe(6);
    const near = await measured(page, 0, 0, "avgDistanceError");
    const far = await measured(page, 400, 0, "avgDistanceError");
    expect(near).toBeLessThan(2);
    expect(far).toBeGreaterThan(near);
    expect(await measured(page, 400, 20, "avgDistanceError")).toBeGreaterThan(far);
    expect(await measured(page, 0, 0, "avgDataSent")).toBeGreaterThan(0.05);
    await expect.poll(() => page.locator("#run [data-chart] canvas").count()).toBe(4);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as csv" }).click(),
    ]);
    const lines = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(lines).toHaveLength(7);
    expect(lines[0]).toMatch(/^model,latencyMs,lossPercent,avgDistanceError,/);
    await page.locator("#run").scrollIntoViewIfNeeded();
    await page.locator("#run-title").evaluate((title) => title.scrollIntoView());
    await keepScreenshot(page, "simulator-run");
    await page.close();
  });

  test("cancels a long test run and keeps what it has", async () => {
    const page = await open("#runToMs=3000&runStepMs=10&runLosses=0,5&runRepeats=20");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText(/\d+ of 602 cells/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText(/Cancelled after \d+ cells/).waitFor();
    await page.getByRole("button", { name: "Save as csv" }).waitFor();
    await page.close();
  });

  test("compares models in a test run", async () => {
    const page = await open("#genre=simulation&runCurves=model&runToMs=800&runStepMs=200&runRepeats=1&lossPercent=0", {
      colorScheme: "light",
    });
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("Done: 25 cells").waitFor();
    await page.locator("#run-title").evaluate((title) => title.scrollIntoView());
    await keepScreenshot(page, "simulator-models-light");
    await page.close();
  });

  test("opens a link with its settings, and says what it could not use", async () => {
    const page = await open("#genre=arcade&network=gprs&model=history&positionMs=250&drag=1e9&nonsense=1");
    expect(await page.getByLabel("Control", { exact: true }).inputValue()).toBe("direct");
    expect(await page.getByLabel("Network", { exact: true }).inputValue()).toBe("gprs");
    expect(await page.getByLabel("Latency", { exact: true }).inputValue()).toBe("916");
    expect(await page.getByLabel("Converge position").inputValue()).toBe("250");
    await page.getByText("Drag is “1e9”, but must be from 0.1 to 50").waitFor();
    await page.getByText("There is no setting “nonsense”").waitFor();
    await page.close();
  });

  test("says beside a field what is wrong with it, and goes on with the last good value", async () => {
    const page = await open();
    await sets(page, "Latency", "99999");
    await page.getByText("Latency must be from 0 to 3000").waitFor();
    expect(await hashOf(page)).not.toContain("latencyMs");
    await sets(page, "Latency", "120");
    expect(await page.getByLabel("Network", { exact: true }).inputValue()).toBe("own");
    expect(await hashOf(page)).toContain("latencyMs=120");
    await page.close();
  });

  test("fits a telephone, with buttons to steer by", async () => {
    const page = await open("", { viewport: { width: 360, height: 740 }, hasTouch: true, deviceScaleFactor: 2 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const sharpness = () =>
      page.locator("#truth").evaluate((canvas: HTMLCanvasElement) => canvas.width / canvas.clientWidth);
    await expect.poll(sharpness).toBeCloseTo(2, 1);
    const button = page.getByRole("button", { name: "Right (arrow right)" });
    await button.scrollIntoViewIfNeeded();
    await button.hover();
    await page.mouse.down();
    await expect.poll(() => figure(page, "maxDistanceError")).toBeGreaterThan(1);
    await keepScreenshot(page, "simulator-narrow");
    await page.close();
  });
});
