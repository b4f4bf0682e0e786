/**
 * `inspector`: what an open inspector costs a server of 48 clients. How much longer is a watched round than the same round that nobody
 * watches, and how long is the work between rounds, up to the socket?
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { FEED_VERSION, Inspector } from "@nearfield/inspector/internal";
import type { Benchmark, Context } from "../benchmark.ts";
import { Report } from "../report.ts";
import { mean, median } from "../statistics.ts";
import { ROUND_MS, WatchedMatch } from "./watched-match.ts";

export const inspectorBenchmark: Benchmark = {
  name: "inspector",
  about: "what an open inspector costs a server of 48 clients",
  run,
};

const PLAYERS = 48;
const TOKEN = "a token for a benchmark";
const WARM_ROUNDS = 200;
/** Rounds of a turn; the first few, in which everything is new to the processor, are not counted. */
const TURN = 16;
const UNCOUNTED = 4;
/** Rounds over which the work between them is measured: twelve seconds, so that everything is told as often as its turn comes. */
const WORK_ROUNDS = 364;
/** How often that is done: what is told once in twelve seconds needs several rounds too, or one garbage collection in it is a third of the figure. */
const WORK_PASSES = 3;

/** Reads all it is sent, in a process of its own: what a page does is no cost of the server's. */
const READER = `
  const server = require("node:net").createServer((socket) => socket.resume().on("error", () => {}));
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

async function pageSocket(): Promise<{ socket: Socket; close: () => void }> {
  const reader = spawn(process.execPath, ["-e", READER], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await once(reader.stdout, "data")) as [Buffer];
  const socket = connect(Number(port.toString()), "127.0.0.1");
  await once(socket, "connect");
  const close = (): void => {
    socket.destroy();
    reader.kill();
  };
  return { socket, close };
}

type Ask = (ask: Record<string, unknown>) => void;

/** What is switched on and off. */
interface Watching {
  begin(ask: Ask, match: WatchedMatch): void;
  end(ask: Ask): void;
}

const NOTHING: Watching = { begin: () => {}, end: () => {} };

/** As the page does it on the panel that watches most: map, heat map and "why?". */
const MAP_PANEL: Watching = {
  begin: (ask, { server }) => {
    const [player, other] = [...server.main.players.values()];
    const room = "main";
    ask({ ask: "watch", topic: "report", room, everyMs: 2000, clientsMs: 6000 });
    ask({ ask: "watch", topic: "map", room, everyMs: 500, players: [player!.id] });
    ask({ ask: "watch", topic: "heat", room, everyMs: 4000 });
    ask({ ask: "watch", topic: "why", room, everyMs: 1000, player: player!.id, object: other!.owned()[0]!.id });
  },
  end: (ask) => {
    for (const topic of ["report", "map", "heat", "why"]) ask({ ask: "unwatch", topic });
  },
};

/** As the page does it on the panel of clients: the report with a row for each, every second. */
const CLIENTS_PANEL: Watching = {
  begin: (ask) => ask({ ask: "watch", topic: "report", room: "main", everyMs: 1000, clientsMs: 1000 }),
  end: (ask) => ask({ ask: "unwatch", topic: "report" }),
};

const AND_RECORDING: Watching = {
  begin: (ask, match) => {
    MAP_PANEL.begin(ask, match);
    ask({ ask: "record", room: "main", on: true });
  },
  end: (ask) => {
    MAP_PANEL.end(ask);
    ask({ ask: "record", room: "main", on: false });
  },
};

/** A match and a page that may watch it. */
class Stage {
  readonly match: WatchedMatch = new WatchedMatch(PLAYERS, 1);
  told = 0;
  readonly #inspector: Inspector;
  readonly #page: ReturnType<Inspector["open"]>;
  #isDue = false;

  constructor(socket: Socket) {
    const isToken = (token: string): boolean => token === TOKEN;
    this.#inspector = new Inspector(this.match.server, { isToken, now: () => performance.now() });
    this.#inspector.onWork = () => {
      this.#isDue = true;
    };
    this.#page = this.#inspector.open({
      get backlogBytes() {
        return socket.writableLength;
      },
      send: (text) => {
        this.told += text.length;
        socket.write(text);
      },
      close: () => {},
    });
    this.ask({ ask: "hello", token: TOKEN, version: FEED_VERSION });
  }

  /** On the match's clock: what is sampled from when somebody asks must be due in the rounds that follow. */
  readonly ask: Ask = (message) => this.#page.receive(JSON.stringify(message), this.match.nowMs);

  /** One round and the work after it, with all that it leaves to later events, each timed, ms. */
  async round(): Promise<{ roundMs: number; workMs: number; told: number }> {
    const { match } = this;
    const [startMs, before] = [cpuMs(), this.told];
    match.server.round();
    const endMs = cpuMs();
    if (this.#isDue) this.#inspector.work(match.nowMs);
    this.#isDue = false;
    await new Promise((resolve) => setImmediate(resolve));
    const workMs = cpuMs() - endMs;
    match.answer();
    return { roundMs: endMs - startMs, workMs, told: this.told - before };
  }
}

/** Time this process has had the processor: other processes do not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Measured {
  readonly roundMs: number;
  readonly overhead: number;
  readonly workMs: number;
  readonly toldPerSecond: number;
}

/**
 * Two matches that play alike, round by round, so that rounds are compared which have the same to do. Who is watched changes from turn to
 * turn: what one costs more than the other, for where it lies in memory, cancels out.
 */
async function measure(turns: number, { begin, end }: Watching): Promise<Measured> {
  const { socket, close } = await pageSocket();
  const stages = [new Stage(socket), new Stage(socket)] as const;
  for (let round = 0; round < WARM_ROUNDS; round++) for (const stage of stages) await stage.round();
  const ratios: [number[], number[]] = [[], []];
  const lefts: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const which = turn % 2 === 0 ? 0 : 1;
    const [watched, left] = [stages[which], stages[1 - which]!];
    begin(watched.ask, watched.match);
    for (let round = 0; round < TURN; round++) {
      const isFirst = round % 2 === 0;
      const a = await (isFirst ? watched : left).round();
      const b = await (isFirst ? left : watched).round();
      if (round < UNCOUNTED) continue;
      ratios[which].push(isFirst ? a.roundMs / b.roundMs : b.roundMs / a.roundMs);
      lefts.push((isFirst ? b : a).roundMs);
    }
    end(watched.ask);
  }
  const [stage] = stages;
  const works = new Map<number, number[]>();
  const toldBefore = stage.told;
  for (let pass = 0; pass < WORK_PASSES; pass++) {
    begin(stage.ask, stage.match);
    for (let round = 0; round < WORK_ROUNDS; round++) {
      const { workMs, told } = await stage.round();
      const kind = Math.round(Math.log2(1 + told));
      works.set(kind, [...(works.get(kind) ?? []), workMs]);
    }
    end(stage.ask);
  }
  const told = stage.told - toldBefore;
  close();
  await Promise.all(stages.map(({ match }) => match.server.close()));
  return {
    roundMs: median(lefts),
    overhead: Math.sqrt(median(ratios[0]) * median(ratios[1])) - 1,
    // Work comes in bursts of several kinds; within a kind the median is safe from what other processes do.
    workMs: mean([...works.values()].flatMap((kind) => kind.map(() => median(kind)))),
    toldPerSecond: told / ((WORK_PASSES * WORK_ROUNDS * ROUND_MS) / 1000),
  };
}

/** Within rounds and between them. */
function allWork(watched: Measured, nobody: Measured): number {
  return Math.max(0, watched.overhead) + (watched.workMs - nobody.workMs) / watched.roundMs;
}

async function run({ quick, progress }: Context): Promise<Report> {
  const report = new Report("inspector");
  const turns = quick ? 44 : 400;
  progress("a page watches map, heat map and why");
  const open = await measure(turns, MAP_PANEL);
  progress("a page watches the table of clients");
  const clients = await measure(turns, CLIENTS_PANEL);
  progress("the same, and a recording");
  const recording = await measure(turns, AND_RECORDING);
  progress("nobody watches");
  const nobody = await measure(turns, NOTHING);
  report.tables.push({
    title: `per round of ${PLAYERS} clients`,
    head: ["who watches", "round", "longer by", "work after it", "of the time there is", "told per second"],
    rows: Object.entries({
      nobody,
      "map and why": open,
      "table of clients": clients,
      "and a recording": recording,
    }).map(([name, figures]) => [
      name,
      `${(figures.roundMs * 1000).toFixed(0)} µs`,
      `${(figures.overhead * 100).toFixed(1)} %`,
      `${(figures.workMs * 1000).toFixed(1)} µs`,
      `${((figures.workMs / ROUND_MS) * 100).toFixed(2)} %`,
      `${(figures.toldPerSecond / 1000).toFixed(1)} kB`,
    ]),
  });
  report.add(
    {
      key: "overhead_48",
      value: open.overhead,
      goal: { atMost: 0.03 },
      about: "a watched round ÷ one that is not − 1, 48 clients",
    },
    { key: "overhead_48_recording", value: recording.overhead, about: "with a recording as well" },
    { key: "overhead_48_nobody", value: nobody.overhead, about: "nobody watches: the measurement's own error" },
    {
      key: "work_share_48",
      value: open.workMs / ROUND_MS,
      about: "work between rounds ÷ the 33 ms from one to the next",
    },
    {
      key: "work_vs_round_48",
      value: Math.max(allWork(open, nobody), allWork(clients, nobody)),
      goal: { atMost: 0.05 },
      about:
        "all that it does on the server's thread, within rounds and between them ÷ the round itself, on the panel that costs more",
    },
    { key: "work_vs_round_48_map", value: allWork(open, nobody), about: "map, heat map and why" },
    { key: "work_vs_round_48_clients", value: allWork(clients, nobody), about: "the table of clients" },
  );
  report.notes.push(
    "overhead: median ratio of rounds of two matches that play alike, watched in turns; CPU time of the process",
    "memory links, so that a round is as short as it can be: over sockets the same work is a smaller share",
    'map and why, as the page watches them: the map twice a second, "why?" once, the report every 2 s, the heat map every 4 s, the clients\' names every 6 s',
    "table of clients, as the page watches it: the report with a row for each client once a second",
  );
  return report;
}
