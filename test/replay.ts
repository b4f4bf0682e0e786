/** The command that runs a failed test again, alone and from its seed. */

import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** What a scenario calls its seed: "seed 7: …", "… (seed 7)". */
export function seedIn(name: string): number | undefined {
  const found = /\bseed (\d+)/.exec(name)?.[1];
  return found === undefined ? undefined : Number(found);
}

/**
 * @param name of the test with those of its suites, as vitest's `-t` looks for it.
 * @param given environment variables, without the prefix that all of ours have.
 */
export function replayCommand(
  file: string,
  name: string,
  given: Readonly<Record<string, string | number | undefined>>,
  nightly: boolean,
): string {
  const variables = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `NEARFIELD_${key}=${value} `);
  const path = relative(fileURLToPath(new URL("..", import.meta.url)), file);
  // Vitest takes a regular expression, a shell gives some characters a meaning of their own: a dot stands for each.
  const pattern = name.replace(/[^\w ,:;'’=-]/g, ".");
  return `${variables.join("")}npm run ${nightly ? "test:nightly" : "test"} -- ${path} -t "${pattern}"`;
}
