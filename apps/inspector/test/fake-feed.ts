/**
 * A feed without a server, for pages that are looked at in states a real server is seldom in: seeded, so that every run shows the same. It
 * answers every ask the way a server does and moves its world when it is told to.
 */
import { parseSettings } from "@nearfield/server/internal";
import {
  type Bound,
  type BoundFigures,
  FEED_VERSION,
  type HeatTell,
  type LevelTell,
  type MapTell,
  type RecordedFrame,
  type Report,
  type Sets,
  type Tell,
  type Welcome,
  type WhyTell,
} from "../web/feed-types.ts";
import { fakeCluster } from "./fake-cluster.ts";
import { FAKE_ROUND_MS, fakeReport } from "./fake-report.ts";

/** mulberry32: enough for pictures. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export interface FakeOptions {
  readonly clients: number;
  readonly items: number;
  readonly seed: number;
  readonly version?: number;
  readonly token?: string;
  /** The auditor has found something. */
  readonly isFaulty?: boolean;
  /** The server is one of a cluster of four. */
  readonly hasCluster?: boolean;
  /** Default: one. */
  readonly rooms?: readonly string[];
}

const CAUSES = ["creation", "time", "sequence", "value", "change", "demand", "removal"];
const STAGES = ["receive", "merge", "step", "commit", "findDue", "tell", "send", "audit"];
const WORLD = { width: 2250, height: 1750 };

export const FAKE_SETS: Sets = [
  {
    match: { type: "avatar" },
    radii: [200, 500, 900],
    sectors: [90, 180],
    metric: "predicted",
    bounds: [
      [{ time: 0 }, { time: 66, value: 0.5 }, { time: 100, value: 1 }],
      [
        { time: 100, value: 1 },
        { time: 200, value: 2 },
        { time: 400, value: 4 },
      ],
      [
        { time: 400, value: 4 },
        { time: 600, value: 8 },
        { time: 1000, value: 12 },
      ],
      [{ time: 1000 }, { time: 2000 }, { time: 4000 }],
    ],
  },
  { match: "everything", radii: [400], bounds: [{ time: 100 }, { time: 1000 }] },
];

/** Two walls and a line. */
const FAKE_LEVEL: LevelTell = {
  ...{ tell: "level", room: "main", level: 1, leftOut: 0 },
  walls: [300, 300, 900, 360, 1500, 800, 1560, 1400],
  lines: [[1200, 200, 1500, 300, 1400, 600, 1200, 200]],
};

function boundFigures({ time, sequence, value }: Bound): BoundFigures {
  return { time: time ?? null, sequence: sequence ?? null, value: value ?? null };
}

export class FakeFeed {
  round = 1200;
  readonly #options: FakeOptions;
  readonly #dice: () => number;
  readonly #x: number[];
  readonly #y: number[];
  readonly #headings: number[];
  #watched = new Map<string, Record<string, unknown>>();
  #preset: string | null = null;
  #room = "main";
  #sets: Sets = FAKE_SETS;
  #recording: RecordedFrame[] = [];
  #isRecording = false;

  constructor(options: FakeOptions) {
    this.#options = options;
    this.#dice = dice(options.seed);
    const all = options.clients + options.items;
    this.#x = Array.from({ length: all }, () => this.#dice() * WORLD.width);
    this.#y = Array.from({ length: all }, () => this.#dice() * WORLD.height);
    this.#headings = Array.from({ length: all }, () => this.#dice() * 360);
  }

  isWatched(topic: string): boolean {
    return this.#watched.has(topic);
  }

