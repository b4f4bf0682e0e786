/**
 * The test run's part of the page: starts it, shows how far it is, stops it, draws its curves, and hands them out as csv. It works in slices
 * between two frames, so the page stays alive.
 */

import { find, make, setText } from "@nearfield/kit/browser";
import { Chart, type Curve } from "./charts.ts";
import { writeCsv } from "./csv.ts";
import { formatFigure } from "./figures.ts";
import { shortModelName } from "./names.ts";
import type { Recording } from "./recording.ts";
import type { SimulatorSettings } from "./settings.ts";
import { countCells, planOf, type TestPlan, type TestRow, testRun } from "./test-run.ts";

const SLICE_MS = 12;
const FIGURES = ["avgDistanceError", "maxDistanceError", "avgDataSent", "maxDataSent"] as const;
interface Job {
  readonly settings: SimulatorSettings;
  readonly plan: TestPlan;
  readonly cells: Generator<TestRow, void, void>;
  readonly rows: TestRow[];
}

export class RunPanel {
  readonly #section: HTMLElement;
  readonly #start: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  readonly #export: HTMLButtonElement;
  readonly #progress: HTMLProgressElement;
  /** Said aloud by screen readers, so it changes at the start and at the end only; `count` is for eyes. */
  readonly #message: HTMLElement;
  readonly #count: HTMLElement;
  readonly #charts: ReadonlyMap<(typeof FIGURES)[number], Chart>;
  #job: Job | undefined;

  constructor(section: HTMLElement, ask: () => { settings: SimulatorSettings; recording: Recording }) {
    this.#section = section;
    this.#start = find("#run-start", section);
    this.#cancel = find("#run-cancel", section);
    this.#export = find("#run-export", section);
    this.#progress = find("#run-progress", section);
    this.#message = find("#run-message", section);
    this.#count = find("#run-count", section);
    this.#charts = new Map(FIGURES.map((name) => [name, makeChart(section, name)]));
    this.#start.addEventListener("click", () => this.#begin(ask()));
    this.#cancel.addEventListener("click", () => this.#end("cancelled"));
    this.#export.addEventListener("click", () => this.#download());
  }

  #begin({ settings, recording }: { settings: SimulatorSettings; recording: Recording }): void {
    const plan = planOf(settings);
    const count = countCells(plan);
    this.#job = { settings, plan, cells: testRun(settings, recording, plan), rows: [] };
    find("#run-table tbody", this.#section).replaceChildren();
    this.#section.dataset["state"] = "running";
    this.#progress.max = count;
    this.#progress.value = 0;
    this.#set(true);
    setText(this.#message, "Running.");
    this.#cancel.focus();
    this.#work();
  }

  #set(isRunning: boolean): void {
    this.#start.hidden = isRunning;
    this.#cancel.hidden = !isRunning;
    this.#progress.hidden = !isRunning;
    this.#count.hidden = !isRunning;
  }

  #work(): void {
    const job = this.#job;
    if (job === undefined || this.#section.dataset["state"] !== "running") return;
    const endMs = performance.now() + SLICE_MS;
    let next = job.cells.next();
    while (next.done !== true) {
      job.rows.push(next.value);
      if (performance.now() > endMs) break;
      next = job.cells.next();
    }
    this.#progress.value = job.rows.length;
    setText(this.#count, `${job.rows.length} of ${this.#progress.max} cells …`);
    this.#draw(job);
    if (next.done === true) this.#end("done");
    else setTimeout(() => this.#work(), 0);
  }

  #end(state: "done" | "cancelled"): void {
    const job = this.#job!;
    const hadFocus = document.activeElement === this.#cancel;
    this.#section.dataset["state"] = state;
    this.#set(false);
    if (hadFocus) this.#start.focus();
    this.#export.hidden = job.rows.length === 0;
    const done = `${job.rows.length} cells, each played ${job.settings.runRepeats} ×`;
    setText(this.#message, state === "done" ? `Done: ${done}.` : `Cancelled after ${done}.`);
    this.#draw(job);
  }

  #draw({ plan, rows, settings }: Job): void {
    find("#run-empty", this.#section).hidden = rows.length > 0;
    find("#run-results", this.#section).hidden = rows.length === 0;
    const label = settings.runCurves === "model" ? modelLabel : lossLabel;
    for (const [name, chart] of this.#charts) chart.show(plan.latencies, curvesOf(plan, rows, name, label));
    const body = find<HTMLTableSectionElement>("#run-table tbody", this.#section);
    body.append(...rows.slice(body.rows.length).map((row) => makeLine(row, label(row))));
  }

  #download(): void {
    if (this.#job === undefined) return;
    const { settings, rows } = this.#job;
    const address = URL.createObjectURL(new Blob([writeCsv(settings, rows)], { type: "text/csv" }));
    const link = make("a", { href: address, download: `nearfield-test-run-${settings.genre}.csv` });
    link.click();
    // The browser has taken the content by the next turn.
    setTimeout(() => URL.revokeObjectURL(address), 0);
  }
}

function makeChart(section: HTMLElement, name: (typeof FIGURES)[number]): Chart {
  const isData = name.endsWith("DataSent");
  return new Chart(find(`[data-chart="${name}"]`, section), {
    xLabel: "latency, ms",
    unit: isData ? "kB/s" : "px",
    height: 210,
    marks: true,
    atLeast: 0,
  });
}

function curvesOf(
  plan: TestPlan,
  rows: readonly TestRow[],
  name: (typeof FIGURES)[number],
  label: (row: TestRow) => string,
): Curve[] {
  const curves = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const values = curves.get(label(row)) ?? plan.latencies.map(() => null);
    values[plan.latencies.indexOf(row.latencyMs)] = row.figures[name];
    curves.set(label(row), values);
  }
  return [...curves].map(([text, values]) => ({ label: text, values }));
}

function modelLabel({ model }: TestRow): string {
  return shortModelName(model);
}

function lossLabel({ lossPercent }: TestRow): string {
  return `${lossPercent} % loss`;
}

function makeLine({ latencyMs, model, lossPercent, figures }: TestRow, label: string): HTMLTableRowElement {
  const cells = FIGURES.map((name) => make("td", { "data-figure": name }, formatFigure(name, figures[name])));
  const head = make("th", { scope: "row" }, label);
  const keys = { "data-latency": String(latencyMs), "data-loss": String(lossPercent), "data-model": model };
  return make("tr", keys, head, make("td", {}, String(latencyMs)), ...cells);
}
