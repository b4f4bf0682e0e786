/**
 * What is counted of a room beyond its own counters, while somebody watches: what changed in the world, and what simpler rules would have sent.
 * During the round only a mark is made for each update. The rest is done after the round, whose decisions stay readable until the next one. If the next round begins before a round was counted, that round is left out of these figures.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import { DecisionKind, type Decisions } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import { type Guest, type RoomSeam, STAGE_NAMES } from "@nearfield/server/seam";
import { Baselines } from "./baselines.ts";
import type { MapMaker } from "./map-maker.ts";
import type { Preview } from "./preview.ts";
import type { SendLog } from "./send-log.ts";
import { StageTimes } from "./stage-times.ts";
import type { WhyWatch } from "./why-watch.ts";
import { WorldChanges } from "./world-changes.ts";

const CAUSES = CAUSE_NAMES.length;

export class RoomProbe implements Guest {
  readonly name = "inspector's probe";
  readonly changes: WorldChanges;
  readonly baselines: Baselines;
  readonly stopwatch: StageTimes | undefined;
  readonly whys: Set<WhyWatch> = new Set();
  readonly previews: Set<Preview> = new Set();
  /** Set while there is a recording. */
  sendLog: SendLog | undefined;
  readonly #seam: RoomSeam;
  readonly #onRound: () => void;
  #uncounted = -1;
  #viewRounds: number;

  /**
   * @param now a clock in ms, if there is one.
   * @param onRound called when a round has ended: call `count` before the next one.
   */
  constructor(
    seam: RoomSeam,
    maker: MapMaker,
    auraRadius: number,
    now: (() => number) | undefined,
    onRound: () => void,
  ) {
    this.#seam = seam;
    this.#onRound = onRound;
    this.#viewRounds = seam.telemetry.viewRounds;
    this.changes = new WorldChanges(seam);
    this.baselines = new Baselines(seam, auraRadius, maker.places);
    this.stopwatch = now === undefined ? undefined : new StageTimes(now, STAGE_NAMES.length);
  }

  dismissed(): void {
    for (const preview of this.previews) preview.end();
  }

  /** If nobody counted the last round, its sends are noted for a recording all the same. */
  roundBegins(): void {
    if (this.#uncounted >= 0 && this.sendLog !== undefined) this.#logSends(this.sendLog, this.#uncounted);
  }

  roundEnded(round: number): void {
    this.#uncounted = round;
    this.#onRound();
  }

  /** Counts the last round, if it was not counted yet. */
  count(): void {
    const round = this.#uncounted;
    if (round < 0) return;
    this.#uncounted = -1;
    if (this.sendLog !== undefined) this.#logSends(this.sendLog, round);
    const { telemetry } = this.#seam;
    const views = telemetry.viewRounds - this.#viewRounds;
    this.#viewRounds = telemetry.viewRounds;
    this.baselines.roundEnded(this.changes, views, round);
    this.changes.clear();
    for (const why of this.whys) why.roundEnded(round);
    for (const preview of this.previews) preview.roundEnded();
  }

  /** `[zone][cause]`, since the room began. */
  sendsByZone(): number[][] {
    const { sendsByCell } = this.#seam.telemetry;
    const zones = sendsByCell.length / CAUSES;
    return Array.from({ length: zones }, (_, zone) => [...sendsByCell.subarray(zone * CAUSES, (zone + 1) * CAUSES)]);
  }

  #logSends(log: SendLog, round: number): void {
    const { model, world, connections } = this.#seam;
    log.begin(round);
    for (const { player, isPaused } of connections.values()) {
      if (isPaused) continue;
      const decisions = model.decisions(player.view);
      if (decisions.count > 0) log.note(player.id, decisions, world, this.#testOf(player, decisions, round));
    }
  }

  /** Says which of these decisions were carried out; `undefined`: all. */
  #testOf(player: Player, decisions: Decisions, round: number): ((index: number) => boolean) | undefined {
    if (decisions.withheld === 0) return undefined;
    return (index) => !this.#isWithheld(player, decisions, index, round);
  }

  /** Whether a decision was withheld: the model does not count it as a send of its own round. */
  #isWithheld(player: Player, { ids, kinds }: Decisions, index: number, round: number): boolean {
    if (kinds[index]! >= DecisionKind.leave) return false;
    const explanation = this.#seam.model.explain(player.view, ids[index]! as ObjectId);
    return explanation !== undefined && explanation.lastSend < round;
  }
}
