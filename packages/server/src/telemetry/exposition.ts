/**
 * Prometheus's text format (version 0.0.4), written by hand: a page of code against a library that wants to own the counters. A family is a
 * name with its help and type, then its samples, one a line.
 */

export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

export type Labels = Readonly<Record<string, string | number>>;

export class Exposition {
  readonly #families = new Map<string, string[]>();

  /** Counters end in `_total`. */
  counter(name: string, help: string, value: number, labels: Labels = {}): void {
    this.#family(name, help, "counter").push(line(name, labels, value));
  }

  gauge(name: string, help: string, value: number, labels: Labels = {}): void {
    this.#family(name, help, "gauge").push(line(name, labels, value));
  }

  histogram(name: string, help: string, histogram: Histogram, labels: Labels = {}): void {
    const lines = this.#family(name, help, "histogram");
    let below = 0;
    for (const [index, edge] of histogram.edges.entries()) {
      below += histogram.counts[index]!;
      lines.push(line(`${name}_bucket`, { ...labels, le: edge }, below));
    }
    lines.push(line(`${name}_bucket`, { ...labels, le: "+Inf" }, histogram.count));
    lines.push(line(`${name}_sum`, labels, histogram.sum), line(`${name}_count`, labels, histogram.count));
  }

  /** The whole text; families in the order in which they were begun. */
  text(): string {
    return `${[...this.#families.values()].flat().join("\n")}\n`;
  }

  #family(name: string, help: string, type: string): string[] {
    let lines = this.#families.get(name);
    if (lines === undefined) {
      lines = [`# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}`, `# TYPE ${name} ${type}`];
      this.#families.set(name, lines);
    }
    return lines;
  }
}

export class Histogram {
  /** Upper edges, ascending; what lies above the last is in `count` alone. */
  readonly edges: readonly number[];
  readonly counts: number[];
  count = 0;
  sum = 0;

  constructor(edges: readonly number[]) {
    this.edges = edges;
    this.counts = edges.map(() => 0);
  }

  observe(value: number): void {
    this.count += 1;
    this.sum += value;
    for (let i = 0; i < this.edges.length; i++) {
      if (value > this.edges[i]!) continue;
      this.counts[i]! += 1;
      return;
    }
  }
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escaped(String(text))}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${written(value)}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

function written(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? "+Inf" : "-Inf";
}
