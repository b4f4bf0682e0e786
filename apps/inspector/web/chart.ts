/** Charts: thin around uPlot, in the page's colours, as wide as their place. Their figures also stand in the page as text. */

import uPlot from "uplot";

export interface Curve {
  readonly label: string;
  /** One of the page's colour variables, e.g. "--zone0". */
  readonly colour: string;
  /** Filled down to the axis. */
  readonly filled?: boolean;
  readonly dash?: readonly number[];
}

export interface ChartOptions {
  readonly height: number;
  /** How the y axis writes a value. */
  readonly format: (value: number) => string;
  /** The axis reaches at least so high, so that small noise looks small. */
  readonly atLeast: number;
  readonly curves: readonly Curve[];
  /** Seconds before now that the x axis spans. */
  readonly seconds: () => number;
}

export class Chart {
  readonly #place: HTMLElement;
  readonly #options: ChartOptions;
  #chart: uPlot | undefined;
  #data: uPlot.AlignedData;

  constructor(place: HTMLElement, options: ChartOptions) {
    this.#place = place;
    this.#options = options;
    this.#data = [[], ...options.curves.map(() => [])];
    new ResizeObserver(() => this.#fit()).observe(place);
  }

  /** @param times seconds, 0 is now */
  show(times: readonly number[], columns: readonly (readonly (number | null)[])[]): void {
    this.#data = [[...times], ...columns.map((column) => [...column])];
    this.#chart?.setData(this.#data);
  }

  /** A chart of a panel that is not shown has no width: it is made when it gets one. */
  #fit(): void {
    const width = this.#place.clientWidth;
    if (width === 0) return;
    if (this.#chart === undefined) this.#chart = new uPlot(this.#uplotOptions(width), this.#data, this.#place);
    else this.#chart.setSize({ width, height: this.#options.height });
  }

  #uplotOptions(width: number): uPlot.Options {
    const { height, format, atLeast, curves, seconds } = this.#options;
    const style = getComputedStyle(this.#place);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const axis: uPlot.Axis = {
      stroke: colour("--quiet"),
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { show: false },
      font: `11px ${style.fontFamily}`,
    };
    return {
      width,
      height,
      padding: [6, 16, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, points: { size: 6 } },
      scales: {
        x: { time: false, range: () => [-seconds(), 0] },
        y: { range: (_chart, _least, most) => [0, niceAbove(Math.max(most ?? 0, atLeast))] },
      },
      axes: [
        { ...axis, size: 24, values: (_chart, splits) => splits.map((value) => (value === 0 ? "now" : `${value} s`)) },
        { ...axis, size: 62, values: (_chart, splits) => splits.map(format) },
      ],
      series: [
        {},
        ...curves.map(({ label, colour: name, filled = false, dash = [] }) => ({
          label,
          stroke: colour(name),
          ...(filled && { fill: `${colour(name)}22` }),
          dash: [...dash],
          width: 2,
          points: { show: false },
        })),
      ],
    };
  }
}

/** A round number that is not below the value, with a little room. */
export function niceAbove(value: number): number {
  if (!(value > 0)) return 1;
  const wanted = value * 1.05;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= wanted) ?? 10) * power;
}
