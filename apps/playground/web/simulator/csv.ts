/** A test run as csv: a line per cell, with every setting that it depends on, so that a file found later explains itself. */

import type { SimulatorSettings } from "./settings.ts";
import type { TestRow } from "./test-run.ts";

const SETTINGS: readonly (keyof SimulatorSettings)[] = [
  "genre",
  "advice",
  "control",
  "acceleration",
  "drag",
  "brakeForce",
  "turnSpeed",
  "convergence",
  "positionMs",
  "orientationMs",
  "compensationMs",
  "turning",
  "intervalMs",
  "deltaMs",
  "positionThreshold",
  "angleThreshold",
  "sensitiveRadius",
  "outsideFactor",
  "preReckoning",
  "jitterPercent",
  "meanBurst",
  "bandwidthKbits",
  "seed",
  "runRepeats",
];

const FIGURES = [
  "avgDistanceError",
  "maxDistanceError",
  "avgDataSent",
  "maxDataSent",
  "updatesPerSecond",
  "pathDeviation",
  "jumpsPerSecond",
] as const;

export function writeCsv(settings: SimulatorSettings, rows: readonly TestRow[]): string {
  const head = ["model", "latencyMs", "lossPercent", ...FIGURES, ...SETTINGS];
  const lines = rows.map(({ model, latencyMs, lossPercent, figures }) => [
    model,
    latencyMs,
    lossPercent,
    ...FIGURES.map((name) => figures[name].toFixed(4)),
    ...SETTINGS.map((name) => settings[name]),
  ]);
  return `${[head, ...lines].map((line) => line.map(quoted).join(",")).join("\r\n")}\r\n`;
}

/** Quoted where it must be; a text that a spreadsheet would take for a formula gets an apostrophe first. */
function quoted(value: string | number | boolean): string {
  const text = typeof value === "string" && /^[=+\-@]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
