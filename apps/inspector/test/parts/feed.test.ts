import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { describe, expect, test } from "vitest";
import { pageConfig } from "../../../../scripts/page-config.ts";
import { feedAddress, readGames, tokenIn } from "../../web/feed/address.ts";
import { Watching, type Wishes, wantedWatches } from "../../web/feed/watching.ts";
import type { Topic, Welcome } from "../../web/feed-types.ts";
import { Glide } from "../../web/map/glide.ts";
import { sorted } from "../../web/panels/clients.ts";
import { curve } from "../../web/panels/network.ts";
import { State } from "../../web/state.ts";
import { FAKE_SETS, FakeFeed } from "../fake-feed.ts";

describe("the page's address", () => {
  test("names a feed on this server, or the one beside the page", () => {
    expect(feedAddress("http://host:3000/inspector/?x=1#y", null)).toBe("ws://host:3000/inspector/feed");
    expect(feedAddress("https://host/inspector/", "/arena/inspector/feed")).toBe("wss://host/arena/inspector/feed");
  });

  test.each([
    "//evil.example/feed",
    "https://evil.example/feed",
    "feed",
    "/a b",
    "/\\evil.example",
    "javascript:alert(1)",
  ])("%s is no feed of this server", (path) => {
    expect(feedAddress("http://host/inspector/", path)).toBeUndefined();
  });

  test("carries the token in its fragment", () => {
    expect(tokenIn("#token=a%2Bb")).toBe("a+b");
    expect([tokenIn(""), tokenIn("#token="), tokenIn("#feed=x")]).toEqual([undefined, undefined, undefined]);
  });

  test("games are those that can be read", () => {
    const good = { name: "Arena", feed: "/arena/inspector/feed" };
    expect(readGames([good, null, { name: "x" }, { name: "y", feed: "//z" }])).toEqual([good]);
    expect(readGames({})).toEqual([]);
  });
});

