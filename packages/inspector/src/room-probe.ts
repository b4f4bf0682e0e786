/**
 * What is counted of a room beyond its own counters, while somebody watches: what changed in the world, and what simpler rules would have sent.
 * During the round a mark is made for each update; at its end, when all frames have left, those marks are added up. What takes longer waits until
 * after the round, whose decisions stay readable until the next one. If the next round begins before, it is left out of the round that ended.
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
  /** The round of which something is left to be counted; −1: none. */
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
    const round = this.#uncounted;
    if (round < 0) return;
    if (this.sendLog !== undefined) this.#logSends(this.sendLog, round);
    this.#end();
  }

  /** Counts what takes a few additions, while it is in the processor's caches. In most rounds that is all. */
  roundEnded(round: number): void {
    const { viewRounds } = this.#seam.telemetry;
    const isLookDue = this.baselines.roundEnded(this.changes, viewRounds - this.#viewRounds);
    this.#viewRounds = viewRounds;
    for (const why of this.whys) why.roundEnded(round);
    this.#uncounted = round;
    if (!isLookDue && this.sendLog === undefined && this.previews.size === 0) this.#end();
    this.#onRound();
  }

  /** Counts what is left of the last round. */
  count(): void {
    const round = this.#uncounted;
    if (round < 0) return;
    if (this.sendLog !== undefined) this.#logSends(this.sendLog, round);
    this.baselines.look(this.changes, round);
    for (const preview of this.previews) preview.roundEnded();
    this.#end();
  }

  /** All of the last round is counted. */
  #end(): void {
    this.#uncounted = -1;
    this.changes.clear();
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
