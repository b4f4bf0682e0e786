/**
 * Draws one picture of the fight:
 *
 *   floor → view → items → avatars → rockets → walls → effects → names → sight
 *
 * Everything that moves is drawn where `shown` has it. Far objects and objects behind the player are less exact, as the view allows; they are drawn
 * like the others.
 */

import { playerColour } from "@nearfield/kit";
import type { Terrain } from "../terrain.ts";
import { AvatarArt } from "./art/avatar-art.ts";
import { Backdrop } from "./art/backdrop.ts";
import { AimBeam, drawCrosshair, drawWounds, type Mark, type Wound } from "./art/crosshair.ts";
import { Ground } from "./art/ground.ts";
import { ItemArt } from "./art/item-art.ts";
import { NameTags } from "./art/name-tags.ts";
import type { Pen } from "./art/pen.ts";
import { type Pivot, ViewArt } from "./art/view-art.ts";
import type { Camera } from "./camera.ts";
import type { Effects } from "./effects.ts";
import type { Figure } from "./figure.ts";
import type { ItemReplica, RocketReplica } from "./network.ts";

/** World units around an avatar's middle on which anything of it is drawn. */
const REACH = 25;
/** The beam of the sight begins this far ahead of an avatar's middle. */
const AHEAD = 16;

export interface Frame {
  readonly nowMs: number;
  readonly figures: readonly Figure[];
  readonly rockets: readonly RocketReplica[];
  readonly items: readonly ItemReplica[];
  /** Whose view it is; undefined before there is any. */
  readonly pivot: Pivot | undefined;
  /** The own avatar, while it lives. */
  readonly own: Figure | undefined;
  /** Where the crosshair is, CSS pixels; undefined where none is wanted. */
  readonly sight: { readonly x: number; readonly y: number } | undefined;
  readonly mark: Mark | undefined;
  readonly wounds: readonly Wound[];
  /** 0 to 1 while the overlay opens. */
  readonly overlay: number;
}

export class Scene {
  readonly terrain: Terrain;
  readonly backdrop: Backdrop;
  readonly ground: Ground;
  readonly #effects: Effects;
  readonly #avatars = new AvatarArt();
  readonly #items = new ItemArt();
  readonly #tags = new NameTags();
  readonly #view = new ViewArt();
  #beam: AimBeam | undefined;
  /** Those on the screen, in one frame. */
  readonly #inSight: Figure[] = [];

  constructor(terrain: Terrain, effects: Effects) {
    this.terrain = terrain;
    this.ground = Ground.of(terrain);
    this.backdrop = new Backdrop(this.ground);
    this.#effects = effects;
  }

  draw(pen: Pen, camera: Camera, frame: Frame, ratio: number): void {
    const { context } = pen;
    const { nowMs, pivot, overlay } = frame;
    camera.tremble(nowMs);
    this.#look(camera, frame.figures);
    this.backdrop.drawFloor(pen, camera, ratio);
    if (pivot && overlay > 0.01) {
      this.#view.draw(pen, pivot, camera.zoom, overlay, this.terrain, 1 / camera.scale);
      this.#drawPings(context, frame);
    }
    for (const { x, y, kind, ready } of frame.items)
      if (camera.sees(x, y, 24)) this.#items.drawItem(context, kind, x, y, ready, nowMs);
    if (frame.own) drawRing(context, frame.own);
    this.#avatars.draw(pen, this.#inSight, camera.scale > 1.2, nowMs);
    for (const { shown } of frame.rockets)
      if (camera.sees(shown.x, shown.y, 20)) this.#items.drawRocket(pen, shown.x, shown.y, shown.vx, shown.vy, nowMs);
    this.backdrop.drawWalls(pen, camera, ratio);
    this.#effects.draw(pen, camera, nowMs);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#drawNames(context, camera);
    this.#drawSight(context, camera, frame, ratio);
  }

  #look(camera: Camera, figures: readonly Figure[]): void {
    this.#inSight.length = 0;
    for (const figure of figures) if (camera.sees(figure.x, figure.y, REACH)) this.#inSight.push(figure);
  }

  /** A ring under each avatar, in the colour of its cell, that lights up with every update: this is what is sent. */
  #drawPings(context: CanvasRenderingContext2D, { nowMs, overlay }: Frame): void {
    for (const { x, y, track, own, cell } of this.#inSight) {
      if (own || !cell) continue;
      const fresh = Math.max(0, 1 - (nowMs - track.sentMs) / Math.max(120, cell.timeMs));
      context.strokeStyle = cell.colour;
      context.globalAlpha = (0.3 + 0.7 * fresh) * overlay;
      context.lineWidth = 1.2 + 2 * fresh;
      context.beginPath();
      context.arc(x, y, 13 + (1 - fresh) * 9, 0, 2 * Math.PI);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  #drawNames(context: CanvasRenderingContext2D, camera: Camera): void {
    const lift = 13 * camera.scale;
    for (const { x, y, name, own, colour, health } of this.#inSight) {
      if (own || !camera.sees(x, y, 10)) continue;
      this.#tags.draw(context, name, colour, health, camera.screenX(x), camera.screenY(y), lift);
    }
  }

  #drawSight(context: CanvasRenderingContext2D, camera: Camera, frame: Frame, ratio: number): void {
    const { own, sight, mark, wounds, nowMs } = frame;
    if (!own) return;
    drawWounds(context, camera.screenX(own.x), camera.screenY(own.y), wounds, nowMs);
    if (!sight) return;
    const dx = Math.cos(own.heading);
    const dy = Math.sin(own.heading);
    const reach = this.terrain.reachOf(own.x, own.y, dx, dy, 420 + 400 * camera.scope);
    if (reach > AHEAD + 2) {
      const [x, y] = [camera.screenX(own.x + dx * AHEAD), camera.screenY(own.y + dy * AHEAD)];
      this.#beam ??= new AimBeam(context);
      this.#beam.draw(context, ratio, x, y, dx, dy, (reach - AHEAD) * camera.scale, 0.5 + 0.5 * camera.scope);
    }
    drawCrosshair(context, sight.x, sight.y, own.kick, mark, nowMs);
  }
}

/** Which one is mine. */
function drawRing(context: CanvasRenderingContext2D, { x, y, colour }: Figure): void {
  context.strokeStyle = playerColour(colour);
  context.globalAlpha = 0.5;
  context.lineWidth = 1.1;
  context.beginPath();
  context.arc(x, y, 12.5, 0, 2 * Math.PI);
  context.stroke();
  context.globalAlpha = 1;
}
