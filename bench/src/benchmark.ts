/** What a benchmark is, for the command line and for those who write one. */

import type { Figure, Report } from "./report.ts";

export interface Context {
  /** End within 45 s on two cores: fewer rounds and seeds, and whatever is scaled down is said in the report. */
  readonly quick: boolean;
  /** The benchmark's own options by name, as given or as they are initially. */
  readonly options: Readonly<Record<string, string>>;
  /** One line about what is going on, for whoever waits. Never on standard output. */
  readonly progress: (line: string) => void;
  /** Prints figures as soon as they are known, for a benchmark that runs for minutes. The report at the end has them too. */
  readonly known?: (figures: readonly Figure[]) => void;
  /** Says how a report of what is known so far is made. It is printed if the benchmark is interrupted. */
  readonly ifInterrupted?: (report: () => Report) => void;
}

/** An option of one benchmark, `--name VALUE`. */
export interface BenchmarkOption {
  readonly name: string;
  /** What stands for its value in the help: FILE, UNITS. */
  readonly value: string;
  readonly about: string;
  /** Default: none, the option must be given. */
  readonly initial?: string;
}

export interface Benchmark {
  readonly name: string;
  /** One line for `--list`. */
  readonly about: string;
  /** Default: none. */
  readonly options?: readonly BenchmarkOption[];
  readonly run: (context: Context) => Report | Promise<Report>;
}

/** The command line, or a file that it names, is wrong. The message is printed without a stack, and the exit code is 2. */
export class UsageError extends Error {
  readonly code = "usage";

  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}
