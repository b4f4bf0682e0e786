/** The process around the command line: what `npm run bench -- …` starts. */

import { UsageError } from "./benchmark.ts";
import { BENCHMARKS } from "./benchmarks.ts";
import type { Command } from "./cli.ts";
import { HELP, listText, optionsText, parseArguments } from "./cli.ts";
import { type Figure, formatNumber, type Report } from "./report.ts";

const startMs = performance.now();

function progress(line: string): void {
  process.stderr.write(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
}

function known(figures: readonly Figure[]): void {
  for (const { key, value, about } of figures) console.log(`${key} = ${formatNumber(value)}  (${about})`);
}

function print(report: Report, json: boolean): void {
  console.log(report.toText());
  if (json) console.log(report.toJson());
}

/** On SIGINT and SIGTERM: prints what is known so far and ends the process. Children end with it. */
function onInterrupt(report: () => Report, json: boolean): void {
  const signals = [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const;
  for (const [signal, exitCode] of signals) {
    process.once(signal, () => {
      progress(`interrupted by ${signal}: what is known so far`);
      print(report(), json);
      process.exit(exitCode);
    });
  }
}

async function carryOut(command: Command): Promise<void> {
  if (command.kind === "help") return console.log(`${HELP}\n\n${listText(BENCHMARKS)}\n\n${optionsText(BENCHMARKS)}`);
  if (command.kind === "list") return console.log(listText(BENCHMARKS));
  const { benchmark, quick, json, options } = command;
  const ifInterrupted = (report: () => Report): void => onInterrupt(report, json);
  const report = await benchmark.run({ quick, options, progress, known, ifInterrupted });
  progress("done");
  print(report, json);
}

try {
  await carryOut(parseArguments(process.argv.slice(2), BENCHMARKS));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n--help says what is possible, --list which benchmarks there are.`);
  process.exitCode = 2;
}
