/** What `paper-fps` found, as figures with the paper's and our goals. */

import type { Figure } from "../report.ts";
import { mean } from "../statistics.ts";
import type { LiveResult, MapResult, ViewResult } from "./measure-map.ts";
import { PAPER_UPDATE_BYTES, type ViewName } from "./paper.ts";

/** How far what shares and time bounds predict may be off. */
const AGREEMENT = 0.05;

export function figuresOf(results: readonly MapResult[], cpu: number): Figure[] {
  return [
    ...results.flatMap((result) => outputFigures(result)),
    ...results.flatMap((result) => agreementFigures(result)),
    ...results.flatMap((result) => inputFigures(result)),
    ...results.flatMap((result) => byteFigures(result)),
    ...results.map(({ map, manner }) => ({
      key: `busiest_tenth_${map.key}`,
      value: manner.busiestTenth,
      about: "share of the bots' time in the busiest tenth of the squares they are in",
    })),
    ...results.flatMap((result) => predictedFigures(result)),
    cpuFigure(cpu),
    {
      key: "over_bound",
      value: results.reduce((sum, { live, views }) => sum + live.overBound + overBoundOf(views), 0),
      goal: { atMost: 0 },
      about: "pairs over their bound without a send, as audited",
    },
  ];
}

/** Broadcast ÷ Nearfield, in updates, of the match itself. */
export function liveRatio({ live }: MapResult): number {
  return live.broadcastUpdates / live.updates;
}

export function ratioOf({ broadcastUpdates, updates }: Pick<LiveResult, "broadcastUpdates" | "updates">): number {
  return broadcastUpdates / updates;
}

/** By client: broadcast ÷ Nearfield in updates. Broadcast sends every client the same number of updates, apart from those of its own avatar. */
export function inputRatios({ live }: MapResult): number[] {
  const broadcast = live.broadcastUpdates / live.updatesOf.length;
  return live.updatesOf.map((updates) => broadcast / updates);
}

function overBoundOf(views: MapResult["views"]): number {
  return Object.values(views).reduce((sum, { overBound }) => sum + overBound, 0);
}

function outputFigures(result: MapResult): Figure[] {
  const { map, views } = result;
  const names = Object.keys(views) as ViewName[];
  return names.map((name) => {
    const paper = map.output[name]!;
    return {
      key: `updates_ratio_${name}_${map.key}`,
      value: name === "normal" ? liveRatio(result) : ratioOf(views[name]!),
      paper: name === "normal" ? map.printed : `${paper}`,
      goal: { atLeast: paper },
      about: `server output in updates, broadcast ÷ Nearfield, ${map.width} × ${map.height}, ${name} view`,
    };
  });
}

function agreementFigures({ map, views }: MapResult): Figure[] {
  const names = Object.keys(views) as ViewName[];
  return names.map((name) => ({
    key: `off_prediction_${name}_${map.key}`,
    value: Math.abs(ratioOf(views[name]!) / views[name]!.predictedRatio - 1),
    goal: { atMost: AGREEMENT },
    about: "the same against what the shares of pairs and the time bounds predict",
  }));
}

function inputFigures(result: MapResult): Figure[] {
  const { key, input } = result.map;
  return [
    {
      key: `client_input_ratio_${key}`,
      value: mean(inputRatios(result)),
      ...(input !== undefined && { paper: `${input}` }),
      about: "client input in updates, broadcast ÷ Nearfield, mean over the clients",
    },
  ];
}

