/** The charts: thin around uPlot, in the page's colours, as wide as their place. Their figures also stand in the page as text. */

import uPlot from "uplot";

export interface Curve {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

export interface ChartOptions {
  readonly xLabel: string;
  readonly unit: string;
  readonly height: number;
  /** Points are marked: for few of them. */
  readonly marks: boolean;
  /** The axis reaches at least so high, so that small noise looks small. */
  readonly atLeast: number;
}

const COLOUR_NAMES = ["--truth", "--remote", "--past", "--newest", "--zone2", "--quiet"] as const;
/** Told apart by more than colour. */
const DASHES: readonly (readonly number[])[] = [[], [8, 4], [3, 3], [10, 3, 2, 3], [1, 3], [14, 4]];

export class Chart {
  readonly #place: HTMLElement;
  readonly #options: ChartOptions;
  readonly #firstColour: number;
  #chart: uPlot | undefined;
  #labels = "";
  #data: uPlot.AlignedData = [[]];

  /** @param firstColour which of the page's colours the first curve has */
  constructor(place: HTMLElement, options: ChartOptions, firstColour = 0) {
    this.#place = place;
    this.#options = options;
    this.#firstColour = firstColour;
    new ResizeObserver(() => this.#resize()).observe(place);
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.#rebuild());
  }

  show(x: readonly number[], curves: readonly Curve[]): void {
    const labels = curves.map(({ label }) => label).join("\n");
    this.#data = [[...x], ...curves.map(({ values }) => [...values])];
    if (this.#chart !== undefined && labels === this.#labels) {
      this.#chart.setData(this.#data);
      return;
    }
    this.#labels = labels;
    this.#rebuild();
  }

  #rebuild(): void {
    this.#chart?.destroy();
    const labels = this.#labels === "" ? [] : this.#labels.split("\n");
    this.#chart = new uPlot(this.#uplotOptions(labels), this.#data, this.#place);
  }

  #resize(): void {
    const width = this.#place.clientWidth;
    if (width > 0) this.#chart?.setSize({ width, height: this.#options.height });
  }

  #uplotOptions(labels: readonly string[]): uPlot.Options {
    const { xLabel, unit, height, marks, atLeast } = this.#options;
    const style = getComputedStyle(this.#place);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const axis: uPlot.Axis = {
      stroke: colour("--quiet"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { show: false },
      font: `11px ${style.fontFamily}`,
      labelFont: `11px ${style.fontFamily}`,
      labelSize: 16,
    };
    return {
      width: Math.max(100, this.#place.clientWidth),
      height,
      legend: { show: labels.length > 1, live: false },
      cursor: { show: marks, drag: { x: false, y: false } },
      scales: {
        x: { time: false },
        y: { range: (_chart, _least, most) => [0, niceAbove(Math.max(most ?? 0, atLeast))] },
      },
      axes: [
        { ...axis, label: xLabel, size: 26 },
        { ...axis, label: unit, size: 44 },
      ],
      series: [
        {},
        ...labels.map((label, index) => ({
          label,
          stroke: colour(COLOUR_NAMES[(this.#firstColour + index) % COLOUR_NAMES.length]!),
          dash: [...DASHES[index % DASHES.length]!],
          width: 2 / devicePixelRatio + 0.5,
          points: { show: marks, size: 5 },
        })),
      ],
    };
  }
}

/** 1, 2 or 5 times a power of ten that is not below the value; a tenth of room. */
export function niceAbove(value: number): number {
  if (!(value > 0)) return 1;
  const wanted = value * 1.05;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= wanted) ?? 10;
  return step * power;
}
