/** The command line, apart from the process: arguments in, what to do out. A mistake is a `UsageError`. */

import { type Benchmark, type BenchmarkOption, UsageError } from "./benchmark.ts";

export type Command =
  | { readonly kind: "help" }
  | { readonly kind: "list" }
  | {
      readonly kind: "run";
      readonly benchmark: Benchmark;
      readonly quick: boolean;
      readonly json: boolean;
      readonly options: Readonly<Record<string, string>>;
    };

export const HELP = `npm run bench -- NAME [--quick] [--json]   runs one benchmark and prints paper | goal | ours
npm run bench -- --list                     names the benchmarks
npm run bench -- --help                     this text

--quick   ends within 45 s on two cores: fewer rounds and seeds
--json    the last line of standard output is
          {"bench":NAME,"figures":{…numbers…},"goals":{…},"pass":true|false}

Bytes, bits and counts are exact and seeded: they repeat. Times are ratios within one interleaved run, medians of 5.
Progress goes to standard error. Exit code: 0 when the benchmark ran, whether or not its goals were met ("pass" says so:
a missed figure is a result); 1 when it broke; 2 when the command line, or a file it names, is wrong.`;

/** Options that every benchmark takes; they have no value. */
const FLAGS: readonly string[] = ["--quick", "--json", "--list", "--help", "-h"];

export function parseArguments(argv: readonly string[], benchmarks: readonly Benchmark[]): Command {
  if (argv.includes("--help") || argv.includes("-h")) return { kind: "help" };
  if (argv.includes("--list")) return { kind: "list" };
  const known = benchmarks.flatMap(({ options = [] }) => options.map((option) => `--${option.name}`));
  const { names, flags, values } = sort(argv, known);
  const [name, ...others] = names;
  if (name === undefined) throw new UsageError("which benchmark?");
  if (others.length > 0) throw new UsageError(`one benchmark at a time; got ${names.join(", ")}`);
  const benchmark = benchmarks.find((candidate) => candidate.name === name);
  if (benchmark === undefined) throw new UsageError(`there is no benchmark "${name}"`);
  return {
    kind: "run",
    benchmark,
    quick: flags.has("--quick"),
    json: flags.has("--json"),
    options: withInitial(benchmark, values),
  };
}

interface Sorted {
  readonly names: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

/** Tells names, flags and `--option VALUE` (or `--option=VALUE`) apart. */
function sort(argv: readonly string[], known: readonly string[]): Sorted {
  const names: string[] = [];
  const flags = new Set<string>();
  const values = new Map<string, string>();
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i]!;
    if (FLAGS.includes(argument)) flags.add(argument);
    else if (!argument.startsWith("-")) names.push(argument);
    else {
      const [option, inline] = split(argument);
      const next = argv[i + 1];
      if (!known.includes(option)) throw new UsageError(`there is no option ${option}`);
      if (values.has(option)) throw new UsageError(`${option} is given twice`);
      if (inline === undefined && next !== undefined && !next.startsWith("--")) i += 1;
      values.set(option, inline ?? (next?.startsWith("--") === true ? "" : (next ?? "")));
    }
  }
  return { names, flags, values };
}

function split(argument: string): [option: string, inline: string | undefined] {
  const at = argument.indexOf("=");
  return at < 0 ? [argument, undefined] : [argument.slice(0, at), argument.slice(at + 1)];
}

function withInitial(benchmark: Benchmark, values: ReadonlyMap<string, string>): Record<string, string> {
  const known = benchmark.options ?? [];
  for (const option of values.keys()) {
    if (!known.some(({ name }) => `--${name}` === option))
      throw new UsageError(`${benchmark.name} has no option ${option}`);
  }
  return Object.fromEntries(
    known.map(({ name, value, initial }) => {
      const given = values.get(`--${name}`) ?? initial;
      if (given === undefined || given === "") throw new UsageError(`${benchmark.name} needs --${name} ${value}`);
      return [name, given];
    }),
  );
}

export function listText(benchmarks: readonly Benchmark[]): string {
  const width = Math.max(...benchmarks.map(({ name }) => name.length));
  return benchmarks.map(({ name, about }) => `${name.padEnd(width)}  ${about}`).join("\n");
}

/** What each benchmark takes besides. */
export function optionsText(benchmarks: readonly Benchmark[]): string {
  return benchmarks
    .filter(({ options = [] }) => options.length > 0)
    .map(({ name, options = [] }) => [name, ...options.map((option) => `  ${optionText(option)}`)].join("\n"))
    .join("\n\n");
}

function optionText({ name, value, about, initial }: BenchmarkOption): string {
  return `--${name} ${value}: ${about}${initial === undefined ? "" : ` (default ${initial})`}`;
}