  /** Moves the world on and tells everything that is watched. */
  step(rounds: number): Tell[] {
    this.round += rounds;
    for (let index = 0; index < this.#options.clients; index++) {
      const angle = (this.#headings[index]! / 180) * Math.PI;
      const far = rounds * 5;
      this.#x[index] = (this.#x[index]! + Math.cos(angle) * far + WORLD.width) % WORLD.width;
      this.#y[index] = (this.#y[index]! + Math.sin(angle) * far + WORLD.height) % WORLD.height;
      this.#headings[index] = (this.#headings[index]! + (this.#dice() - 0.5) * rounds * 8 + 360) % 360;
    }
    if (this.#isRecording) this.#recording.push(this.recordFrame(this.#recording.length));
    return [...this.#watched.keys()].map((topic) => this.#sample(topic));
  }

  /** Answers one message of the page. */
  answer(text: string): Tell[] {
    const ask = JSON.parse(text) as Record<string, unknown> & { ask: string; id: number };
    const { id } = ask;
    if (typeof ask["room"] === "string") this.#room = ask["room"];
    switch (ask.ask) {
      case "hello":
        if (ask["token"] !== (this.#options.token ?? "secret")) {
          return [{ tell: "refused", id, ask: "hello", code: "token", detail: "This is not the token" }];
        }
        return [this.#welcome(id)];
      case "watch":
        this.#watched.set(ask["topic"] as string, ask);
        if (ask["topic"] === "map") return [{ tell: "done", id }, FAKE_LEVEL, this.#sample("map")];
        return [{ tell: "done", id }, this.#sample(ask["topic"] as string)];
      case "unwatch":
        this.#watched.delete(ask["topic"] as string);
        return [{ tell: "done", id }];
      case "view":
        return [
          {
            tell: "view",
            id,
            room: this.#room,
            player: ask["player"] as number,
            nickname: "bot",
            sets: this.#sets,
            pivots: [],
          },
        ];
      case "setView":
        this.#sets = ask["sets"] as Sets;
        return [
          {
            tell: "viewsSet",
            id,
            room: this.#room,
            answers: [{ player: 1, ok: true, sets: this.#sets, clamped: [], detail: "" }],
          },
        ];
      case "readView": {
        const [name, text] = [ask["name"] as string, ask["text"] as string];
        const sets = parseSettings(text, name).view.sets as Sets;
        return [{ tell: "viewFile", id, room: this.#room, name, text, sets, onServer: false }];
      }
      case "record":
        this.#isRecording = ask["on"] === true;
        if (this.#isRecording) this.#recording = [this.recordFrame(0)];
        return [{ tell: "recording", id, room: this.#room, state: this.#recordingState()! }];
      case "frames": {
        const from = ask["from"] as number;
        return [
          {
            tell: "frames",
            id,
            room: this.#room,
            frames: this.#recording.slice(from, from + 50),
            levels: from === 0 ? [FAKE_LEVEL] : [],
            next: null,
          },
        ];
      }
      case "conditions":
        this.#preset = ask["preset"] as string;
        return [{ tell: "done", id }];
      default:
        return [{ tell: "refused", id, ask: ask.ask, code: "failed", detail: "The fake feed has no answer to that" }];
    }
  }

  #sample(topic: string): Tell {
    if (topic === "report") return this.report();
    if (topic === "map") return this.map();
    if (topic === "heat") return this.#heat();
    if (topic === "cluster") return fakeCluster(this.#room, this.round, WORLD);
    return topic === "why" ? this.#why() : this.#preview();
  }

  #welcome(id: number): Welcome {
    const extent: [number, number][] = [
      [0, WORLD.width],
      [0, WORLD.height],
    ];
    return {
      tell: "welcome",
      hasCluster: this.#options.hasCluster === true,
      id,
      version: this.#options.version ?? FEED_VERSION,
      roundMs: FAKE_ROUND_MS,
      round: this.round,
      startedMs: 1,
      rooms: (this.#options.rooms ?? ["main"]).map((name) => ({ name, players: this.#options.clients, objects: 1 })),
      types: [
        { name: "avatar", axes: 2, hasOrientation: true, extent, fields: ["x", "y", "heading"] },
        { name: "item", axes: 2, hasOrientation: false, extent, fields: ["x", "y"] },
        { name: "score", axes: 0, hasOrientation: false, extent: [], fields: ["points"] },
      ],
      causes: CAUSES,
      stages: STAGES,
      viewCapacity: { sets: 16, zones: 16, sectors: 8, pivots: 32 },
      auraRadius: 900,
      viewFile: null,
      presets: ["none", "adsl", "3g"],
    };
  }

  map(): MapTell {
    const { clients } = this.#options;
    const ids = this.#x.map((_, index) => index + 1);
    const isAvatar = (index: number): boolean => index < clients;
    const tenth = (value: number): number => Math.round(value * 10) / 10;
    const drawnSets = this.#sets.map((set) => ({
      match: typeof set.match === "string" ? set.match : "type avatar",
      shape: set.shape ?? ("round" as const),
      pivots: null,
      radii: [...(set.radii ?? [])],
      sectors: [...(set.sectors ?? [])],
      range: null,
      metric: set.metric ?? "displacement",
      clock: "refresh" as const,
      strict: false,
      bounds: set.bounds.map((row) => (Array.isArray(row) ? row : [row]).map(boundFigures)),
    }));
    const direction = (index: number): [number, number, number] => {
      const angle = (this.#headings[index]! / 180) * Math.PI;
      return [Math.cos(angle), Math.sin(angle), 0];
    };
    return {
      tell: "map",
      room: this.#room,
      round: this.round,
      timeMs: this.round * FAKE_ROUND_MS,
      ids,
      types: ids.map((_, index) => (isAvatar(index) ? 0 : 1)),
      x: this.#x.map(tenth),
      y: this.#y.map(tenth),
      headings: this.#headings.map((heading, index) => (isAvatar(index) ? tenth(heading) : null)),
      owners: ids.map((id, index) => (isAvatar(index) ? id : 0)),
      leftOut: 0,
      level: 1,
      views: Array.from({ length: clients }, (_, index) => ({
        player: index + 1,
        nickname: `bot-${index + 1}`,
        pivots: [
          {
            kind: "object",
            object: index + 1,
            x: this.#x[index]!,
            y: this.#y[index]!,
            z: 0,
            direction: direction(index),
            scale: 1,
            radii: null,
            frame: null,
          },
        ],
        look: 0,
      })),
      looks: [drawnSets],
    };
  }

  report(): Report {
    const { clients } = this.#options;
    const objects = this.#x.length;
    const [preset, recording] = [this.#preset, this.#recordingState()];
    const { isFaulty = false } = this.#options;
    const report = fakeReport({ round: this.round, clients, objects, luck: this.#dice(), preset, recording, isFaulty });
    return { ...report, room: this.#room };
  }

  #heat(): HeatTell {
    const [columns, rows] = [64, 50];
    const counts = Array.from({ length: columns * rows }, (_, cell) => {
      const [x, y] = [cell % columns, Math.floor(cell / columns)];
      return Math.round(
        40 * Math.exp(-((x - 20) ** 2 + (y - 30) ** 2) / 60) + 25 * Math.exp(-((x - 45) ** 2 + (y - 15) ** 2) / 40),
      );
    });
    return {
      tell: "heat",
      room: this.#room,
      type: 0,
      columns,
      rows,
      x: [0, WORLD.width],
      y: [0, WORLD.height],
      counts,
      samples: 800,
      most: 40,
    };
  }

  #why(): WhyTell {
    const { player, object } = this.#watched.get("why") as { player: number; object: number };
    const misses = this.round % 6;
    return {
      tell: "why",
      room: this.#room,
      round: this.round,
      timeMs: this.round * FAKE_ROUND_MS,
      player,
      object,
      type: object > this.#options.clients ? 1 : 0,
      state: "shown",
      distance: 412.4,
      set: 0,
      match: "type avatar",
      metric: "predicted",
      zone: 1,
      sector: 1,
      everyChange: null,
      bound: { time: 200, sequence: null, value: 2 },
      judgedBy: { time: 200, sequence: null, value: 2 },
      divergence: { time: misses * FAKE_ROUND_MS, sequence: misses, value: misses * 0.31 },
      equal: false,
      version: this.round,
      sentVersion: this.round - misses,
      ackedVersion: this.round - misses - 2,
      lastSend: { round: this.round - misses, agoMs: misses * FAKE_ROUND_MS, cause: "time", arrived: misses > 1 },
      nextDue: {
        when: "in",
        round: this.round + 7 - misses,
        inMs: (7 - misses) * FAKE_ROUND_MS,
        by: "time",
        exact: true,
        byTimeMs: 132,
        bySequenceMs: null,
        byValueMs: 148,
      },
      history: [0, 7, 14].map((back) => ({
        round: this.round - misses - back,
        kind: "update",
        cause: back === 7 ? "value" : "time",
        zone: 1,
        fate: "arrived",
      })),
    };
  }

  #preview(): Tell {
    const { player } = this.#watched.get("preview") as { player: number };
    const figures = (factor: number) => ({
      pairs: [
        [2, 1, 3],
        [4, 5, 9],
        [6, 8, 20],
        [10, 20, 41],
      ],
      sendsPerSecond: 80 * factor,
      bytesPerSecond: 640 * factor,
      sendsByZone: [40, 20, 12, 8],
    });
    return {
      tell: "preview",
      room: this.#room,
      player,
      round: this.round,
      clamped: [],
      sets: this.#sets,
      countedMs: 3300,
      settlesMs: 4000,
      candidate: figures(1.3),
      current: figures(1),
    };
  }

  /** What only newer servers record. Everybody is sent everything in every third round. */
  #recordedRest(number: number): Pick<RecordedFrame, "versions" | "members" | "sends" | "report"> {
    const { clients } = this.#options;
    const ids = this.#x.map((_, index) => index + 1);
    const { recording: _, ...report } = this.report();
    return {
      versions: ids.map(() => this.round),
      members: [null],
      sends: Array.from({ length: clients }, (_, index) => ({
        player: index + 1,
        ids,
        ago: ids.map(() => 1),
        causes: ids.map(() => 1),
        behind: ids.map(() => 1),
      })),
      ...(number % 5 === 0 && { report }),
    };
  }

  #recordingState(): Report["recording"] {
    if (this.#recording.length === 0) return null;
    const [fromMs, toMs] = [this.#recording[0]!.map.timeMs, this.#recording.at(-1)!.map.timeMs];
    return {
      on: this.#isRecording,
      everyMs: 100,
      first: 0,
      count: this.#recording.length,
      fromMs,
      toMs,
      bytes: this.#recording.length * 900,
      mostBytes: 2 ** 25,
      mostSeconds: 600,
    };
  }

  recordFrame(number: number): RecordedFrame {
    return {
      number,
      map: this.map(),
      bytesOutPerSecond: 30_000 + 200 * (this.round % 50),
      bytesInPerSecond: 8000,
      sendsPerSecond: 4000,
      roundMs: 1.1,
      players: this.#options.clients,
      ...this.#recordedRest(number),
    };
  }
}

/** A tell as it is sent: the places of a map in hundredths, and with a number for its members. */
export function asTold(tell: Tell): string {
  if (tell.tell !== "map") return JSON.stringify(tell);
  const hundredths = (places: readonly number[]): number[] => places.map((place) => Math.round(place * 100));
  return JSON.stringify({ ...tell, members: tell.round, x: hundredths(tell.x), y: hundredths(tell.y) });
}
