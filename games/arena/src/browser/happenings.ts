/** Turns the server's events into light, sound and words. It only reads the state of the fight. */

import { playerColour } from "@nearfield/kit";
import { ROCKET } from "../state.ts";
import { MUZZLE } from "./art/avatar-art.ts";
import type { Mark, Wound } from "./art/crosshair.ts";
import { ITEM_COLOURS, SHOT } from "./art/palette.ts";
import type { Camera } from "./camera.ts";
import type { Effects } from "./effects.ts";
import type { Feed, Person } from "./hud/feed.ts";
import type { NetworkHandlers } from "./network.ts";
import type { Place, Sound } from "./sound.ts";
import type { Tracks } from "./tracks.ts";

/** How far a blast shakes the screen, and how much, CSS pixels. */
const SHAKE_REACH = 320;
const SHAKE = 16;

export interface Witness {
  readonly camera: Camera;
  readonly effects: Effects;
  readonly sound: Sound;
  readonly feed: Feed;
  readonly tracks: Tracks;
  /** Number of the own avatar; 0 for spectators. */
  ownNumber(): number;
  person(number: number): Person;
  nowMs(): number;
  /** Whether the player asked for less motion. */
  isCalm(): boolean;
  scorch(x: number, y: number): void;
  following(number: number): void;
}

export class Happenings implements NetworkHandlers {
  readonly #w: Witness;
  mark: Mark | undefined;
  wounds: Wound[] = [];
  /** Counters for the report and the death screen. */
  hits = 0;
  kills = 0;
  deaths = 0;
  shots = 0;
  killer: { readonly number: number; readonly weapon: "rifle" | "rocket" } | undefined;
  /** 1 right after a hit taken. */
  hurtMs: number = Number.NEGATIVE_INFINITY;

  constructor(witness: Witness) {
    this.#w = witness;
  }

  shot({ by, fromX, fromY, toX, toY, at }: Parameters<NetworkHandlers["shot"]>[0]): void {
    const { effects, sound, tracks } = this.#w;
    const nowMs = this.#w.nowMs();
    this.shots++;
    if (at === "wall") effects.sparks(toX, toY, SHOT, 5, 110, nowMs);
    if (at === "avatar") effects.wound(toX, toY, nowMs);
    if (at === "wall") sound.play("ricochet", this.#from(toX, toY));
    // The own shot was seen and heard when the trigger was pulled.
    if (by === this.#w.ownNumber()) return;
    const track = tracks.get(by);
    if (track) track.firedMs = nowMs;
    const heading = Math.atan2(toY - fromY, toX - fromX);
    const [x, y] = muzzleAt(fromX, fromY, heading, "rifle");
    effects.muzzle(x, y, heading, nowMs);
    effects.tracer(x, y, toX, toY, nowMs);
    sound.play("rifle", this.#from(fromX, fromY));
  }

  launch({ by, x, y }: Parameters<NetworkHandlers["launch"]>[0]): void {
    const track = this.#w.tracks.get(by);
    if (track) track.firedMs = this.#w.nowMs();
    if (by !== this.#w.ownNumber()) this.#w.sound.play("launch", this.#from(x, y));
  }

  blast({ x, y }: Parameters<NetworkHandlers["blast"]>[0]): void {
    const { effects, camera, sound } = this.#w;
    const nowMs = this.#w.nowMs();
    effects.blast(x, y, ROCKET.blast * 0.62, nowMs);
    this.#w.scorch(x, y);
    sound.play("blast", this.#from(x, y));
    const away = Math.hypot(x - camera.x, y - camera.y);
    if (!this.#w.isCalm()) camera.shake(SHAKE * Math.max(0, 1 - away / SHAKE_REACH), nowMs);
  }

  noise({ what, x, y }: Parameters<NetworkHandlers["noise"]>[0]): void {
    const { dx, dy } = this.#from(x, y);
    // It is far away, or it would be seen: only its side and a hint of its distance are kept.
    this.#w.sound.play(what === "blast" ? "farBlast" : "farShots", { dx: dx / 5, dy: dy / 5 });
  }

  pickup({ by, kind, x, y }: Parameters<NetworkHandlers["pickup"]>[0]): void {
    this.#w.effects.ring(x, y, ITEM_COLOURS[kind], 60, 420, this.#w.nowMs());
    this.#w.sound.play(kind, by === this.#w.ownNumber() ? undefined : this.#from(x, y));
  }

  hit({ by, target, damage, killed, x, y }: Parameters<NetworkHandlers["hit"]>[0]): void {
    const nowMs = this.#w.nowMs();
    const own = this.#w.ownNumber();
    const track = this.#w.tracks.get(target);
    if (track) track.hitMs = nowMs;
    if (by === own && target !== own) {
      this.hits++;
      this.mark = { atMs: nowMs, killed };
      this.#w.sound.play(killed ? "kill" : "hit");
    }
    if (target !== own) return;
    this.hurtMs = nowMs;
    this.#w.sound.play("hurt");
    const me = this.#w.tracks.get(own);
    if (me && by !== own) this.wounds.push({ atMs: nowMs, angle: Math.atan2(y - me.y, x - me.x) });
    if (this.wounds.length > 6) this.wounds.shift();
    if (!this.#w.isCalm()) this.#w.camera.shake(3 + damage / 12, nowMs);
  }

  kill({ by, target, weapon, x, y }: Parameters<NetworkHandlers["kill"]>[0]): void {
    const { effects, feed, sound } = this.#w;
    const nowMs = this.#w.nowMs();
    const own = this.#w.ownNumber();
    const victim = this.#w.person(target);
    feed.kill(
      by === target ? undefined : this.#w.person(by),
      victim,
      weapon,
      own !== 0 && (by === own || target === own),
      nowMs,
    );
    effects.burst(x, y, playerColour(victim.colour), nowMs);
    if (target === own) {
      this.deaths++;
      this.killer = { number: by, weapon };
      sound.play("death");
    } else if (by === own) {
      this.kills++;
      feed.say("Fragged", victim.name, nowMs);
    }
  }

  respawn({ number, x, y }: Parameters<NetworkHandlers["respawn"]>[0]): void {
    const nowMs = this.#w.nowMs();
    this.#w.effects.burst(x, y, playerColour(this.#w.person(number).colour), nowMs);
    if (number !== this.#w.ownNumber()) return;
    this.#w.camera.cut();
    this.#w.sound.play("respawn");
  }

  following(number: number): void {
    this.#w.following(number);
  }

  /** Where a sound comes from, seen from the middle of the screen. */
  #from(x: number, y: number): Place {
    return { dx: x - this.#w.camera.x, dy: y - this.#w.camera.y };
  }
}

/** Where shots leave an avatar. */
export function muzzleAt(x: number, y: number, heading: number, weapon: "rifle" | "rocket"): [number, number] {
  const [ahead, beside] = MUZZLE[weapon];
  const [cos, sin] = [Math.cos(heading), Math.sin(heading)];
  return [x + cos * ahead - sin * beside, y + sin * ahead + cos * beside];
}
