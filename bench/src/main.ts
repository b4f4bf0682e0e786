/** The process around the command line: what `npm run bench -- …` starts. */

import { BENCHMARKS } from "./benchmarks.ts";
import type { Command } from "./cli.ts";
import { HELP, listText, parseArguments, UsageError } from "./cli.ts";

const startMs = performance.now();

function progress(line: string): void {
  process.stderr.write(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
}

function carryOut(command: Command): void {
  if (command.kind === "help") return console.log(`${HELP}\n\n${listText(BENCHMARKS)}`);
  if (command.kind === "list") return console.log(listText(BENCHMARKS));
  const { benchmark, quick, json } = command;
  const report = benchmark.run({ quick, progress });
  progress("done");
  console.log(report.toText());
  if (json) console.log(report.toJson());
}

try {
  carryOut(parseArguments(process.argv.slice(2), BENCHMARKS));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${HELP}\n\n${listText(BENCHMARKS)}`);
  process.exitCode = 2;
}