describe("of a server", () => {
  test("the page imports the types of the feed and the rules for recorded cells", () => {
    const web = join(import.meta.dirname, "../../web");
    const imports = readdirSync(web, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => readFileSync(join(web, name), "utf8").match(/^.*"@nearfield\/(?!kit\/browser).*$/gm) ?? []);
    expect(imports.toSorted()).toEqual([
      'import type { Feed } from "@nearfield/inspector/internal";',
      'import type { RecordedPlace } from "@nearfield/inspector/internal";',
      'import { FeedReader } from "@nearfield/inspector/internal";',
      'import { recordedCell, recordedDistance, recordedLoosened } from "@nearfield/inspector/internal";',
    ]);
  });

  test("the page bundles those rules and nothing else", async () => {
    const folder = join(import.meta.dirname, "../..");
    const built = await build({
      ...pageConfig(folder),
      configFile: false,
      logLevel: "silent",
      build: { write: false, minify: false, rolldownOptions: { input: join(folder, "web/index.html") } },
    });
    const chunks = (built as Rolldown.RolldownOutput).output.filter((file) => file.type === "chunk");
    const bundled = chunks
      .flatMap(({ modules }) => Object.entries(modules))
      .filter(([path, { renderedLength }]) => path.includes("/packages/") && renderedLength > 0)
      .map(([path]) => path.slice(path.indexOf("/packages/") + 1));
    expect(bundled.toSorted()).toEqual([
      "packages/core/src/camera-frame.ts",
      "packages/core/src/judge.ts",
      "packages/core/src/urgency.ts",
      "packages/inspector/src/feed-reader.ts",
      "packages/inspector/src/recorded-cell.ts",
      "packages/inspector/src/shape.ts",
    ]);
  });
});

describe("what is watched", () => {
  const idle: Wishes = {
    room: "main",
    panel: "overview",
    player: undefined,
    object: undefined,
    others: [],
    heat: false,
    hasCluster: false,
    isPlayback: false,
    isHidden: false,
    candidate: undefined,
  };
  const topics = (wishes: Partial<Wishes>): Topic[] => wantedWatches({ ...idle, ...wishes }).map(({ topic }) => topic);

  test("is what the open panel shows, and nothing in a hidden tab", () => {
    expect(topics({})).toEqual(["report"]);
    expect(topics({ panel: "map" })).toEqual(["report", "map"]);
    expect(topics({ panel: "map", heat: true })).toEqual(["report", "map", "heat"]);
    expect(topics({ panel: "map", isPlayback: true, heat: true })).toEqual(["report"]);
    expect(topics({ panel: "why", player: 3 })).toEqual(["report", "map"]);
    expect(topics({ panel: "why", player: 3, object: 7 })).toEqual(["report", "map", "why"]);
    const candidate = { sets: FAKE_SETS, scale: null, unlimited: true };
    expect(topics({ panel: "views", player: 3, candidate })).toEqual(["report", "map", "preview"]);
    expect(topics({ panel: "map", isHidden: true })).toEqual([]);
  });

  test("at most 16 views are drawn, the selected one first", () => {
    const others = Array.from({ length: 40 }, (_, index) => index + 1);
    const map = wantedWatches({ ...idle, panel: "map", player: 30, others }).find(({ topic }) => topic === "map");
    expect(map).toMatchObject({ players: [30, ...others.slice(0, 15)] });
  });

  test("is asked for once, again after a change or a reconnect, and given up when no longer wanted", () => {
    const asked: string[] = [];
    const watching = new Watching(
      async (body) => void asked.push(`${body.ask} ${"topic" in body ? body.topic : ""}`),
      () => {},
    );
    const want = (wishes: Partial<Wishes>): void => watching.want(wantedWatches({ ...idle, ...wishes }));
    want({ panel: "map" });
    want({ panel: "map" });
    expect(asked.splice(0)).toEqual(["watch report", "watch map"]);
    want({ panel: "map", player: 4 });
    expect(asked.splice(0)).toEqual(["watch map"]);
    want({});
    // Beside a map the report comes less often.
    expect(asked.splice(0)).toEqual(["unwatch map", "watch report"]);
    watching.forget();
    want({});
    expect(asked.splice(0)).toEqual(["watch report"]);
  });
});

describe("small parts of panels", () => {
  test("clients are sorted by any column; what is not known stands last either way", () => {
    const { clients } = new FakeFeed({ clients: 12, items: 0, seed: 1 }).report();
    const names = (column: string, isDescending: boolean): string[] =>
      sorted(clients, column, isDescending).map(({ nickname }) => nickname);
    expect(names("nickname", false).slice(0, 3)).toEqual(["bot-1", "bot-2", "bot-3"]);
    expect(names("loosened", true)[0]).toBe("bot-6");
    const unknown = clients.map((client, index) =>
      index === 4 ? { ...client, network: { ...client.network, roundTripMs: null } } : client,
    );
    for (const isDescending of [false, true])
      expect(sorted(unknown, "rtt", isDescending).at(-1)?.nickname).toBe("bot-5");
  });

  test("the page opens on the busiest room", () => {
    const state = new State();
    const feed = new FakeFeed({ clients: 1, items: 0, seed: 1, rooms: ["lobby", "arena", "attic"] });
    const [welcome] = feed.answer(JSON.stringify({ ask: "hello", token: "secret", id: 1 })) as [Welcome];
    const players = [0, 7, 3];
    state.take({ ...welcome, rooms: welcome.rooms.map((room, index) => ({ ...room, players: players[index]! })) });
    expect(state.room).toBe("arena");
  });

  test("clients with a link stand before those that the server plays itself, whatever the order", () => {
    const { clients } = new FakeFeed({ clients: 5, items: 0, seed: 1 }).report();
    const mixed = clients.map((client, index) => (index < 2 ? { ...client, role: "local" as const } : client));
    for (const isDescending of [false, true]) {
      const names = sorted(mixed, "nickname", isDescending).map(({ nickname }) => nickname);
      expect(names.slice(3).sort()).toEqual(["bot-1", "bot-2"]);
    }
  });

  test("a curve of round trips stays in its picture", () => {
    expect(curve([])).toBe("");
    expect(curve([50, null, 25])).toBe("117,8.7 119,18.8");
  });

  test("objects glide between samples; new ones appear, far ones jump, and nothing moves where motion is not wanted", () => {
    const glide = new Glide();
    glide.take({ ids: [1, 2], x: [0, 0], y: [0, 0] }, 0, 1000, false);
    glide.take({ ids: [1, 2, 3], x: [10, 900, 50], y: [0, 0, 50] }, 100, 1000, false);
    expect(glide.places(150)).toEqual({ x: [5, 900, 50], y: [0, 0, 50] });
    expect([glide.isAtRest(150), glide.isAtRest(200)]).toEqual([false, true]);
    glide.take({ ids: [1], x: [20], y: [0] }, 200, 1000, true);
    expect(glide.places(201)).toEqual({ x: [20], y: [0] });
  });
});
