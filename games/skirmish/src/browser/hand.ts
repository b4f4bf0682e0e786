/**
 * What the player's hand does on the stage and on the map: it selects, orders, places buildings and moves the camera. An order that was chosen first (an
 * aim), or a building that is placed, takes the next press.
 */

import type { BuildingKind } from "../state.ts";
import type { Camera, Spot } from "./camera.ts";
import type { Field } from "./field.ts";
import type { StageHandlers } from "./input/intent.ts";
import type { Aim, Commander } from "./orders/commander.ts";
import { meaningOf } from "./orders/context.ts";
import { Placement } from "./orders/placement.ts";
import { type Box, type Ghost, OWN } from "./picture.ts";
import type { Chooser } from "./select/chooser.ts";
import { type Found, pickAt } from "./select/pick.ts";
import type { Squad } from "./select/squad.ts";
import type { Sound } from "./sound.ts";

export interface HandParts {
  readonly camera: Camera;
  readonly chooser: Chooser;
  readonly commander: Commander;
  readonly squad: Squad;
  readonly sound: Sound;
  readonly nowMs: () => number;
}

export class Hand implements StageHandlers {
  readonly #parts: HandParts;
  readonly #spot: Spot = { x: 0, y: 0 };
  #field: Field | undefined;
  #placement: Placement | undefined;
  #isPointing = false;
  #x = 0;
  #y = 0;
  /** An order that waits for its place. */
  aim: Aim | undefined;
  box: Box | undefined;

  constructor(parts: HandParts) {
    this.#parts = parts;
  }

  /** Another match. */
  enter(field: Field): void {
    this.#field = field;
    this.#placement = new Placement(field.terrain);
    this.drop();
  }

  /** The building that is placed now. */
  get placing(): BuildingKind | undefined {
    return this.#placement?.kind;
  }

  place(kind: BuildingKind): void {
    this.aim = undefined;
    this.#placement?.begin(kind);
  }

  aimFor(aim: Aim): void {
    this.#placement?.end();
    this.aim = aim;
  }

  /** Lets go of what is aimed or placed. True if there was something. */
  drop(): boolean {
    const held = this.aim !== undefined || this.placing !== undefined;
    this.aim = undefined;
    this.#placement?.end();
    return held;
  }

  /** Id of what is under the pointer; 0: nothing. */
  hovered(): number {
    return this.#isPointing && this.box === undefined ? (this.#find(this.#x, this.#y)?.id ?? 0) : 0;
  }

