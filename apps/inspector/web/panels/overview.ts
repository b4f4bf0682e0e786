/** The overview: traffic, what it would be under simpler rules, how the time of a round is spent, and the causes of sends. */

import { Chart } from "../chart.ts";
import { find, make, setText } from "../dom.ts";
import type { Flow, Report, WireFlows } from "../feed-types.ts";
import { setFigure, writeFigure } from "../figures.ts";
import { bytes, bytesPerSecond, count, counted, milliseconds, percent, short, times } from "../format.ts";
import type { Facts, Shown } from "../shown.ts";
import { SettingsFileLine } from "./settings-file.ts";

const CHANNELS = ["sequenced", "unsequenced", "reliable", "debug", "all"] as const;
const CHANNEL_NAMES: Readonly<Record<(typeof CHANNELS)[number], string>> = {
  sequenced: "sequenced",
  unsequenced: "unsequenced",
  reliable: "reliable",
  debug: "explanations",
  all: "all",
};
const FLOWS = ["now", "mean", "peak", "total"] as const;
/** Below the channels: what the network carries for all of them. */
const WIRE_ROWS = [
  ["bytes", "on the wire", "Bytes with all headers, explanations and links' own included"],
  ["packets", "packets", "Packets on the wire"],
  ["upkeep", "links' own", "The part of these bytes that links send by themselves: beats and signals of data channels"],
] as const;
/** Told apart from their neighbours, also without colour: lighter and darker in turn. */
const STAGE_COLOURS = ["#58b7ff", "#2f6fb0", "#5cf2c2", "#8a7dff", "#c9a6ff", "#ffd53d", "#ff6b81", "#9aa5d1"] as const;
const CAUSE_COLOURS: Readonly<Record<string, string>> = {
  time: "var(--zone1)",
  sequence: "var(--zone2)",
  value: "var(--zone0)",
  creation: "var(--warm)",
};

export class OverviewPanel {
  readonly #place = find("#panel-overview");
  readonly #settings = new SettingsFileLine(find("#overview-settings"));
  readonly #span = find<HTMLSelectElement>("#chart-span");
  readonly #traffic: Chart;
  readonly #ratio: Chart;
  readonly #round: Chart;
  #builtFor = "";

