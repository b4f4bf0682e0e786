/** Turns the server's news into light, sound, words and figures of the result. */

import type { Refusal } from "../state.ts";
import type { Camera, Spot } from "./camera.ts";
import type { Field } from "./field.ts";
import type { Alarms } from "./hud/alarms.ts";
import type { Toasts } from "./hud/toasts.ts";
import type { BuildingValues, NetworkHandlers } from "./network.ts";
import type { Scene } from "./scene.ts";
import type { Sound } from "./sound.ts";
import type { Statistics } from "./statistics.ts";
import { KIND_NAMES, REFUSAL_WORDS } from "./words.ts";

export interface Witness {
  readonly scene: Scene;
  readonly camera: Camera;
  readonly sound: Sound;
  readonly toasts: Toasts;
  readonly alarms: Alarms;
  readonly statistics: Statistics;
  /** Undefined before the match is known. */
  field(): Field | undefined;
  ownSide(): number;
  isPlaying(): boolean;
  nowMs(): number;
  /** The server refused the last order. */
  refusedByServer(reason: Refusal): void;
  /** A new client: what was known before counts no more. */
  joined(): void;
}

export class Happenings implements NetworkHandlers {
  readonly #w: Witness;
  readonly #spot: Spot = { x: 0, y: 0 };
  /** Ids of own buildings that are not finished. */
  readonly #unfinished = new Set<number>();

  constructor(witness: Witness) {
    this.#w = witness;
  }

  refused({ reason }: { readonly reason: Refusal }): void {
    this.#w.refusedByServer(reason);
  }

  /** Says why not: beside the place, if there is one. */
  refuse(reason: Refusal, x?: number, y?: number): void {
    const { camera, toasts, sound } = this.#w;
    const nowMs = this.#w.nowMs();
    sound.play("refused");
    if (x === undefined || y === undefined) return toasts.say(REFUSAL_WORDS[reason], "bad", nowMs);
    const at = camera.toScreen(x, y, this.#spot);
    toasts.sayHere(REFUSAL_WORDS[reason], at.x, at.y, nowMs);
  }

  blast({ x, y, size }: { readonly x: number; readonly y: number; readonly size: number }): void {
    this.#w.scene.blast(x, y, size);
    this.#w.sound.play("blast", x, y);
  }

  underAttack({ x, y }: { readonly x: number; readonly y: number }): void {
    const { alarms, toasts, sound } = this.#w;
    const nowMs = this.#w.nowMs();
    if (!alarms.add(x, y, nowMs)) return;
    toasts.say("You are under attack", "bad", nowMs);
    sound.play("alarm");
  }

  unitCame(_: number, side: number): void {
    if (!this.#isOwn(side)) return;
    this.#w.statistics.unitsMade += 1;
    this.#w.sound.play("trained");
  }

  unitFell(_: number, side: number): void {
    if (this.#isOwn(side)) this.#w.statistics.unitsLost += 1;
    else if (this.#w.isPlaying()) this.#w.statistics.kills += 1;
  }

  buildingCame(id: number, { side, built }: BuildingValues): void {
    this.#w.field()?.memory.forget(id);
    if (!this.#isOwn(side)) return;
    this.#w.statistics.buildingsMade += 1;
    if (built < 100) this.#unfinished.add(id);
  }

  buildingChanged(id: number, { built, kind }: BuildingValues): void {
    if (built < 100 || !this.#unfinished.delete(id)) return;
    this.#w.toasts.say(`${KIND_NAMES[kind]} finished`, "good", this.#w.nowMs());
    this.#w.sound.play("built");
  }

  buildingFell(id: number, { side, kind }: BuildingValues): void {
    this.#w.field()?.memory.forget(id);
    this.#unfinished.delete(id);
    if (!this.#w.isPlaying()) return;
    if (!this.#isOwn(side)) this.#w.statistics.kills += 1;
    else {
      this.#w.statistics.buildingsLost += 1;
      this.#w.toasts.say(`${KIND_NAMES[kind]} lost`, "bad", this.#w.nowMs());
    }
  }

  buildingHidden(id: number, building: BuildingValues): void {
    if (!this.#isOwn(building.side)) this.#w.field()?.memory.keep(id, building);
  }

  joined(): void {
    this.#w.joined();
  }

  /** Of the own side, while the match is on: what stands there at its beginning does not count. */
  #isOwn(side: number): boolean {
    return this.#w.isPlaying() && side === this.#w.ownSide();
  }
}
