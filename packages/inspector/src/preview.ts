/**
 * What another view would cost a player, without giving it to the player. The candidate is judged as a view of its own beside the player's,
 * in the same model and the same rounds, and sent to nobody. So its sends are counted, not guessed. Only its bytes are an estimate, at the
 * mean size of the player's own updates.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";
import type { Decisions, ViewId } from "@nearfield/core/internal";
import type { Player } from "@nearfield/server";
import { jsonSets } from "@nearfield/server/internal";
import { type GuestView, type RoomSeam, rescaled } from "@nearfield/server/seam";
import { boundRows } from "./drawn.ts";
import type { PreviewFigures, PreviewTell } from "./feed/tells.ts";
import { FRAME_HEAD_BYTES, meanRecordBytes } from "./sizes.ts";

/** The most objects that are looked at for `pairs`. Of larger worlds an evenly spread part is taken, and the counts are scaled up. */
const MOST_EXPLAINED = 2000;

class Count {
  sends = 0;
  readonly byZone: number[] = [];

  add(decisions: Decisions): void {
    this.sends += decisions.count;
    for (let i = 0; i < decisions.count; i++) {
      const zone = decisions.zones[i]!;
      this.byZone[zone] = (this.byZone[zone] ?? 0) + 1;
    }
  }
}

export class Preview {
  readonly player: Player;
  readonly #seam: RoomSeam;
  readonly #settings: ViewSettings;
  readonly #clamped: readonly string[];
  readonly #scale: number | undefined;
  readonly #shadow: GuestView;
  #pivots: readonly Pivot[];
  #candidate = new Count();
  #current = new Count();
  /** Rounds counted. The first round, in which the candidate gets its whole world, is not counted. */
  #rounds = -1;
  #isOver = false;

  /** @param scale the candidate's zoom, which is set on the player's pivots wherever they move. Throws `ViewError`. */
  constructor(
    seam: RoomSeam,
    player: Player,
    candidate: { readonly view: ViewSettings; readonly clamped: readonly string[] },
    scale: number | undefined,
  ) {
    this.#seam = seam;
    this.player = player;
    this.#settings = candidate.view;
    this.#clamped = candidate.clamped;
    this.#scale = scale;
    this.#pivots = player.settingsWithUnits.pivots;
    this.#shadow = seam.addView(candidate.view, { player, assumeDelivered: true });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#shadow.end();
  }

  roundEnded(): void {
    if (this.#isOver) return;
    if (this.player.presence === "left") return this.end();
    const { model, connections } = this.#seam;
    this.#rounds += 1;
    if (this.#rounds > 0) {
      this.#candidate.add(this.#shadow.decisions);
      if (connections.get(this.player.id)?.isPaused === false) this.#current.add(model.decisions(this.player.view));
    }
    const { pivots } = this.player.settingsWithUnits;
    if (pivots === this.#pivots) return;
    this.#pivots = pivots;
    this.#shadow.setPivots(rescaled(pivots, this.#scale));
  }

  answer(round: number): PreviewTell {
    const { roundMs } = this.#seam;
    const settled = this.#settings.sets.flatMap((set) =>
      boundRows(set).flatMap((row) => row.map(({ time }) => time ?? Number.POSITIVE_INFINITY)),
    );
    return {
      tell: "preview",
      room: this.#seam.name,
      player: this.player.id,
      round,
      clamped: [...this.#clamped],
      sets: jsonSets(this.#settings.sets),
      countedMs: Math.max(0, this.#rounds) * roundMs,
      settlesMs: Math.max(0, ...settled.filter(Number.isFinite)),
      candidate: this.#figures(this.#shadow.id, this.#settings, this.#candidate),
      current: this.#figures(this.player.view, this.player.settings, this.#current),
    };
  }

  #figures(view: ViewId, settings: ViewSettings, count: Count): PreviewFigures {
    const seconds = (Math.max(1, this.#rounds) * this.#seam.roundMs) / 1000;
    const sendsPerSecond = count.sends / seconds;
    const heads = (FRAME_HEAD_BYTES * 1000) / this.#seam.roundMs;
    const size = meanRecordBytes(this.player.telemetry) ?? 0;
    return {
      pairs: this.#pairs(view, settings),
      sendsPerSecond,
      bytesPerSecond: heads + sendsPerSecond * size,
      sendsByZone: Array.from(count.byZone, (sends) => (sends ?? 0) / seconds),
    };
  }

  #pairs(view: ViewId, settings: ViewSettings): number[][] {
    const { model, world } = this.#seam;
    const zones = Math.max(...settings.sets.map(({ bounds }) => bounds.length));
    const sectors = Math.max(...settings.sets.map((set) => (set.sectors?.length ?? 0) + 1));
    const pairs = Array.from({ length: zones }, () => new Array<number>(sectors).fill(0));
    if (this.#isOver) return pairs;
    const stride = Math.ceil(world.store.slotHigh / MOST_EXPLAINED) || 1;
    for (let slot = 0; slot < world.store.slotHigh; slot += stride) {
      if (!world.store.isLive(slot)) continue;
      const explanation = model.explain(view, world.store.idAt(slot));
      if (explanation?.present === true) pairs[explanation.zone]![explanation.sector]! += stride;
    }
    return pairs;
  }
}