  constructor() {
    const seconds = (): number => Number(this.#span.value);
    const rates = { height: 128, format: (value: number) => bytesPerSecond(value), atLeast: 100, seconds };
    this.#traffic = new Chart(find("#traffic-chart"), {
      ...rates,
      curves: [
        { label: "out", colour: "--zone1", filled: true },
        { label: "in", colour: "--warm", dash: [6, 3] },
      ],
    });
    this.#ratio = new Chart(find("#ratio-chart"), {
      ...rates,
      curves: [
        { label: "broadcast", colour: "--past" },
        { label: "aura", colour: "--zone2", dash: [6, 3] },
        { label: "sent", colour: "--zone1", filled: true },
      ],
    });
    this.#round = new Chart(find("#round-chart"), {
      height: 110,
      format: (value) => milliseconds(value),
      atLeast: 0.1,
      seconds,
      curves: [
        { label: "p50", colour: "--zone1", filled: true },
        { label: "p99", colour: "--past" },
      ],
    });
  }

  show({ report, facts, series, endMs }: Shown): void {
    if (report === undefined || facts === undefined) return;
    this.#build(facts);
    this.#place.dataset["round"] = String(report.round);
    this.#settings.show(report);
    this.#showKeys(report, facts);
    this.#showTraffic(report);
    this.#showStages(report, facts);
    this.#showCauses(report, facts);
    const spanMs = Number(this.#span.value) * 1000;
    const draw = (chart: Chart, names: Parameters<typeof series.window>[1]): void => {
      const { times: seconds, columns } = series.window(spanMs, names, endMs);
      chart.show(seconds, columns);
    };
    draw(this.#traffic, ["out", "in"]);
    draw(this.#ratio, ["broadcast", "aura", "frames"]);
    draw(this.#round, ["p50", "p99"]);
  }

  /** Rows and bars, once for each kind of server. */
  #build({ causes, stages }: Facts): void {
    const kind = `${causes.join()} ${stages.join()}`;
    if (kind === this.#builtFor) return;
    this.#builtFor = kind;
    const rows = CHANNELS.map((channel) =>
      make(
        "tr",
        channel === "all" ? { class: "sum" } : {},
        make("th", { scope: "row" }, CHANNEL_NAMES[channel]),
        ...(["out", "in"] as const).flatMap((way) =>
          FLOWS.map((flow) =>
            make("td", way === "in" && channel === "debug" ? {} : { "data-figure": `${way}.${channel}.${flow}` }),
          ),
        ),
      ),
    );
    find("#traffic-table tbody").replaceChildren(
      ...rows,
      ...WIRE_ROWS.map(([name, label, title]) => this.#wireRow(name, label, title)),
    );
    find("#phase-stack").replaceChildren(
      ...stages.map((_, index) => make("span", { style: `--c: ${stageColour(index)}` })),
    );
    find("#phase-key").replaceChildren(
      ...stages.map((stage, index) =>
        make(
          "li",
          {},
          make("i", { style: `--c: ${stageColour(index)}` }),
          `${stage} `,
          make("b", { "data-figure": `stage.${stage}` }),
        ),
      ),
    );
    find("#cause-bars").replaceChildren(
      ...causes.map((cause) =>
        make(
          "li",
          {},
          cause,
          make("div", {}, make("i", { style: `--c: ${CAUSE_COLOURS[cause] ?? "var(--quiet)"}` })),
          make("b", { "data-figure": `cause.${cause}` }),
          make("span", { "data-figure": `cause.${cause}.now` }),
        ),
      ),
    );
  }

  #wireRow(name: string, label: string, title: string): HTMLElement {
    return make(
      "tr",
      {},
      make("th", { scope: "row", title }, label),
      ...(["out", "in"] as const).flatMap((way) =>
        FLOWS.map((flow) =>
          make("td", { "data-wire": `${way}.${name}.${flow}`, "data-figure": `wire.${way}.${name}.${flow}` }),
        ),
      ),
    );
  }

  #showKeys(report: Report, { roundMs }: Facts): void {
    const figure = (name: string, value: number | null, text: string, level?: "good" | "bad" | ""): void =>
      setFigure(this.#place, name, value, text, level);
    for (const way of ["out", "in"] as const) {
      for (const flow of ["now", "mean"] as const) {
        const value = report.traffic[way].all.bytes[flow];
        figure(`${way}.${flow}`, value, bytesPerSecond(value));
      }
    }
    const { broadcast, aura } = report.baselines;
    figure("ratio.broadcast", broadcast.bytesRatio.mean, times(broadcast.bytesRatio.mean));
    figure("ratio.aura", aura.bytesRatio.mean, times(aura.bytesRatio.mean));
    figure("ratio.broadcast.sends", broadcast.ratio.mean, times(broadcast.ratio.mean));
    figure("ratio.aura.sends", aura.ratio.mean, times(aura.ratio.mean));
    const wireRatio = broadcast.wireRatio?.mean ?? null;
    figure("ratio.broadcast.wire", wireRatio, times(wireRatio));
    figure("ratio.aura.error", aura.error, errorText(aura.error));
    const { audit, rounds, process: own } = report;
    const held = audit.heldDelivered;
    const isBad = audit.faults > 0 || (held !== null && held < 0.99);
    figure("held.share", held, percent(held), isBad ? "bad" : held !== null && held >= 0.999 ? "good" : "");
    figure("audit.faults", audit.faults, counted(audit.faults, "fault"), audit.faults > 0 ? "bad" : "");
    figure("audit.open", audit.open, count(audit.open));
    figure("round.p99", rounds.p99Ms, milliseconds(rounds.p99Ms), rounds.p99Ms > roundMs ? "bad" : "");
    figure("round.p50", rounds.p50Ms, milliseconds(rounds.p50Ms));
    figure("round.nominal", roundMs, milliseconds(roundMs));
    figure("clients", report.players, count(report.players));
    figure("objects", report.objects, count(report.objects));
    const size = report.bytesPerSend.mean;
    figure("update.bytes", size, size === null ? "–" : `${short(size)} B`);
    figure("sends.now", report.sends.now, `${count(Math.round(report.sends.now))}/s`);
    this.#showOwn(report);
    figure("process.cpu", own.cpu, percent(own.cpu));
    figure("process.rss", own.rssBytes, bytes(own.rssBytes));
    figure("process.heap", own.heapBytes, bytes(own.heapBytes));
    figure("withheld.total", report.withheld.total, count(report.withheld.total));
    const reach = aura.radius === null ? "" : ` of ${short(aura.radius)}`;
    const chance =
      aura.error === null || aura.error === 0
        ? "Nothing was left out so far, so it is exact."
        : `All clients have their turn equally often, so the mean is not shifted; chance may put it off by ${percent(aura.error)} (in 19 of 20 cases).`;
    setText(find("#ratio-method"), `Broadcast: ${broadcast.method}. Aura${reach}: ${aura.method}. ${chance}`);
  }

  /** Own objects apart from the others, since they are due on every change. */
  #showOwn({ records, own, frames }: Report): void {
    const figure = (name: string, value: number | null, text: (value: number) => string): void =>
      setFigure(this.#place, name, value, value === null ? "–" : text(value));
    const less = (all: number | undefined, part: number | undefined): number | null =>
      all === undefined || part === undefined ? null : Math.max(0, all - part);
    const perSecond = (value: number): string => `${count(Math.round(value))}/s`;
    figure("own.records", own?.records.now ?? null, perSecond);
    figure("own.bytes", own?.bytes.now ?? null, bytesPerSecond);
    figure("others.records", less(records?.now, own?.records.now), perSecond);
    figure("others.bytes", less(frames.now, own?.bytes.now), bytesPerSecond);
  }

  #showTraffic({ traffic, wire }: Report): void {
    for (const cell of find("#traffic-table").querySelectorAll<HTMLElement>("[data-wire]")) {
      const [way, name, flow] = cell.dataset["wire"]!.split(".") as ["out", keyof WireFlows, keyof Flow];
      const value = wire?.[way][name][flow] ?? null;
      writeFigure(cell, value, value === null ? "–" : name === "packets" ? count(Math.round(value)) : bytes(value));
    }
    for (const row of find("#traffic-table").querySelectorAll<HTMLElement>("[data-figure]:not([data-wire])")) {
      const [way, channel, flow] = row.dataset["figure"]!.split(".") as ["out", (typeof CHANNELS)[number], keyof Flow];
      const value = traffic[way][channel].bytes[flow];
      writeFigure(row, value, bytes(value));
    }
  }

  #showStages({ rounds }: Report, { stages }: Facts): void {
    const sum = rounds.stages.reduce((all, stage) => all + stage, 0);
    const parts = find("#phase-stack").children;
    for (const [index, stage] of stages.entries()) {
      const ms = rounds.stages[index] ?? 0;
      (parts[index] as HTMLElement).style.width = `${sum > 0 ? (100 * ms) / sum : 0}%`;
      setFigure(this.#place, `stage.${stage}`, ms, milliseconds(ms));
    }
  }

  #showCauses({ causes: flows }: Report, { causes }: Facts): void {
    const sum = flows.reduce((all, { total }) => all + total, 0);
    for (const [index, cause] of causes.entries()) {
      const flow = flows[index];
      if (flow === undefined) continue;
      const share = sum > 0 ? flow.total / sum : 0;
      find(`#cause-bars li:nth-child(${index + 1}) i`).style.width = `${100 * share}%`;
      setFigure(this.#place, `cause.${cause}`, flow.total, percent(share));
      setFigure(this.#place, `cause.${cause}.now`, flow.now, `${count(Math.round(flow.now))}/s`);
    }
  }
}

/** How far a figure may be off. */
function errorText(error: number | null): string {
  return error === null || error === 0 ? "" : ` ± ${percent(error)}`;
}

function stageColour(index: number): string {
  return STAGE_COLOURS[index % STAGE_COLOURS.length]!;
}
