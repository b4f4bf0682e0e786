/** `page`: how many kilobytes a browser loads before the README's game runs. */

import type { Benchmark, Context } from "../benchmark.ts";
import { Report } from "../report.ts";
import { measurePage } from "./page-size.ts";

export const pageBenchmark: Benchmark = {
  name: "page",
  about: "how large the script of the README's page is, after gzip",
  run,
};

async function run({ progress }: Context): Promise<Report> {
  const report = new Report("page");
  progress("vite bundles the README's client");
  const { firstBytes, laterBytes, firstByPackage } = await measurePage();
  const laterKb = [...laterBytes.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000;
  const total = [...firstByPackage.values()].reduce((sum, length) => sum + length, 0);
  report.tables.push({
    title: "what is loaded first, by package, before it is minified",
    head: ["package", "characters", "share"],
    rows: [...firstByPackage]
      .sort(([, a], [, b]) => b - a)
      .map(([name, length]) => [name, `${length}`, `${((length / total) * 100).toFixed(1)} %`]),
  });
  report.add(
    {
      key: "client_kb_gzipped",
      value: firstBytes / 1000,
      goal: { atMost: 32 },
      about: "kB that a page loads before the README's game runs (Colyseus' SDK alone: 52.3)",
    },
    {
      key: "client_later_kb_gzipped",
      value: laterKb,
      about: "kB that it loads when the server offers UDP",
    },
    {
      key: "client_with_udp_kb_gzipped",
      value: firstBytes / 1000 + laterKb,
      about: "kB altogether, from a server that offers UDP",
    },
  );
  report.notes.push(
    "bundled and minified by vite as it comes, from the packages' sources; gzip at level 9; 1 kB is 1,000 bytes",
  );
  return report;
}
