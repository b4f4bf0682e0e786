/** The command line, apart from the process: arguments in, what to do out. A mistake is a `UsageError`. */

import type { Benchmark } from "./benchmark.ts";

export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "list" }
  | { readonly kind: "run"; readonly benchmark: Benchmark; readonly quick: boolean; readonly json: boolean };

export class UsageError extends Error {
  readonly code = "usage";

  constructor(message: string) {
    super(message);
    this.name = "UsageError";
  }
}

export const HELP = `npm run bench -- NAME [--quick] [--json]   runs one benchmark and prints paper | goal | ours
npm run bench -- --list                     names the benchmarks
npm run bench -- --help                     this text

--quick   ends within 45 s on two cores: fewer rounds and seeds
--json    the last line of standard output is
          {"bench":NAME,"figures":{…numbers…},"goals":{…},"pass":true|false}

Bytes, bits and counts are exact and seeded: they repeat. Times are ratios within one interleaved run, medians of 5.
Progress goes to standard error. Exit code: 0 when the benchmark ran, whether or not its goals were met ("pass" says so:
a missed figure is a result); 1 when it broke; 2 when the command line is wrong.`;

export function parseArguments(argv: readonly string[], benchmarks: readonly Benchmark[]): Command {
  const flags = new Set(argv.filter((argument) => argument.startsWith("-")));
  const names = argv.filter((argument) => !argument.startsWith("-"));
  for (const flag of flags) {
    if (!["--quick", "--json", "--list", "--help", "-h"].includes(flag))
      throw new UsageError(`there is no option ${flag}`);
  }
  if (flags.has("--help") || flags.has("-h")) return { kind: "help" };
  if (flags.has("--list")) return { kind: "list" };
  const [name, ...others] = names;
  if (name === undefined) throw new UsageError("which benchmark?");
  if (others.length > 0) throw new UsageError(`one benchmark at a time; got ${names.join(", ")}`);
  const benchmark = benchmarks.find((candidate) => candidate.name === name);
  if (benchmark === undefined) throw new UsageError(`there is no benchmark "${name}"`);
  return { kind: "run", benchmark, quick: flags.has("--quick"), json: flags.has("--json") };
}

export function listText(benchmarks: readonly Benchmark[]): string {
  const width = Math.max(...benchmarks.map(({ name }) => name.length));
  return benchmarks.map(({ name, about }) => `${name.padEnd(width)}  ${about}`).join("\n");
}