  ghost(): Ghost | undefined {
    if (this.placing === undefined || this.#field === undefined) return undefined;
    const { x, y } = this.#parts.camera.toWorld(this.#x, this.#y, this.#spot);
    return this.#placement?.ghostAt(this.#field, x, y, this.#parts.nowMs());
  }

  // ── the stage ──────────────────────────────────────────────────────────────────────────────────────────────────

  point(x: number, y: number): void {
    this.#isPointing = true;
    this.#x = x;
    this.#y = y;
  }

  leave(): void {
    this.#isPointing = false;
  }

  click(x: number, y: number, adds: boolean, isDouble: boolean): void {
    const field = this.#field;
    if (field === undefined || this.#spend(x, y, adds)) return;
    if (this.#parts.chooser.click(field, this.#find(x, y), adds, isDouble)) this.#parts.sound.play("select");
  }

  order(x: number, y: number, queued: boolean): void {
    if (this.drop() || this.#field === undefined) return;
    const at = this.#parts.camera.toWorld(x, y, this.#spot);
    this.#parts.commander.orderAt(this.#field, this.#find(x, y), at.x, at.y, queued, this.#parts.nowMs());
  }

  tap(x: number, y: number, isDouble: boolean): void {
    const field = this.#field;
    this.#x = x;
    this.#y = y;
    this.#isPointing = false;
    if (field === undefined || this.#spend(x, y, false)) return;
    const found = this.#find(x, y);
    const { squad, chooser, commander, camera, sound, nowMs } = this.#parts;
    const selects = isDouble || !squad.isOwn || this.#isOwnWhole(found);
    if (selects) {
      if (chooser.click(field, found, false, isDouble)) sound.play("select");
      return;
    }
    const at = camera.toWorld(x, y, this.#spot);
    commander.orderAt(field, found, at.x, at.y, false, nowMs());
  }

  drawBox(box: Box | undefined): void {
    this.box = this.aim === undefined && this.placing === undefined ? box : undefined;
  }

  takeBox(box: Box, adds: boolean): void {
    this.box = undefined;
    // A press that slipped a little still places.
    if (this.#spend(box.x1, box.y1, adds) || this.#field === undefined) return;
    if (this.#parts.chooser.box(this.#field, box, adds)) this.#parts.sound.play("select");
  }

  drag(dx: number, dy: number): void {
    this.#parts.camera.moveBy(-dx, -dy);
  }

  zoom(x: number, y: number, factor: number): void {
    this.#parts.camera.zoomAt(x, y, factor);
  }

  turn(radians: number): void {
    this.#parts.camera.turn(radians);
  }

  wake(): void {
    this.#parts.sound.wake();
  }

  // ── the map ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A press on the map, in world units: goes there, or gives the order that waits for its place. */
  goTo(x: number, y: number): void {
    this.wake();
    if (this.aim === undefined || this.#field === undefined) return this.#parts.camera.centre(x, y);
    const { aim } = this;
    this.aim = undefined;
    this.#parts.commander.aimAt(this.#field, aim, undefined, x, y, false, this.#parts.nowMs());
  }

  orderOnMap(x: number, y: number, queued: boolean): void {
    this.wake();
    if (this.drop() || this.#field === undefined) return;
    this.#parts.commander.orderAt(this.#field, undefined, x, y, queued, this.#parts.nowMs());
  }

  // ── what a press means ─────────────────────────────────────────────────────────────────────────────────────────

  /** Uses the press for what is aimed or placed. With Shift more of the same may follow. */
  #spend(x: number, y: number, queued: boolean): boolean {
    const [field, kind, { aim }] = [this.#field, this.placing, this];
    if (field === undefined || (kind === undefined && aim === undefined)) return false;
    const { commander, camera, nowMs } = this.#parts;
    const found = this.#find(x, y);
    const at = camera.toWorld(x, y, this.#spot);
    if (kind !== undefined) this.#build(field, kind, at, queued);
    else commander.aimAt(field, aim!, found, at.x, at.y, queued, nowMs());
    if (!queued) this.aim = undefined;
    return true;
  }

  #build(field: Field, kind: BuildingKind, at: Spot, queued: boolean): void {
    const { commander, nowMs } = this.#parts;
    const ghost = this.#placement?.ghostAt(field, at.x, at.y, nowMs());
    if (ghost === undefined) return;
    if (!ghost.fits) return commander.refuseRoom(ghost.x, ghost.y, nowMs());
    commander.build(field, kind, ghost.x, ghost.y, queued, nowMs());
    if (!queued) this.#placement?.end();
  }

  #find(x: number, y: number): Found {
    const { camera } = this.#parts;
    const at = camera.toWorld(x, y, this.#spot);
    return this.#field && pickAt(this.#field, at.x, at.y, camera.scale);
  }

  /** Something of one's own, unless the builders that are selected would mend it. */
  #isOwnWhole(found: Found): boolean {
    const field = this.#field;
    if (field === undefined || (found?.what !== "unit" && found?.what !== "building")) return false;
    const pieces = found.what === "unit" ? field.units : field.buildings;
    if ((pieces.flags[found.row]! & OWN) === 0) return false;
    return this.#parts.squad.isBuilding || meaningOf(found, field, this.#parts.squad).what !== "repair";
  }
}
