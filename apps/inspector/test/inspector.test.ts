/**
 * Every panel read back from the page and compared with the server's own counters. The server runs on virtual time: it is stepped until the
 * page shows its newest round, then both are read while the world stands still.
 */
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { CAUSE_NAMES } from "@nearfield/core";
import type { Explanation } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import type { ChannelCounters, SessionTelemetry } from "@nearfield/server/internal";
import { watchSettings } from "@nearfield/server/node";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepScreenshot, openBrowser } from "../../../test/browser.ts";
import { type SmallGame, startSmallGame } from "./small-game.ts";

const pageFolder = join(import.meta.dirname, "../dist/page");
const NAMES = ["ann", "bob", "cleo", "dan"];
const CHANNELS = ["reliable", "sequenced", "unsequenced"] as const;

describe("the inspector beside a server", () => {
  let game: SmallGame;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    game = await startSmallGame(pageFolder, NAMES);
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on("pageerror", (error) => void complaints.push(error.message));
    await page.goto(game.operator.link);
    await page.locator("body[data-state=live]").waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await game?.close();
    expect(complaints).toEqual([]);
  });

  const openPanel = (panel: string): Promise<void> => page.locator(`[data-open="${panel}"]`).click();

  /** Steps the world, as a clock would, until the condition holds. By the page's frames, so that a slow one has as long as it needs to draw a round. */
  async function until(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition())) {
      game.lab.step();
      await page.evaluate(async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
      });
    }
  }

  /** Lets rounds pass, each in an event of its own, as a clock does. */
  async function run(rounds: number): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      game.lab.step();
      await nextTurn();
    }
  }

  /** Steps until the page shows the round the world is in; then both can be compared, for the world stands still. */
  async function together(selector: string): Promise<void> {
    const place = page.locator(selector);
    await until(async () => Number(await place.getAttribute("data-round")) === game.lab.server.roundNumber);
  }

  async function value(name: string, within = "body"): Promise<string> {
    const [shown] = await page.locator(`${within} [data-figure="${name}"]`).evaluateAll((found) => {
      return found.map((element) => (element as HTMLElement).dataset["value"] ?? "");
    });
    return shown ?? "";
  }

  const number = async (name: string, within?: string): Promise<number> => Number(await value(name, within));

  function sum(read: (telemetry: Readonly<SessionTelemetry>) => number): number {
    return [...game.room.players.values()].reduce((all, { telemetry }) => all + read(telemetry), 0);
  }

  test("overview: traffic by channel, sends by cause, ratios, rounds, process", async () => {
    const before = { round: game.lab.server.roundNumber, sends: game.room.telemetry.sends.reduce((a, b) => a + b, 0) };
    await run(40);
    await together("#panel-overview");
    const figures = async (way: "out" | "in", counter: keyof ChannelCounters): Promise<void> => {
      for (const channel of CHANNELS) {
        expect(await number(`${way}.${channel}.total`), `${way} ${channel}`).toBe(sum((one) => one[channel][counter]));
      }
      expect(await number(`${way}.all.total`)).toBe(sum((one) => (way === "out" ? one.bytesOut : one.bytesIn)));
    };
    await figures("out", "bytesOut");
    await figures("in", "bytesIn");
    for (const [index, cause] of CAUSE_NAMES.entries()) {
      expect(await number(`cause.${cause}`), cause).toBe(game.room.telemetry.sends[index]);
    }
    expect(await number("clients")).toBe(NAMES.length);
    expect(await number("objects")).toBe(game.room.world.count);
    expect(await number("round.nominal")).toBe(50);
    for (const name of [
      "out.now",
      "out.mean",
      "out.all.peak",
      "in.now",
      "round.p50",
      "stage.step",
      "update.bytes",
      "process.cpu",
    ]) {
      expect(await number(name), name).toBeGreaterThan(0);
    }
    expect(await number("round.p99")).toBeGreaterThanOrEqual(await number("round.p50"));
    expect((await number("process.rss")) / process.memoryUsage().rss).toBeCloseTo(1, 0);

    // 24 ships move in every round: a broadcast is those times four clients.
    const rounds = game.lab.server.roundNumber - before.round;
    const sends = game.room.telemetry.sends.reduce((a, b) => a + b, 0) - before.sends;
    const broadcast = (rounds * 24 * NAMES.length) / sends;
    expect((await number("ratio.broadcast.sends")) / broadcast).toBeCloseTo(1, 1);
    const aura = await number("ratio.aura.sends");
    expect(aura).toBeGreaterThan(0);
    expect(aura).toBeLessThan(await number("ratio.broadcast.sends"));
    await keepScreenshot(page, "inspector-live-overview");
  });

  test("clients: each one's traffic by channel, link, round trip and loss; sorted, selected", async () => {
    await openPanel("clients");
    await together("#panel-clients");
    for (const name of NAMES) {
      const { id, telemetry } = game.player(name);
      const row = `#clients-table tr[data-player="${id}"]`;
      expect(await number("client.out.total", row), name).toBe(telemetry.bytesOut);
      expect(await number("client.in.total", row), name).toBe(telemetry.bytesIn);
      expect(await value("client.link", row)).toBe("memory");
      expect(await number("client.rtt", row)).toBeCloseTo(telemetry.roundTripRounds * 50);
      expect(await number("client.loss", row)).toBeCloseTo(lossOf(telemetry));
      expect(await number("client.loosened", row)).toBe(telemetry.outerFactor);
    }
    await page.getByRole("button", { name: "Loss" }).click();
    const losses = await page.locator('#clients-table tbody [data-figure="client.loss"]').evaluateAll((cells) => {
      return cells.map((cell) => Number((cell as HTMLElement).dataset["value"]));
    });
    expect(losses).toEqual(losses.toSorted((a, b) => b - a));
    await page.getByRole("row", { name: /^dan/ }).click();
    await page.getByText("dan · player, here").waitFor();
    await together("#panel-clients");
    const { telemetry } = game.player("dan");
    for (const channel of CHANNELS) {
      expect(await number(`client.out.${channel}`)).toBe(telemetry[channel].bytesOut);
      expect(await number(`client.in.${channel}`)).toBe(telemetry[channel].bytesIn);
    }
    await keepScreenshot(page, "inspector-live-clients");
  });

  test("audit: decided, delivered, faults, and every shortfall by zone and cause", async () => {
    await openPanel("audit");
    await together("#panel-audit");
    const { audit } = game.room;
    expect(await number("audit.decided")).toBe(audit.decided);
    expect(await number("audit.delivered")).toBe(audit.deliveredUpTo(game.lab.server.roundNumber));
    expect(await number("audit.behind")).toBe(audit.open);
    expect(await number("audit.faults")).toBe(0);
    expect(await number("audit.examined")).toBe(audit.examined);
    expect(await number("held.decided")).toBe(1);
    const held = await number("held.delivered");
    expect(held).toBeGreaterThan(0.5);
    expect(held).toBeLessThan(1);
    const shortfalls = audit.shortfalls("delivered");
    expect(shortfalls.length).toBeGreaterThan(0);
    for (const { zone, cause, spells, pairRounds, longest } of shortfalls) {
      const row = `#shortfalls-delivered tr[data-zone="${zone}"][data-cause="${cause}"]`;
      const shown = [await number("spells", row), await number("pairRounds", row), await number("longestRounds", row)];
      expect(shown).toEqual([spells, pairRounds, longest]);
    }
    await keepScreenshot(page, "inspector-live-audit");
  });

  test("map: all objects by type, where they are", async () => {
    await openPanel("map");
    await page.locator("#show-heat").check();
    await together("#panel-map");
    expect(await number("objects.0")).toBe(24);
    expect(await number("objects.1")).toBe(8);
    const ship = shipOf(game.player("bob"));
    await page.locator("#pick-object").selectOption(String(ship));
    await shownWhereItIs(ship, game.lab.server.roundNumber);
    await keepScreenshot(page, "inspector-live-map");
  });

  /** The side of the map says of the picked object where it was in that round. */
  async function shownWhereItIs(id: ObjectId, round: number): Promise<void> {
    const [x, y] = game.placeAt(round, id)!;
    const far = async (): Promise<number> => {
      const text = (await page.locator("#map-picked").textContent()) ?? "";
      const [, shownX, shownY] = / at ([\d.]+), ([\d.]+)\. $/.exec(text) ?? [];
      return Math.hypot(Number(shownX) - x, Number(shownY) - y);
    };
    await expect.poll(far).toBeLessThan(1);
  }

  /** The ship a player owns. */
  function shipOf(player: Player): ObjectId {
    const ship = placed().find((id) => game.room.world.get(id)?.owner === player.id);
    if (ship === undefined) throw new Error(`${player.nickname} has no ship`);
    return ship;
  }

  /** Everything with a place. */
  function placed(): ObjectId[] {
    return game.things().map(({ id }) => id);
  }

  /** How a player's view stands to the ships in one cell. */
  function cell(player: Player, zone: number, sector: number): Explanation[] {
    const ships = game.things().filter(({ isShip }) => isShip);
    const all = ships.map(({ id }) => game.room.model.explain(player.view, id)!);
    return all.filter((one) => one.zone === zone && one.sector === sector);
  }

  test("why: zone, sector, bound, divergence and last send of one pair, as the model explains it", async () => {
    await openPanel("why");
    const [dan, bob] = [game.player("dan"), shipOf(game.player("bob"))];
    for (const object of [
      bob,
      ...placed()
        .filter((id) => id !== bob)
        .slice(0, 3),
    ]) {
      await page.locator("#pick-object").selectOption(String(object));
      await until(async () => (await value("why.object")) === String(object));
      await together("#side-why");
      const explained = game.room.model.explain(dan.view, object)!;
      expect(await number("why.zone")).toBe(explained.zone);
      expect(await number("why.sector")).toBe(explained.sector);
      for (const dimension of ["time", "sequence", "value"] as const) {
        const shown = await value(`why.bound.${dimension}`);
        const bound = explained.bound[dimension];
        expect(shown, `bound in ${dimension} of ${object}`).toBe(Number.isFinite(bound) ? String(bound) : "");
      }
      expect(await number("why.divergence.sequence")).toBe(explained.divergence.sequence);
      expect(await number("why.divergence.value")).toBeCloseTo(explained.divergence.value, 1);
      expect(await number("why.lastSend")).toBe(explained.lastSend);
    }
    await keepScreenshot(page, "inspector-live-why");
  });

  test("views: pairs by zone as they are; an applied view binds in the next round", async () => {
    await openPanel("views");
    await page.getByLabel("zone 0, edge").waitFor();
    await until(async () => (await number("preview.pairs.2")) > 0 && (await number("preview.candidate.bytes")) > 0);
    // Zones of one preview: the next one may come between two reads.
    const pairs = async (): Promise<number> => {
      const zones = await Promise.all([0, 1, 2].map((zone) => number(`preview.pairs.${zone}`)));
      return zones.reduce((all, one) => all + one, 0);
    };
    await expect.poll(pairs).toBe(game.room.world.count);

    const dan = game.player("dan");
    await page.getByLabel("zone 0, edge").fill("250");
    const time = page.getByLabel("zone 2, sector 1: time");
    await time.fill("3000");
    await time.press("Tab");
    await page.locator("#view-apply-one:enabled").click();
    await page.getByText("Applied to this client.").waitFor();
    game.lab.step();
    expect(cell(dan, 2, 1).map(({ bound }) => bound.time)).toContain(3000);
    expect(cell(dan, 2, 1).map(({ bound }) => bound.time)).not.toContain(2000);
    expect(cell(game.player("ann"), 2, 1).map(({ bound }) => bound.time)).toContain(2000);
    await page.locator("#view-apply-all").click();
    await page.getByText("Applied to all 4 clients").waitFor();
    game.lab.step();
    for (const name of NAMES) {
      for (const { bound } of cell(game.player(name), 2, 1)) expect(bound.time, name).toBe(3000);
    }
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#view-save").click()]);
    expect(download.suggestedFilename()).toMatch(/\.json$/);
    await keepScreenshot(page, "inspector-live-views");
  });

  test("recorder: frames hold the world as it was", async () => {
    await openPanel("recorder");
    await page.locator("#recorder-record").click();
    await page.getByText("Records a picture every").waitFor();
    await until(async () => (await number("recording.count")) > 12);
    await page.locator("#recorder-record").click();
    await page.locator("#recorder-open:enabled").click();
    const ship = shipOf(game.player("bob"));
    await page.locator("#pick-object").selectOption(String(ship));
    for (const at of [0, 300]) {
      await page.locator("#timeline-slider").fill(String(at));
      await page.locator(`#side-recorder[data-frame="${at / 100}"]`).waitFor();
      await page.locator('[data-open="map"]').click();
      const round = Number(await page.locator("#panel-map").getAttribute("data-round"));
      await shownWhereItIs(ship, round);
      await openPanel("recorder");
    }
    await keepScreenshot(page, "inspector-live-recorder");
    await openPanel("overview");
    const round = await number("out.all.total");
    expect(round).toBeGreaterThan(0);
    expect(round).toBeLessThan(sum((one) => one.bytesOut));
    await openPanel("clients");
    for (const name of NAMES) {
      const { id, telemetry } = game.player(name);
      const then = await number("client.out.total", `#clients-table tr[data-player="${id}"]`);
      expect(then, name).toBeGreaterThan(0);
      expect(then, name).toBeLessThan(telemetry.bytesOut);
    }
    await page.locator("#timeline-live").click();
    await page.locator("body[data-state=live]").waitFor();
  });

  test("settings file: where it lies, since when it is in force, and what is wrong with it", async () => {
    let text = fileOf(100);
    let onChange = (): void => {};
    const host: NonNullable<NonNullable<Parameters<typeof watchSettings>[2]>["host"]> = {
      read: () => Promise.resolve(text),
      watch: (_path, changed) => {
        onChange = changed;
        return () => {};
      },
      after: (_ms, read) => {
        read();
        return () => {};
      },
    };
    await openPanel("overview");
    expect(await page.locator("#overview-settings").isVisible()).toBe(false);
    const watch = watchSettings("/game/nearfield.jsonc", game.room, { host });
    const line = page.locator("#overview-settings");
    const says = (words: string) => until(async () => (await line.textContent())?.includes(words) === true);
    await says("/game/nearfield.jsonc is in force, loaded 0.");
    text = fileOf(-5);
    onChange();
    await says("is broken. The settings loaded ");
    await says("nearfield.jsonc:2:58 sets[0].bounds[0].time: must be 0 or more, is -5");
    await keepScreenshot(page, "inspector-settings-broken");
    await openPanel("views");
    await until(async () => (await page.locator("#views-settings").textContent())?.includes(":2:58") === true);
    await keepScreenshot(page, "inspector-settings-views");
    await openPanel("overview");
    text = fileOf(200);
    onChange();
    await says("is in force, loaded 0.");
    expect(game.reported).toEqual(["main: settings"]);
    watch.close();
    await until(() => line.isHidden());
  });

  test("network: what was measured, and a preset that is set", async () => {
    await openPanel("network");
    await together("#panel-network");
    for (const name of NAMES) {
      const { id, telemetry } = game.player(name);
      const card = `#network-cards [data-player="${id}"]`;
      expect(await number("network.roundTripMs", card)).toBeCloseTo(telemetry.roundTripRounds * 50);
      expect(await number("network.loss", card)).toBeCloseTo(lossOf(telemetry));
      expect(await number("network.pausedRounds", card)).toBe(telemetry.pausedRounds);
    }
    const card = page.locator(`#network-cards [data-player="${game.player("ann").id}"]`);
    const preset = (await card.getByLabel("Conditions").locator("option").nth(1).getAttribute("value"))!;
    await card.getByLabel("Conditions").selectOption(preset);
    await expect.poll(() => game.presetsSet).toEqual([["ann", preset]]);
    const before = game.player("ann").telemetry.roundTripRounds;
    await run(100);
    await together("#panel-network");
    expect(
      await number("network.roundTripMs", `#network-cards [data-player="${game.player("ann").id}"]`),
    ).toBeGreaterThan(before * 50);
    await keepScreenshot(page, "inspector-live-network");
  });
});

function fileOf(timeMs: number): string {
  return `{ "nearfield": "settings", "version": 1, // a comment
  "sets": [{ "match": "everything", "bounds": [{ "time": ${timeMs} }] }] }`;
}

function lossOf({ packetsLost, packetsArrived }: Readonly<SessionTelemetry>): number {
  return packetsLost / (packetsLost + packetsArrived);
}
