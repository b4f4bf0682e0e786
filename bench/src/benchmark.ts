/** What a benchmark is, for the command line and for those who write one. */

import type { Report } from "./report.ts";

export interface Context {
  /** End within 45 s on two cores: fewer rounds and seeds, and whatever is scaled down is said in the report. */
  readonly quick: boolean;
  /** One line about what is going on, for whoever waits. Never on standard output. */
  readonly progress: (line: string) => void;
}

export interface Benchmark {
  readonly name: string;
  /** One line for `--list`. */
  readonly about: string;
  readonly run: (context: Context) => Report;
}
