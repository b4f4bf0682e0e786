/**
 * What is counted of a room beyond its own counters, while somebody watches: what changed in the world, what simpler rules would have sent,
 * and the last sends to those players that are looked at. All but a mark for each update is done after the round, whose decisions stand
 * until the next one; a round that is followed by another before anybody counted it is left out of these figures.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import type { RoomCore } from "../room/room-core.ts";
import { STAGE_NAMES } from "../room/round.ts";
import type { Player } from "../session/player.ts";
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
  /** Players somebody looks at, and who does. */
  readonly drawn: Map<Player, Set<unknown>> = new Map();
  readonly #core: RoomCore;
  readonly #ownsStopwatch: boolean;
  readonly #onRound: () => void;
  #uncounted = -1;
  #viewRounds: number;

  /**
   * @param now a clock in ms, if there is one.
   * @param onRound told when a round has ended: time to call `count`, before the next.
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
    this.#viewRounds = core.telemetry.viewRounds;
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
    this.#uncounted = round;
    this.#onRound();
  }

  /** Counts the last round, if that has not been done. */
  count(): void {
    const round = this.#uncounted;
    if (round < 0) return;
    this.#uncounted = -1;
    const { telemetry, world } = this.#core;
    const views = telemetry.viewRounds - this.#viewRounds;
    this.#viewRounds = telemetry.viewRounds;
    this.pairRounds += views * world.count;
    this.baselines.roundEnded(round, this.changes, views);
    this.changes.clear();
    for (const player of this.drawn.keys()) this.#noteSends(player, round);
    for (const why of this.whys) why.roundEnded(round);
    for (const preview of this.previews) preview.roundEnded();
  }

  /** `[zone][cause]`, since the room began. */
  sendsByZone(): number[][] {
    const { sendsByCell } = this.#core.telemetry;
    const zones = sendsByCell.length / CAUSES;
    return Array.from({ length: zones }, (_, zone) => [...sendsByCell.subarray(zone * CAUSES, (zone + 1) * CAUSES)]);
  }

  /** Somebody looks at this player: what it is sent, and why, is kept from now on, in case of questions. */
  draw(players: readonly Player[], who: unknown): void {
    for (const [player, lookers] of this.drawn) {
      lookers.delete(who);
      if (lookers.size === 0) this.drawn.delete(player);
    }
    for (const player of players) {
      const lookers = this.drawn.get(player) ?? new Set();
      this.drawn.set(player, lookers.add(who));
    }
  }

  #noteSends(player: Player, round: number): void {
    const { model, world, sessions } = this.#core;
    if (sessions.get(player.id)?.isPaused !== false) return;
    this.lastSends.note(player.view, player.id, model.decisions(player.view), round, world.store.slotHigh);
  }
}
