/** The process around the command line: what `npm run bench -- …` starts. */

import { UsageError } from "./benchmark.ts";
import { BENCHMARKS } from "./benchmarks.ts";
import type { Command } from "./cli.ts";
import { HELP, listText, optionsText, parseArguments } from "./cli.ts";

const startMs = performance.now();

function progress(line: string): void {
  process.stderr.write(`${((performance.now() - startMs) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
}

async function carryOut(command: Command): Promise<void> {
  if (command.kind === "help") return console.log(`${HELP}\n\n${listText(BENCHMARKS)}\n\n${optionsText(BENCHMARKS)}`);
  if (command.kind === "list") return console.log(listText(BENCHMARKS));
  const { benchmark, quick, json, options } = command;
  const report = await benchmark.run({ quick, options, progress });
  progress("done");
  console.log(report.toText());
  if (json) console.log(report.toJson());
}

try {
  await carryOut(parseArguments(process.argv.slice(2), BENCHMARKS));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n--help says what is possible, --list which benchmarks there are.`);
  process.exitCode = 2;
}
