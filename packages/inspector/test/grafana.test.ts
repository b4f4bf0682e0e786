/** The Grafana dashboard in `deploy` uses only metrics and labels that a server has. */

import { readFileSync } from "node:fs";
import { Metrics } from "@nearfield/inspector/node";
import { expect, it } from "vitest";
import { flyingLab } from "./watched-lab.ts";

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const file = new URL("../../../deploy/grafana/nearfield.json", import.meta.url);
const { panels } = JSON.parse(readFileSync(file, "utf8")) as { panels: readonly Panel[] };

it("names metrics that exist", async () => {
  const lab = flyingLab({ budget: 200 });
  lab.join("ann", { latencyMs: 30, loss: 0.3 });
  const ben = lab.join("ben");
  lab.run(1000);
  ben.leave();
  lab.run(8000);
  const process = () => ({ cpuMs: 1, rssBytes: 1, heapBytes: 1, uptimeMs: 1 });
  const text = await new Metrics(lab.server, { now: () => lab.clock.nowMs, process }).text();
  const known = new Set([...text.matchAll(/^([a-z_]+)(?:\{| )/gm)].map((match) => match[1]!));
  const asked = panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => [...expr.matchAll(/(?:nearfield|process|nodejs)_[a-z_]+/g)].map(([name]) => name)),
  );
  expect(new Set(asked.filter((name) => !known.has(name) && !known.has(`${name}_bucket`)))).toEqual(new Set());
  expect(asked.length).toBeGreaterThan(30);
});

it("has a panel for each question", () => {
  const drawn = panels.filter(({ type }) => type !== "row");
  for (const { title, targets } of drawn) expect(targets?.length, title).toBeGreaterThan(0);
  expect(drawn.length).toBeGreaterThanOrEqual(20);
});
