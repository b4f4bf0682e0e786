/**
 * `paper-bandwidth`, V fig. 13 and tab. 2: bytes per client under auras of 40, 80 and 120 units against zones [40, 80, 120] with the bounds κ
 * [3, 0, 0], [10, 10, 0] and [50, 10, 500]. There are three κ for three radii: beyond the last radius nothing is replicated (`range`).
 *
 * How the κ are read. Times are seconds (V §2.2). A zero is the strongest requirement, not a missing one: the paper writes "no requirement"
 * as a dot and calls [0, 0, 0] the strictest vector. A pair that differs has missed at least 0 updates and lies at least 0 off. So a zero in
 * any dimension makes every update due at once: in zone 1 by sequence and value, in zone 2 by value.
 * The times that stand beside zeros do have an effect in the paper: its round also sends an unchanged object again when its time is up
 * (line 7 of its figure 6b). Our engine never does, so here these times have no effect. Zone 3 waits for ten updates. This is the strictest
 * reading and costs the most bytes. The benchmark prints what looser readings would save.
 *
 * Zones and auras are round here, so that the aura of 120 and the zones cover the same area, as the paper says they do.
 */

import { Aura, type Bound, type ViewSettings } from "@nearfield/core";
import type { Benchmark, Context } from "../benchmark.ts";
import { type Figure, formatNumber, Report } from "../report.ts";
import { mean } from "../statistics.ts";
import { type GameOptions, play } from "./skeleton-game.ts";

export const bandwidthBenchmark: Benchmark = {
  name: "paper-bandwidth",
  about: "V fig. 13: bytes per client, zones against auras of 40, 80 and 120",
  run,
};

const PLAYERS = [50, 100, 500];
const SECOND = 1000;
const OUTER: Bound = { time: 50 * SECOND, sequence: 10, value: 500 };

function view(...bounds: readonly [Bound, Bound, Bound]): ViewSettings {
  return { sets: [{ match: "everything", radii: [40, 80], range: 120, bounds }], pivots: [] };
}

const AS_WRITTEN = view(
  { time: 3 * SECOND, sequence: 0, value: 0 },
  { time: 10 * SECOND, sequence: 10, value: 0 },
  OUTER,
);

type Variant = Pick<GameOptions, "view" | "model" | "payload">;

function aura(radius: number, payload: GameOptions["payload"] = "whole"): Variant {
  return { view: AS_WRITTEN, model: (world, options) => new Aura(world, { ...options, radius }), payload };
}

/** What the paper compares. */
const PAPER: Readonly<Record<string, Variant>> = {
  "aura 40": aura(40),
  "aura 80": aura(80),
  "aura 120": aura(120),
  zones: { view: AS_WRITTEN, payload: "whole" },
};

/** What explains it. */
const BESIDE: Readonly<Record<string, Variant>> = {
  "aura 120, changed fields only": aura(120, "changed"),
  "zones, changed fields only": { view: AS_WRITTEN, payload: "changed" },
  "zones, if zone 2 waited for ten updates": {
    view: view({ sequence: 0 }, { time: 10 * SECOND, sequence: 10, value: 500 }, OUTER),
    payload: "whole",
  },
  "zones, if zeros were no requirement": {
    view: view({ time: 3 * SECOND, sequence: 10, value: 500 }, { time: 10 * SECOND, sequence: 10, value: 500 }, OUTER),
    payload: "whole",
  },
};

interface Extent {
  readonly seeds: number;
  readonly warmUpS: number;
  readonly countedS: number;
  readonly variants: Readonly<Record<string, Variant>>;
}

/**
 * Counted are whole seconds, so that zone 3's ten rounds are all in or all out. Before that the engine gets to know how often each view sends:
 * it goes by the last 32 rounds (`ripe`), of which a new view has none, and until then objects may ride along that later do not.
 */
function extent(players: number, quick: boolean): Extent {
  const all = { ...PAPER, ...BESIDE };
  if (!quick) return { seeds: players < 500 ? 4 : 2, warmUpS: 3.5, countedS: players < 500 ? 15 : 5, variants: all };
  if (players === 50) return { seeds: 1, warmUpS: 3.5, countedS: 5, variants: all };
  if (players === 100) return { seeds: 1, warmUpS: 3.5, countedS: 3, variants: PAPER };
  const { "aura 120": widest, zones } = PAPER;
  return { seeds: 1, warmUpS: 3.5, countedS: 1, variants: { "aura 120": widest!, zones: zones! } };
}

function run({ quick, progress }: Context): Report {
  const report = new Report("paper-bandwidth");
  const bytes = new Bytes();
  for (const players of PLAYERS) {
    const { seeds, variants, ...times } = extent(players, quick);
    for (const [name, variant] of Object.entries(variants)) {
      progress(`${players} players, ${name}`);
      const usages = Array.from({ length: seeds }, (_, seed) => play({ ...variant, ...times, players, seed }));
      if (usages.some(({ overBound }) => overBound > 0)) throw new Error(`${name}: a pair was over its bound`);
      bytes.set(name, players, mean(usages.map(({ down }) => down)));
    }
  }
  report.tables.push({
    title: "bytes per client and second, from the server, as they enter the link",
    head: ["", ...PLAYERS.map((players) => `${players} players`)],
    rows: Object.keys({ ...PAPER, ...BESIDE }).map((name) => [
      name,
      ...PLAYERS.map((players) => bytes.show(name, players)),
    ]),
  });
  for (const players of PLAYERS) report.add(...figuresOf(bytes, players));
  report.notes.push(
    "κ as written: 0 is the strongest requirement, so zones 1 and 2 are sent every update and zone 3 every tenth",
    "not in the paper, chosen here: 20 units a second, a new direction every 5 s or so; rounds of 100 ms are the paper's",
  );
  return report;
}

/** Bytes per client and second, by variant and number of players. */
class Bytes {
  readonly #measured = new Map<string, number>();

  set(name: string, players: number, value: number): void {
    this.#measured.set(`${name} ${players}`, value);
  }

  get(name: string, players: number): number {
    return this.#measured.get(`${name} ${players}`) ?? Number.NaN;
  }

  show(name: string, players: number): string {
    const value = this.get(name, players);
    return Number.isNaN(value) ? "" : formatNumber(value);
  }
}

function figuresOf(bytes: Bytes, players: number): Figure[] {
  const ratio = (name: string, to: string): number => bytes.get(name, players) / bytes.get(to, players);
  const figures: Figure[] = [
    {
      key: `vfc_vs_aura120_${players}`,
      value: ratio("zones", "aura 120"),
      paper: "< 1",
      goal: { below: 1 },
      about: `zones ÷ aura of 120, ${players} players, objects sent whole`,
    },
    {
      key: `vfc_vs_aura120_changed_${players}`,
      value: ratio("zones, changed fields only", "aura 120, changed fields only"),
      about: "the same, only the position travels",
    },
    ...Object.keys(PAPER).map((name) => ({
      key: `bytes_${name.replace(" ", "")}_${players}`,
      value: bytes.get(name, players),
      about: "per client and second",
    })),
  ];
  return figures.filter(({ value }) => !Number.isNaN(value));
}
