/**
 * The result of a benchmark: figures, each with what a paper measured and what we aim for, and tables that explain them. It is printed as
 * text for people and as one line of JSON for programs. A figure that misses its goal is a result, not an error.
 */

/** What a figure must be. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number } | { readonly below: number };

export interface Figure {
  /** The name programs read it by. */
  readonly key: string;
  readonly value: number;
  /** What it counts, in words. */
  readonly about: string;
  /** What the paper measured, as it says it. Default: nothing. */
  readonly paper?: string;
  /** Default: none; the figure is there to be seen. */
  readonly goal?: Goal;
}

export interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export class Report {
  readonly bench: string;
  readonly figures: Figure[] = [];
  readonly tables: Table[] = [];
  /** Assumptions and readings that a figure depends on, one sentence or two each. */
  readonly notes: string[] = [];

  constructor(bench: string) {
    this.bench = bench;
  }

  add(...figures: readonly Figure[]): void {
    for (const figure of figures) {
      if (!Number.isFinite(figure.value)) throw new RangeError(`figure ${figure.key} is ${figure.value}`);
      if (this.figures.some(({ key }) => key === figure.key)) throw new RangeError(`figure ${figure.key}: given twice`);
      this.figures.push(figure);
    }
  }

  get pass(): boolean {
    return this.figures.every(({ value, goal }) => goal === undefined || meets(value, goal));
  }

  /** Tables, then the figures as `paper | goal | ours`, then the notes. */
  toText(): string {
    const figures: Table = {
      title: this.bench,
      head: ["figure", "paper", "goal", "ours", "", ""],
      rows: this.figures.map(({ key, value, about, paper, goal }) => [
        key,
        paper ?? "–",
        goal === undefined ? "–" : describeGoal(goal),
        formatNumber(value),
        goal === undefined ? "" : meets(value, goal) ? "ok" : "MISSED",
        about,
      ]),
    };
    const notes = this.notes.map((note) => `· ${note}`);
    return [...[...this.tables, figures].map(renderTable), ...(notes.length > 0 ? [notes.join("\n")] : [])].join(
      "\n\n",
    );
  }

  /** `{"bench":…,"figures":{…},"goals":{…},"pass":…}`, on one line. A goal reads ">= 12", "<= 25" or "< 1". */
  toJson(): string {
    const figures = Object.fromEntries(this.figures.map(({ key, value }) => [key, value]));
    const goals = Object.fromEntries(
      this.figures.flatMap(({ key, goal }) => (goal === undefined ? [] : [[key, describeGoal(goal)]])),
    );
    return JSON.stringify({ bench: this.bench, figures, goals, pass: this.pass });
  }
}

export function meets(value: number, goal: Goal): boolean {
  if ("atLeast" in goal) return value >= goal.atLeast;
  return "atMost" in goal ? value <= goal.atMost : value < goal.below;
}

function describeGoal(goal: Goal): string {
  if ("atLeast" in goal) return `>= ${goal.atLeast}`;
  return "atMost" in goal ? `<= ${goal.atMost}` : `< ${goal.below}`;
}

/** Three significant digits, and whole numbers from a hundred on. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-GB");
  return Number(value.toPrecision(3)).toString();
}

/** Columns padded to their widest cell; those that hold only numbers are aligned on the right. */
export function renderTable({ title, head, rows }: Table): string {
  const columns = head.map((_, column) => [head[column]!, ...rows.map((row) => row[column] ?? "")]);
  const widths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const numeric = columns.map((cells) =>
    cells.slice(1).every((cell) => /^[-+]?[\d.,]*( (ms|µs|ns|%|×|kB|MB))?$/.test(cell)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (numeric[column] === true ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)))
      .join("  ")
      .trimEnd();
  const rule = widths.map((width) => "─".repeat(width)).join("──");
  return [title, line(head), rule, ...rows.map((row) => line(head.map((_, column) => row[column] ?? "")))].join("\n");
}
