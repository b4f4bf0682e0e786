/**
 * What is counted of a room beyond its own counters, while somebody watches: sends by zone and cause, the last send of each pair, what
 * changed in the world, and what simpler rules would have sent. Looks on at the end of each round and costs a pass over its decisions.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import type { RoomCore } from "../room/room-core.ts";
import { STAGE_NAMES } from "../room/round.ts";
import { Baselines } from "./baselines.ts";
import type { Instrument } from "./instrument.ts";
import { LastSends } from "./last-sends.ts";
import type { MapMaker } from "./map-maker.ts";
import type { Preview } from "./preview.ts";
import { StageTimes } from "./stage-times.ts";
import type { WhyWatch } from "./why-watch.ts";
import { WorldChanges } from "./world-changes.ts";

const CAUSES = CAUSE_NAMES.length;

export class RoomProbe implements Instrument {
  readonly changes: WorldChanges;
  readonly baselines: Baselines;
  readonly lastSends: LastSends = new LastSends();
  readonly times: StageTimes | undefined;
  readonly whys: Set<WhyWatch> = new Set();
  readonly previews: Set<Preview> = new Set();
  /** Pairs that were judged, summed over rounds. */
  pairRounds = 0;
  readonly #core: RoomCore;
  readonly #ownsStopwatch: boolean;
  readonly #onRound: () => void;
  /** `zone × CAUSES + cause`. */
  #cells: Float64Array = new Float64Array(CAUSES);

  /**
   * @param now a clock in ms, if there is one.
   * @param onRound told when a round has ended and was looked at.
   */
  constructor(
    core: RoomCore,
    maker: MapMaker,
    auraRadius: number,
    now: (() => number) | undefined,
    onRound: () => void,
  ) {
    this.#core = core;
    this.#onRound = onRound;
    this.changes = new WorldChanges(core.world);
    this.baselines = new Baselines(core, auraRadius, maker.places);
    this.#ownsStopwatch = core.stopwatch === undefined && now !== undefined;
    if (this.#ownsStopwatch) core.stopwatch = new StageTimes(now!, STAGE_NAMES.length);
    this.times = core.stopwatch instanceof StageTimes ? core.stopwatch : undefined;
    core.instruments.push(this);
  }

  dispose(): void {
    for (const preview of this.previews) preview.end();
    this.changes.dispose();
    // Somebody else may have begun to use it meanwhile.
    if (this.#ownsStopwatch && this.times?.onRound === undefined) this.#core.stopwatch = undefined;
    const index = this.#core.instruments.indexOf(this);
    if (index >= 0) this.#core.instruments.splice(index, 1);
  }

  roundEnded(round: number): void {
    const { model, world, sessions } = this.#core;
    for (const { player, isPaused, link } of sessions.values()) {
      if (isPaused || link === undefined) continue;
      const decisions = model.decisions(player.view);
      this.lastSends.note(player.view, player.id, decisions, round, world.store.slotHigh);
      this.#countCells(decisions.zones, decisions.causes, decisions.count);
      this.pairRounds += world.count;
    }
    this.baselines.roundEnded(round, this.changes);
    this.changes.clear();
    for (const why of this.whys) why.roundEnded(round);
    for (const preview of this.previews) preview.roundEnded();
    this.#onRound();
  }

  /** `[zone][cause]`. */
  sendsByZone(): number[][] {
    const zones = this.#cells.length / CAUSES;
    return Array.from({ length: zones }, (_, zone) => [...this.#cells.subarray(zone * CAUSES, (zone + 1) * CAUSES)]);
  }

  #countCells(zones: Uint8Array, causes: Uint8Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const cell = zones[i]! * CAUSES + causes[i]!;
      if (cell >= this.#cells.length) this.#reserve(zones[i]!);
      this.#cells[cell]! += 1;
    }
  }

  #reserve(zone: number): void {
    const cells = new Float64Array((zone + 1) * CAUSES);
    cells.set(this.#cells);
    this.#cells = cells;
  }
}
