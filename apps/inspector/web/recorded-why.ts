/**
 * "Why?" for a recorded moment: cell and bound are computed from the recorded frame by the model's own rules, and the last send is looked up among
 * the recorded sends. What a recording cannot tell stays `null`: the divergence in value, which only the server can measure, and whether a send
 * arrived.
 */

import { recordedCell, recordedDistance, recordedLoosened } from "@nearfield/inspector/internal";
import type { BoundFigures, ClientRow, RecordedFrame, WhyShown } from "./feed-types.ts";
import { placeOf, recordedSet } from "./recorded-set.ts";
import type { Facts } from "./shown.ts";

interface Send {
  readonly round: number;
  readonly cause: string;
  /** Version of the object that was sent. */
  readonly version: number;
}

const MOST_SENDS = 12;
/** Frames that are looked through for sends. */
const MOST_FRAMES = 3000;

export type WhyAnswer = { readonly why: WhyShown } | { readonly lacks: string };

/** @param at index of the frame in `frames` */
export function recordedWhy(
  frames: readonly RecordedFrame[],
  at: number,
  facts: Facts,
  client: ClientRow | undefined,
  player: number,
  object: number,
): WhyAnswer {
  const frame = frames[at]!;
  const { map, members, versions } = frame;
  const view = map.views.find((one) => one.player === player);
  if (view === undefined) return { lacks: "This client was not in the room at this moment. Move the slider." };
  const index = map.ids.indexOf(object);
  if (index < 0) return { lacks: "This object was not in the world at this moment. Move the slider." };
  const sets = map.looks[view.look] ?? [];
  const setIndex = recordedSet(sets, members?.[view.look], index, facts.types[map.types[index]!]);
  const set = setIndex === undefined ? undefined : sets[setIndex];
  if (versions === undefined || set === undefined || set.bounds.length === 0) return { lacks: OLD };
  const isOwn = map.owners[index] === player;
  const place = placeOf(map, index);
  const cell = recordedCell(set, view.pivots, place);
  const bound = isOwn ? AT_ONCE : cell.bound;
  const factor = cell.zone === 0 ? client?.network.innerFactor : client?.network.outerFactor;
  const judgedBy = isOwn ? bound : recordedLoosened(bound, factor ?? 1, facts.roundMs);
  const version = versions[index]!;
  const sends = sendsOf(frames, at, facts, player, object);
  const last = sends[0];
  const isGone = last?.cause === "removal";
  const sequence = last === undefined ? null : version - last.version;
  const elapsedMs = last === undefined ? null : (map.round - last.round) * facts.roundMs;
  const equal = sequence === 0;
  const time = set.clock === "firstMiss" && !equal ? null : equal ? 0 : elapsedMs;
  return {
    why: {
      tell: "why",
      room: map.room,
      round: map.round,
      timeMs: map.timeMs,
      player,
      object,
      type: map.types[index]!,
      state: isGone ? "hidden" : "shown",
      distance: recordedDistance(view.pivots, place),
      set: setIndex!,
      match: set.match,
      metric: set.metric,
      zone: cell.zone,
      sector: cell.sector,
      everyChange: isOwn ? "own" : null,
      bound,
      judgedBy,
      divergence: { time, sequence, value: null },
      equal,
      version,
      sentVersion: last?.version ?? 0,
      ackedVersion: 0,
      lastSend: last === undefined ? null : { round: last.round, agoMs: elapsedMs!, cause: last.cause, arrived: null },
      nextDue: nextDue(isOwn, equal || isGone, judgedBy.time, time, set.strict, facts.roundMs, map.round),
      history: sends.map(({ round, cause }) => ({
        round,
        kind: cause === "creation" ? "create" : cause === "removal" ? "leave" : "update",
        cause,
        zone: -1,
        fate: "sent",
      })),
      recorded: { isSendKnown: last !== undefined, settlesMs: longestTime(set.bounds) },
    },
  };
}

const OLD = "This recording does not hold what “why?” needs: an older server made it. Record again to ask.";
const AT_ONCE: BoundFigures = { time: 0, sequence: 0, value: 0 };

/** After so long everything that moves has been sent again, if its cell has a time bound; null where some have none. */
function longestTime(bounds: readonly (readonly BoundFigures[])[]): number | null {
  const times = bounds.flatMap((row) => row.map(({ time }) => time));
  return times.includes(null) ? null : Math.max(...times.map((time) => time ?? 0));
}

/** Searches sends backwards from the frame, until enough are found, the recording begins, or a part of it is missing. */
function sendsOf(
  frames: readonly RecordedFrame[],
  at: number,
  { causes }: Facts,
  player: number,
  object: number,
): Send[] {
  const sends: Send[] = [];
  for (let index = at; index >= 0 && index > at - MOST_FRAMES && sends.length < MOST_SENDS; index--) {
    const { sends: sent, map, versions } = frames[index]!;
    if (sent === undefined) break;
    const own = sent.find((one) => one.player === player);
    const version = versions?.[map.ids.indexOf(object)] ?? 0;
    for (let entry = (own?.ids.length ?? 0) - 1; entry >= 0; entry--) {
      if (own!.ids[entry] !== object) continue;
      const cause = causes[own!.causes[entry]!] ?? "unknown";
      sends.push({ round: map.round - own!.ago[entry]!, cause, version: version - own!.behind[entry]! });
    }
  }
  return sends.slice(0, MOST_SENDS);
}

function nextDue(
  isOwn: boolean,
  isEqual: boolean,
  boundMs: number | null,
  elapsedMs: number | null,
  strict: boolean,
  roundMs: number,
  round: number,
): WhyShown["nextDue"] {
  const none = { round: null, inMs: null, by: null, exact: false, byTimeMs: null, bySequenceMs: null, byValueMs: null };
  if (isOwn || isEqual) return { ...none, when: "when it changes" };
  if (boundMs === null || elapsedMs === null) return { ...none, when: "never" };
  const left = (boundMs - elapsedMs) / roundMs;
  const ahead = Math.max(1, strict ? Math.floor(left) : Math.ceil(left));
  const inMs = ahead * roundMs;
  return { ...none, when: left <= 0 ? "now" : "in", round: round + ahead, inMs, by: "time", byTimeMs: inMs };
}