function byteFigures({ map, clients, live, views, broadcastBytes, broadcastWireBytes }: MapResult): Figure[] {
  const paper = live.broadcastUpdates * PAPER_UPDATE_BYTES;
  const { frameBytes, eventBytes, reliableBytes } = live;
  return [
    {
      key: `bytes_ratio_normal_${map.key}`,
      value: paper / (frameBytes - eventBytes),
      ...(map.key === "1000" && { goal: { atLeast: 6 } }),
      about: `bytes of updates on the clients' links: broadcast at ${PAPER_UPDATE_BYTES} bytes an update ÷ our frames`,
    },
    {
      key: `bytes_ratio_normal_all_${map.key}`,
      value: paper / (frameBytes + reliableBytes),
      about: "the same ÷ all we sent, events and the reliable channel included",
    },
    {
      key: `bytes_ratio_normal_own_${map.key}`,
      value: broadcastBytes / views.normal!.bytes,
      about: "broadcast through our own codec ÷ Nearfield, replayed",
    },
    {
      key: `wire_bytes_ratio_normal_${map.key}`,
      value: live.broadcastWireBytes / live.wireBytes,
      ...(map.key === "1000" && { goal: { atLeast: 5 } }),
      about: `headers in both: broadcast at ${PAPER_UPDATE_BYTES} bytes an update ÷ all we sent, own avatars and events included`,
    },
    {
      key: `wire_bytes_ratio_normal_own_${map.key}`,
      value: broadcastWireBytes / views.normal!.wireBytes,
      about: "headers in both: broadcast through our own codec ÷ Nearfield, replayed",
    },
    {
      key: `packets_per_client_s_normal_${map.key}`,
      value: live.packets / clients / live.seconds,
      about: "packets to a client, reliable channel included",
    },
    {
      key: `own_share_of_sends_normal_${map.key}`,
      value: live.ownSends / (live.updates + live.otherSends + live.ownSends),
      about: "the part of all objects sent that are the client's own avatar",
    },
  ];
}

function predictedFigures(result: MapResult): Figure[] {
  const { map, predicted, predictedStrict, posed, views } = result;
  if (predicted === undefined) return [];
  return [
    {
      key: `updates_ratio_predicted_${map.key}`,
      value: ratioOf(predicted),
      about: "updates, predicted bounds of equal picture error, replayed",
    },
    ...twoBaselines(result, predicted, "predicted", "the same in bytes", { paper: 10, own: 4 }),
    ...predicted.zoneErrors.map((error, zone) => ({
      key: `picture_error_zone${zone}_${map.key}`,
      value: error,
      paper: `${views.normal!.zoneErrors[zone]!.toFixed(2)}`,
      goal: { atMost: views.normal!.zoneErrors[zone]! },
      about: `p99 of the picture's error in zone ${zone}, world units; paper: under its bounds`,
    })),
    ...(predictedStrict === undefined
      ? []
      : twoBaselines(result, predictedStrict, "strict", "as exact as if the paper's clients carried pictures on")),
    ...(posed === undefined ? [] : twoBaselines(result, posed, "posed", "directions bounded, too")),
  ];
}

/** Bytes against broadcast at the paper's size of an update, and through our own codec; replayed. */
function twoBaselines(
  { map, broadcastBytes }: MapResult,
  { broadcastUpdates, bytes }: ViewResult,
  name: string,
  about: string,
  goals?: { readonly paper: number; readonly own: number },
): Figure[] {
  return [
    {
      key: `bytes_ratio_${name}_${map.key}`,
      value: (broadcastUpdates * PAPER_UPDATE_BYTES) / bytes,
      ...(goals && { goal: { atLeast: goals.paper } }),
      about: `${about}, broadcast at ${PAPER_UPDATE_BYTES} bytes an update`,
    },
    {
      key: `bytes_ratio_${name}_own_${map.key}`,
      value: broadcastBytes / bytes,
      ...(goals && { goal: { atLeast: goals.own } }),
      about: `${about}, broadcast through our own codec`,
    },
  ];
}

function cpuFigure(ratio: number): Figure {
  return {
    key: "cpu_vs_broadcast",
    value: ratio,
    paper: "3",
    goal: { atMost: 1.5 },
    about: "time of a server round, Nearfield ÷ broadcast, in turn within one run",
  };
}
