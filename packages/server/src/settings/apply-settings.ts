/**
 * Puts other settings in force in a running room, from its next round on: the view of those who have the room's, limits, the budget, ripe,
 * thresholds and units. A client that asked for a view of its own is judged by what it asked for, clamped to the new limits. A view that the game
 * gave a player (`player.setView`) stays, and so do pivots and budgets that the game set.
 *
 * Claim: settings that throw in `checkSettings` have changed nothing.
 */

import { limitsOf, thresholds as thresholdMetric, type ViewLimits, type ViewSettings } from "@nearfield/core";
import {
  MetricRegistry,
  resolveClientPivots,
  resolveView,
  retune,
  setsOf,
  type ThresholdSettings,
  type UnitSettings,
  USUAL_RIPENESS,
} from "@nearfield/core/internal";
import { ServerError } from "../errors.ts";
import { regrantPivots } from "../room/merge.ts";
import type { RoomCore } from "../room/room-core.ts";
import { checkUnitsIn, RoomUnits } from "../room/room-units.ts";
import { setView } from "../seam/view-edits.ts";
import { type Player, takeUnits } from "../session/player.ts";
import { formatSettings, type RoomSettings } from "./settings-file.ts";

/** Whether the settings can be put in force in this room. Throws `ViewError` or `ServerError("bad-settings")`. */
export function checkSettings(room: RoomCore, { view, viewLimits, thresholds = [], units }: RoomSettings): void {
  checkThresholds(room, thresholds);
  checkViewIn(room, view, thresholds);
  if (viewLimits !== undefined) checkViewIn(room, { sets: setsOf(viewLimits), pivots: [] }, thresholds);
  if (units !== undefined) checkUnits(room, units, viewLimits);
}

/** Whether the room can have such units beside the pivots that players have and may ask for. Throws `ViewError`. */
export function checkUnits(room: RoomCore, units: UnitSettings, limits: ViewLimits | undefined): void {
  checkUnitsIn(room.world, units, otherPivots(room, limits));
}

/** The most pivots that a player of the room has, or may ask for, beside those of its units. */
function otherPivots(room: RoomCore, limits: ViewLimits | undefined): number {
  let most = Math.max(limits?.pivots ?? 1, room.joinView.pivots.length);
  for (const { settings } of room.players.values()) most = Math.max(most, settings.pivots.length);
  return most;
}

/** Whether a view would be one in this room, with these thresholds. Throws `ViewError`. */
export function checkViewIn(room: RoomCore, view: ViewSettings, thresholds: readonly ThresholdSettings[]): void {
  const metrics = thresholds.map((settings) => thresholdMetric(settings));
  resolveView(view, room.world, new MetricRegistry([...(room.options.metrics ?? []), ...metrics]));
}

/** A metric's memory of sends is laid out when the room is made. What the memory depends on cannot change in a running room. */
function checkThresholds(room: RoomCore, next: readonly ThresholdSettings[]): void {
  const now = room.options.thresholds ?? [];
  const key = ({ name, model = "linear", turning = "hold" }: ThresholdSettings): string =>
    `${name} ${typeof model === "object" ? model.name : model} ${turning}`;
  const [before, after] = [now.map(key).sort().join(", "), next.map(key).sort().join(", ")];
  if (before === after) return;
  const problem = `a running room keeps its metrics' names, models and turning (${before || "none"}); is ${after || "none"}`;
  throw new ServerError("bad-settings", `thresholds: ${problem}. Start the server anew for others`);
}

/** Throws what `checkSettings` throws. */
export function applySettings(room: RoomCore, stated: RoomSettings): void {
  const before = room.settings;
  const next = { ...stated, view: { ...stated.view, pivots: before.view.pivots } };
  checkSettings(room, next);
  if (formatSettings(before) === formatSettings(next)) return;
  room.settings = next;
  room.viewLimits = next.viewLimits ?? limitsOf(next.view);
  room.joinView = next.view;
  room.clientPivots = resolveClientPivots(next.clientPivots);
  room.model.setRipe(next.ripe ?? USUAL_RIPENESS);
  const tunable = room.metrics.slice(room.options.metrics?.length ?? 0);
  for (const settings of next.thresholds ?? []) {
    retune(tunable.find(({ name }) => name === `thresholds:${settings.name}`)!, settings);
  }
  if (JSON.stringify(before.units) !== JSON.stringify(next.units)) renewUnits(room, next);
  for (const player of room.players.values()) {
    if (player.budget === (before.budget ?? Number.POSITIVE_INFINITY)) {
      player.setBudget(next.budget ?? Number.POSITIVE_INFINITY);
    }
    renew(room, player);
  }
}

/** Players' views have no units until the next round begins. */
function renewUnits(room: RoomCore, { units, viewLimits }: RoomSettings): void {
  for (const player of room.players.values()) takeUnits(player, []);
  if (units === undefined) room.units?.close();
  const others = otherPivots(room, viewLimits);
  room.units = units && (room.units?.renewed(units, others) ?? new RoomUnits(room.world, units, others));
}

function renew(room: RoomCore, player: Player): void {
  const statedBy = room.recordOf(player)?.statedBy ?? "game";
  if (statedBy === "game") {
    // The same view again: its thresholds may be others.
    player.setView(player.settings);
  } else {
    const edit = statedBy === "room" ? { sets: room.joinView.sets, unlimited: true } : { sets: statedBy.asked };
    const { ok, detail } = setView(room, player, edit);
    if (!ok) room.failed(new ServerError("bad-settings", `${player.nickname} keeps its view: ${detail}`), "settings");
    room.noteStated(player, statedBy);
  }
  const session = room.sessions.get(player.id);
  if (session !== undefined) room.serve(session, "viewSet", () => regrantPivots(room, session));
}
