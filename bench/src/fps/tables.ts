/** What `paper-fps` found, as tables beside the paper's. */

import { formatNumber, type Table } from "../report.ts";
import { mean } from "../statistics.ts";
import { roundsBetweenSends } from "./cells.ts";
import { inputRatios, liveRatio, ratioOf } from "./figures.ts";
import type { Manner } from "./manner.ts";
import type { MapResult, ViewResult } from "./measure-map.ts";
import { type CellBounds, PAPER_UPDATE_BYTES, ROUND_MS, VIEW_NAMES, type ViewName } from "./paper.ts";

/** @param people recorded matches by name, to stand beside the bots. */
export function tablesOf(results: readonly MapResult[], people: Readonly<Record<string, Manner>>): Table[] {
  const main = results.find(({ predicted }) => predicted !== undefined);
  return [
    outputTable(results),
    inputTable(results),
    byteTable(results),
    ...VIEW_NAMES.filter((name) => results.some(({ views }) => views[name])).map((name) => shareTable(results, name)),
    mannerTable(results, people),
    ...(main === undefined ? [] : [pictureTable(main)]),
  ];
}

function outputTable(results: readonly MapResult[]): Table {
  return {
    title:
      "server output in updates, broadcast ÷ Nearfield (F tab. 5.5); predicted: by the shares of pairs and the time bounds",
    head: ["map", ...VIEW_NAMES.flatMap((name) => [`${name}: paper`, "ours", "predicted"]), "normal, replayed"],
    rows: results.map((result) => [
      sizeOf(result),
      ...VIEW_NAMES.flatMap((name) => outputCells(result, name)),
      formatNumber(ratioOf(result.views.normal!)),
    ]),
  };
}

function outputCells(result: MapResult, name: ViewName): string[] {
  const { map, views } = result;
  const view = views[name];
  const paper = name === "normal" ? map.printed : `${map.output[name] ?? ""}`;
  if (view === undefined) return [paper, "", ""];
  const ours = name === "normal" ? liveRatio(result) : ratioOf(view);
  return [paper, formatNumber(ours), formatNumber(view.predictedRatio)];
}

function inputTable(results: readonly MapResult[]): Table {
  return {
    title: "client input in updates, broadcast ÷ Nearfield, normal view (F tab. 5.6)",
    head: ["map", "paper", "ours, mean", "lowest client", "highest client"],
    rows: results.map((result) => {
      const ratios = inputRatios(result);
      const numbers = [mean(ratios), Math.min(...ratios), Math.max(...ratios)];
      return [sizeOf(result), `${result.map.input ?? ""}`, ...numbers.map(formatNumber)];
    }),
  };
}

function byteTable(results: readonly MapResult[]): Table {
  return {
    title: "bytes per client and second from the server",
    head: [
      "map",
      `broadcast at ${PAPER_UPDATE_BYTES}`,
      "normal on the links: frames",
      "events in them",
      "reliable",
      "packets",
      "wire bytes",
      "broadcast, wire",
      "│ replayed: broadcast, own codec",
      "normal",
      "predicted",
    ],
    rows: results.map((result) => {
      const { live, seconds, replaySeconds, clients } = result;
      const rate = (bytes: number, over: number): string => formatNumber(bytes / clients / over);
      return [
        sizeOf(result),
        rate(live.broadcastUpdates * PAPER_UPDATE_BYTES, seconds),
        rate(live.frameBytes, seconds),
        rate(live.eventBytes, seconds),
        rate(live.reliableBytes, seconds),
        rate(live.packets, seconds),
        rate(live.wireBytes, seconds),
        rate(live.broadcastWireBytes, seconds),
        rate(result.broadcastBytes, replaySeconds),
        rate(result.views.normal!.bytes, replaySeconds),
        result.predicted === undefined ? "" : rate(result.predicted.bytes, replaySeconds),
      ];
    }),
  };
}

function shareTable(results: readonly MapResult[], name: ViewName): Table {
  const measured = results.filter(({ views }) => views[name]);
  const { cells } = measured[0]!.views[name]!;
  const rounds = roundsBetweenSends(cells, ROUND_MS);
  return {
    title: `share of pairs by (zone, sector), ${name} view; pairs whose avatar changed in the round`,
    head: ["", ...cellNames(cells)],
    rows: [
      ["rounds between sends", ...rounds.map(formatNumber)],
      ...measured.map((result) => [sizeOf(result), ...result.views[name]!.shares.map(percent)]),
    ],
  };
}

function mannerTable(results: readonly MapResult[], people: Readonly<Record<string, Manner>>): Table {
  const all = [...results.map((result) => [sizeOf(result), result.manner] as const), ...Object.entries(people)];
  return {
    title: "how players move about; squares are half a second of running wide",
    head: [
      "",
      "players",
      "seconds in a square",
      "time in the busiest tenth",
      "Gini",
      "own busiest tenth",
      "still",
      "near others ÷ by chance",
    ],
    rows: all.map(([name, { players, secondsInSquare, gini, together, ...shares }]) => [
      name,
      ...[players, secondsInSquare].map(formatNumber),
      percent(shares.busiestTenth),
      formatNumber(gini),
      ...[shares.ownTenth, shares.still].map(percent),
      formatNumber(together),
    ]),
  };
}

function percent(share: number): string {
  return `${formatNumber(share * 100)} %`;
}

function pictureTable({ map, views, predicted, posed }: MapResult): Table {
  const { normal } = views;
  const row = (name: string, of: readonly number[]): string[] => [name, ...of.map(formatNumber)];
  const values = (view: ViewResult): number[] => view.cells.bounds.flat().map(({ value = Number.NaN }) => value);
  return {
    title: `picture on ${map.width} × ${map.height}: 99th percentiles by (zone, sector); by zone those of errors are equal`,
    head: ["", ...cellNames(normal!.cells)],
    rows: [
      row("paper's bounds: error", normal!.cellErrors),
      row("direction off by degrees", normal!.cellTurns),
      row("predicted: value bound", values(predicted!)),
      row("error", predicted!.cellErrors),
      row("direction off by degrees", predicted!.cellTurns),
      ...(posed === undefined
        ? []
        : [
            row("directions bounded, too: value bound", values(posed)),
            row("error", posed.cellErrors),
            row("direction off by degrees", posed.cellTurns),
          ]),
    ],
  };
}

function cellNames({ radii, sectors }: CellBounds): string[] {
  return [...radii, "∞"].flatMap((radius) => [...sectors, 360].map((degrees) => `${radius} ${degrees}°`));
}

function sizeOf({ map }: MapResult): string {
  return `${map.width} × ${map.height}`;
}
