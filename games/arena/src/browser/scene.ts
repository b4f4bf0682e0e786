/**
 * Draws one picture of the fight:
 *
 *   floor → view → items → avatars → rockets → walls → effects → names → sight
 *
 * Everything that moves is drawn where `shown` has it. What is far or behind is less exact by the bounds of the view, and drawn all the same.
 */

import { playerColour } from "@nearfield/kit";
import type { Terrain } from "../terrain.ts";
import { AvatarArt, type AvatarLook } from "./art/avatar-art.ts";
import { Backdrop } from "./art/backdrop.ts";
import { drawBeam, drawCrosshair, drawWounds, type Mark, type Wound } from "./art/crosshair.ts";
import { Ground } from "./art/ground.ts";
import { ItemArt } from "./art/item-art.ts";
import { NameTags } from "./art/name-tags.ts";
import type { Pen } from "./art/pen.ts";
import { cellAt, type Pivot, ViewArt } from "./art/view-art.ts";
import type { Camera } from "./camera.ts";
import type { Effects } from "./effects.ts";
import type { AvatarReplica, ItemReplica, RocketReplica } from "./network.ts";
import type { Track, Tracks } from "./tracks.ts";

/** One avatar as it stands in this frame. */
export interface Figure extends AvatarLook {
  /** Only within its frame; later it may be gone. */
  readonly avatar: AvatarReplica;
  readonly number: number;
  readonly track: Track;
  readonly name: string;
  readonly own: boolean;
}

export interface Frame {
  readonly nowMs: number;
  readonly figures: readonly Figure[];
  readonly rockets: Iterable<RocketReplica>;
  readonly items: Iterable<ItemReplica>;
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
    this.backdrop.drawFloor(pen, camera, ratio);
    if (pivot && overlay > 0.01) {
      this.#view.draw(pen, pivot, camera.scope, overlay, this.terrain, 1 / camera.scale);
      this.#drawPings(context, frame, pivot);
    }
    for (const { x, y, kind, ready } of frame.items)
      if (camera.sees(x, y, 24)) this.#items.drawItem(context, kind, x, y, ready, nowMs);
    if (frame.own) drawRing(context, frame.own);
    for (const figure of frame.figures)
      if (camera.sees(figure.x, figure.y, 20)) this.#avatars.draw(pen, figure, camera.scale > 1.2, nowMs);
    for (const { shown } of frame.rockets)
      if (camera.sees(shown.x, shown.y, 20)) this.#items.drawRocket(pen, shown.x, shown.y, shown.vx, shown.vy, nowMs);
    this.backdrop.drawWalls(pen, camera, ratio);
    this.#effects.draw(pen, camera, nowMs);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#drawNames(context, camera, frame);
    this.#drawSight(context, camera, frame);
  }

  /** A ring under each avatar, in the colour of its cell, that lights up with every update: this is what is sent. */
  #drawPings(context: CanvasRenderingContext2D, { figures, nowMs, overlay }: Frame, pivot: Pivot): void {
    for (const { x, y, track, own } of figures) {
      if (own) continue;
      const { colour, timeMs } = cellAt(pivot, x, y);
      const fresh = Math.max(0, 1 - (nowMs - track.sentMs) / Math.max(120, timeMs));
      context.strokeStyle = colour;
      context.globalAlpha = (0.3 + 0.7 * fresh) * overlay;
      context.lineWidth = 1.2 + 2 * fresh;
      context.beginPath();
      context.arc(x, y, 13 + (1 - fresh) * 9, 0, 2 * Math.PI);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  #drawNames(context: CanvasRenderingContext2D, camera: Camera, { figures }: Frame): void {
    const lift = 13 * camera.scale;
    for (const { x, y, name, own, avatar } of figures) {
      if (own || !camera.sees(x, y, 10)) continue;
      this.#tags.draw(context, name, avatar.colour, avatar.health, camera.screenX(x), camera.screenY(y), lift);
    }
  }

  #drawSight(context: CanvasRenderingContext2D, camera: Camera, { own, sight, mark, wounds, nowMs }: Frame): void {
    if (!own) return;
    drawWounds(context, camera.screenX(own.x), camera.screenY(own.y), wounds, nowMs);
    if (!sight) return;
    const [dx, dy] = [Math.cos(own.heading), Math.sin(own.heading)];
    const reach = this.terrain.reachOf(own.x, own.y, dx, dy, 420 + 400 * camera.scope);
    const at = (way: number): [number, number] => [camera.screenX(own.x + dx * way), camera.screenY(own.y + dy * way)];
    if (reach > 18) drawBeam(context, at(16), at(reach), "#ff5f6d", 0.5 + 0.5 * camera.scope);
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

/** Puts together what is drawn of each avatar that lives. */
export function figureOf(
  avatar: AvatarReplica,
  shown: {
    readonly x: number;
    readonly y: number;
    readonly vx: number;
    readonly vy: number;
    readonly heading: number;
    readonly weapon: AvatarReplica["weapon"];
  },
  tracks: Tracks,
  round: number,
  name: string,
  own: boolean,
  nowMs: number,
): Figure {
  const { x, y, vx, vy, heading, weapon } = shown;
  const track = tracks.follow(avatar, x, y, round, nowMs);
  const { colour, number } = avatar;
  const safe = avatar.condition === "safe";
  return {
    avatar,
    number,
    track,
    name,
    own,
    x,
    y,
    vx,
    vy,
    heading,
    weapon,
    colour,
    safe,
    path: track.path,
    kick: track.kick(nowMs),
    flash: track.flash(nowMs),
  };
}
