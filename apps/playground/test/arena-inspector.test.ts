/**
 * The arena as it is played, with the inspector opened beside it: what every panel shows is compared with the server's own counters. The game runs on
 * the machine's clock, so the counters are kept round by round, and a figure must lie between those of the round it is of and of the next one.
 */
import { join } from "node:path";
import { pageFolder as arenaPage, type RunningArena, startArena } from "@nearfield/arena/server";
import { CAUSE_NAMES } from "@nearfield/core";
import type { Explanation } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { keepScreenshot, openBrowser } from "../../../test/browser.ts";
import { type Playground, startPlayground } from "../src/playground.ts";

const pageFolder = join(import.meta.dirname, "../dist/page");
const BOTS = 5;
/** WebRTC to the machine itself. */
const LOOPBACK = ["--allow-loopback-in-peer-connection", "--disable-features=WebRtcHideLocalIpsWithMdns"];
const CHANNELS = ["reliable", "sequenced", "unsequenced"] as const;

type Counters = Readonly<Record<string, number>>;

describe("the arena, and the inspector beside it", () => {
  let arena: RunningArena;
  let playground: Playground;
  let browser: Browser;
  let ann: Page;
  let page: Page;
  /** By round. */
  const counted = new Map<number, Counters>();
  const explained = new Map<number, Explanation>();
  /** The object that is asked about. */
  let watched: ObjectId | undefined;

  beforeAll(async () => {
    const start = async (options: Parameters<typeof startArena>[0]): Promise<RunningArena> => {
      arena = await startArena({ ...options, seed: 7, bots: BOTS, levels: ["cell"] });
      keepCounters(arena);
      return arena;
    };
    const games = [{ id: "arena", name: "Arena", pageFolder: arenaPage, start }];
    playground = await startPlayground({ port: 0, pageFolder, games });
    browser = await openBrowser(LOOPBACK);
    ann = await browser.newPage({ viewport: { width: 640, height: 360 } });
    await ann.goto(`${playground.address}arena/`);
    await ann.fill("#name", "Ann");
    await ann.click('#join button:text-is("Fight")');
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(playground.inspector);
    await page.locator("body[data-state=live]").waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await playground?.close();
  });

  function keepCounters({ game }: RunningArena): void {
    const round = game.round.bind(game);
    game.round = () => {
      round();
      counted.set(game.roundNumber, countersOf(arena));
      const pair = watched === undefined ? undefined : game.main.model.explain(player().view, watched);
      if (pair !== undefined) explained.set(game.roundNumber, pair);
    };
  }

  function player() {
    const found = [...arena.game.main.players.values()].find(({ nickname }) => nickname === "Ann");
    if (found === undefined) throw new Error("Ann is not there");
    return found;
  }

  /** The figures within a place of the page, and the round they are of, read in one go. */
  function read(place: string, within = place): Promise<{ round: number; figures: Record<string, string> }> {
    return page.evaluate(
      ([at, inside]) => {
        const round = Number(document.querySelector<HTMLElement>(at!)!.dataset["round"]);
        const shown = document.querySelectorAll<HTMLElement>(`${inside} [data-figure]`);
        const figures = [...shown].map(({ dataset }) => [dataset["figure"], dataset["value"]]);
        return { round, figures: Object.fromEntries(figures) as Record<string, string> };
      },
      [place, within],
    );
  }

  /** Reads until the server's counters of that round and of the next are known, and the figures lie between them. */
  async function agrees(place: string, names: Readonly<Record<string, string>>, within = place): Promise<void> {
    const strays = async (): Promise<string[]> => {
      const { round, figures } = await read(place, within);
      const [before, after] = [counted.get(round), counted.get(round + 1)];
      if (before === undefined || after === undefined) return [`no counters of round ${round} and the next`];
      return Object.entries(names).flatMap(([figure, name]) => {
        const value = Number(figures[figure]);
        const isBetween = value >= before[name]! && value <= after[name]!;
        return figures[figure] !== undefined && isBetween
          ? []
          : [`${figure} is ${figures[figure]}, not ${before[name]} to ${after[name]}`];
      });
    };
    await expect.poll(strays).toEqual([]);
  }

  const openPanel = (panel: string): Promise<void> => page.locator(`[data-open="${panel}"]`).click();

  test("she plays over UDP, and the overview counts what she is sent", async () => {
    await ann.waitForFunction('window.__arena.report()?.own?.condition === "alive"');
    await ann.waitForFunction('window.__arena.report()?.linkKind === "webrtc"');
    await ann.keyboard.down("KeyD");
    await ann.keyboard.up("KeyD");
    await agrees("#panel-overview", {
      ...Object.fromEntries(CHANNELS.flatMap((channel) => [[`out.${channel}.total`, `${channel} out`]])),
      ...Object.fromEntries(CHANNELS.flatMap((channel) => [[`in.${channel}.total`, `${channel} in`]])),
      ...Object.fromEntries(CAUSE_NAMES.map((cause) => [`cause.${cause}`, cause])),
      clients: "clients",
    });
    await keepScreenshot(page, "arena-inspector-overview");
  });

  test("clients and network: her traffic, link and round trip", async () => {
    await openPanel("clients");
    const row = `#clients-table tr[data-player="${player().id}"]`;
    await page.locator(row).waitFor();
    await agrees("#panel-clients", { "client.out.total": "her out", "client.in.total": "her in" }, row);
    const link = async () => (await read("#panel-clients", row)).figures["client.link"];
    await expect.poll(link).toBe("webrtc");
    await openPanel("network");
    const card = `#network-cards [data-player="${player().id}"]`;
    await page.locator(card).waitFor();
    await agrees("#panel-network", { "network.pausedRounds": "her pauses" }, card);
  });

  test("audit: nothing that was decided is short", async () => {
    await openPanel("audit");
    await agrees("#panel-audit", {
      "audit.decided": "decided",
      "audit.faults": "faults",
      "audit.examined": "examined",
    });
    expect(counted.get(arena.game.roundNumber)!["decided"]).toBe(0);
  });

  test("why: an opponent, as the model explains it", async () => {
    await openPanel("clients");
    await page.locator(`#clients-table tr[data-player="${player().id}"]`).click();
    await openPanel("why");
    watched = arena.host.marks.find(({ id }) => id !== ownAvatar())!.id as ObjectId;
    await page.locator("#pick-object").selectOption(String(watched));
    const strays = async (): Promise<string[]> => {
      const { round, figures } = await read("#side-why");
      const pair = explained.get(round);
      if (pair === undefined || figures["why.object"] !== String(watched)) return [`not of round ${round} yet`];
      const { zone, sector, bound, lastSend } = pair;
      const expected = { zone, sector, "bound.time": bound.time, lastSend };
      return Object.entries(expected).flatMap(([name, value]) =>
        Number(figures[`why.${name}`]) === value ? [] : [`${name} is ${figures[`why.${name}`]}, not ${value}`],
      );
    };
    await expect.poll(strays).toEqual([]);
    await keepScreenshot(page, "arena-inspector-why");
  });

  function ownAvatar(): ObjectId | undefined {
    return arena.host.marks
      .map(({ id }) => id as ObjectId)
      .find((id) => arena.game.main.world.get(id)?.owner === player().id);
  }

  test("why: a bot in the server's own process has no replica, and stands behind the people", async () => {
    await openPanel("clients");
    await expect.poll(() => page.locator("#clients-table tbody tr th").first().textContent()).toBe("Ann");
    await openPanel("why");
    const names = await page.locator("#pick-client option").allTextContents();
    expect(names.slice(0, 2)).toEqual(["none", "Ann"]);
    await page.locator("#pick-client").selectOption({ index: 2 });
    await page.getByText("This player has no replica").waitFor();
    await page.locator("#pick-client").selectOption("Ann");
  });

  test("views: her sectors, narrow while she looks through the scope", async () => {
    await openPanel("views");
    const angle = page.getByLabel(/^sector 0/).first();
    await expect.poll(() => angle.inputValue()).toBe("100");
    await ann.bringToFront();
    await ann.waitForFunction('window.__arena.report()?.own?.condition === "alive"');
    await ann.mouse.move(400, 180);
    await ann.mouse.down({ button: "right" });
    await expect.poll(() => player().settings.sets[0]!.sectors).toEqual([35, 75]);
    await ann.mouse.up({ button: "right" });
    await expect.poll(() => player().settings.sets[0]!.sectors).toEqual([100, 140]);
    await page.bringToFront();
    await keepScreenshot(page, "arena-inspector-views");
  });
});

function countersOf({ game }: RunningArena): Counters {
  const room = game.main;
  const sessions = [...room.players.values()].filter(({ linkKind }) => linkKind !== undefined);
  const her = sessions.find(({ nickname }) => nickname === "Ann")?.telemetry;
  const sum = (read: (telemetry: NonNullable<typeof her>) => number): number =>
    sessions.reduce((all, { telemetry }) => all + read(telemetry), 0);
  return {
    ...Object.fromEntries(CHANNELS.map((channel) => [`${channel} out`, sum((one) => one[channel].bytesOut)])),
    ...Object.fromEntries(CHANNELS.map((channel) => [`${channel} in`, sum((one) => one[channel].bytesIn)])),
    ...Object.fromEntries(CAUSE_NAMES.map((cause, index) => [cause, room.telemetry.sends[index]!])),
    clients: room.players.size,
    "her out": her?.bytesOut ?? 0,
    "her in": her?.bytesIn ?? 0,
    "her pauses": her?.pausedRounds ?? 0,
    decided: room.audit.decided,
    faults: room.audit.faults,
    examined: room.audit.examined,
  };
}
