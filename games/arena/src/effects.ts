/**
 * What players see and hear of a fight: events, sent only to those who can see or hear them (F §4.2.3). A shot goes to players for whom either of its
 * ends lies in zone 1 or nearer, a blast to players near it. Players farther off, but within hearing, get a noise from time to time instead of every shot
 * and blast.
 */

import { along, near, type Player, type Room, to } from "@nearfield/server";
import type { Fighter } from "./fighter.ts";
import { Blast, Hit, Kill, Launch, Noise, Pickup, Respawn, Shot } from "./shared.ts";
import type { ItemKind, Spot, Weapon } from "./state.ts";
import { HEARD_RADIUS, SEEN_RADIUS, SHOT_ZONE } from "./views.ts";

/** A listener hears at most one noise in this time, ms. */
const NOISE_EVERY_MS = 300;
const UNRELIABLE = { unreliable: true } as const;

export class Effects {
  readonly #room: Room;
  readonly #quietUntilMs = new Map<Player, number>();

  constructor(room: Room) {
    this.#room = room;
  }

  leave(player: Player): void {
    this.#quietUntilMs.delete(player);
  }

  shot(by: number, from: Spot, toSpot: Spot, at: "nothing" | "wall" | "avatar", nowMs: number): void {
    const [start, end] = [
      [from.x, from.y],
      [toSpot.x, toSpot.y],
    ] as const;
    const values = { by, fromX: from.x, fromY: from.y, toX: toSpot.x, toY: toSpot.y, at };
    this.#room.emit(Shot, values, along(start, end, { zone: SHOT_ZONE }), UNRELIABLE);
    const { model } = this.#room;
    this.#noise(
      "shots",
      from,
      nowMs,
      ({ view }) => model.zoneAt(view, start) > SHOT_ZONE && model.zoneAt(view, end) > SHOT_ZONE,
    );
  }

  launch(by: number, { x, y }: Spot): void {
    this.#room.emit(Launch, { by, x, y }, near([x, y], SEEN_RADIUS), UNRELIABLE);
  }

  blast(by: number, spot: Spot, nowMs: number): void {
    const { x, y } = spot;
    this.#room.emit(Blast, { by, x, y }, near([x, y], SEEN_RADIUS), UNRELIABLE);
    this.#noise("blast", spot, nowMs, ({ view }) => this.#room.model.distanceTo(view, [x, y]) > SEEN_RADIUS);
  }

  pickup(by: number, kind: ItemKind, { x, y }: Spot): void {
    this.#room.emit(Pickup, { by, kind, x, y }, near([x, y], SEEN_RADIUS));
  }

  respawn(number: number, { x, y }: Spot): void {
    this.#room.emit(Respawn, { number, x, y }, near([x, y], SEEN_RADIUS), UNRELIABLE);
  }

  hit(by: Fighter, target: Fighter, damage: number, killed: boolean): void {
    const { x, y } = by.avatar;
    const audience = by === target ? to(by.player) : to(by.player, target.player);
    const most = Math.max(0, Math.min(127, damage));
    this.#room.emit(Hit, { by: by.number, target: target.number, damage: most, killed, x, y }, audience);
  }

  kill(by: number, target: Fighter, weapon: Weapon): void {
    const { x, y } = target.avatar;
    this.#room.emit(Kill, { by, target: target.number, weapon, x, y });
  }

  /** To those out of sight and within hearing, each of whom has had some quiet. */
  #noise(what: "shots" | "blast", { x, y }: Spot, nowMs: number, isOutOfSight: (player: Player) => boolean): void {
    const listeners: Player[] = [];
    for (const player of this.#room.players.values()) {
      if (player.role === "local") continue;
      if (nowMs < (this.#quietUntilMs.get(player) ?? 0)) continue;
      if (this.#room.model.distanceTo(player.view, [x, y]) > HEARD_RADIUS || !isOutOfSight(player)) continue;
      this.#quietUntilMs.set(player, nowMs + NOISE_EVERY_MS);
      listeners.push(player);
    }
    if (listeners.length > 0) this.#room.emit(Noise, { what, x, y }, to(...listeners), UNRELIABLE);
  }
}
