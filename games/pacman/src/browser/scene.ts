/**
 * Draws one picture of the game:
 *
 *   backdrop → dots → ghosts → players → effects → glow → zones
 *
 * The room of the avatar is lit, all others are dim; who is in another room is not drawn (the beep tells), unless the overlay looks from above.
 */

import { playerColour } from "@nearfield/kit";
import { hasDot } from "../dots.ts";
import { DX, DY, type Heading, type Maze, ROOM, ROOMS, roomAt, roomCentre, roomIndex, tileAt } from "../maze.ts";
import { roomHue, zoneColour } from "../palette.ts";
import { ZONE_RADII } from "../shared.ts";
import { DYING_MS, type Spot } from "../state.ts";
import { Backdrop } from "./backdrop.ts";
import type { Camera } from "./camera.ts";
import type { Effects } from "./effects.ts";
import type { GameLink, PacReplica } from "./link.ts";
import type { Shown } from "./shown.ts";
import { DOT_SIZE, dotPicture, drawDyingPac, drawGhost, drawPac, drawPellet, Glow } from "./sprites.ts";

/** Tiles beyond the lit room over which a thing fades away. */
const FADE = 1.4;
/** A dot the own avatar has just passed stays hidden this long while the server has not confirmed it. */
const SWALLOW_MS = 700;

export interface Frame {
  readonly nowMs: number;
  readonly elapsedMs: number;
  readonly link: GameLink;
  readonly own: PacReplica | undefined;
  readonly overlay: boolean;
  /** Sides of the room from which an opponent is heard, and how strongly they glow (1 at the beep, then less). */
  readonly glowSides: readonly Heading[];
  readonly glow: number;
  nameOf(number: number): string;
}

export class Scene {
  readonly #maze: Maze;
  readonly #camera: Camera;
  readonly #shown: Shown;
  readonly #effects: Effects;
  readonly #backdrop: Backdrop;
  readonly #glow = new Glow();
  readonly #dot = dotPicture(16);
  readonly #swallowed = new Map<number, number>();
  readonly #dyingSince = new Map<number, number>();

  constructor(maze: Maze, camera: Camera, shown: Shown, effects: Effects) {
    this.#maze = maze;
    this.#camera = camera;
    this.#shown = shown;
    this.#effects = effects;
    this.#backdrop = new Backdrop(maze, camera);
  }

  /** Hides a dot under the own avatar before the server confirms it; true if there was one. */
  swallow(spot: Spot, link: GameLink, nowMs: number): boolean {
    const [x, y] = [Math.round(spot.x), Math.round(spot.y)];
    const tile = tileAt(x, y);
    const dots = link.room(roomAt(x, y));
    if (!dots || !hasDot(dots, x - roomIndex(x) * ROOM, y - roomIndex(y) * ROOM) || this.#swallowed.has(tile))
      return false;
    this.#swallowed.set(tile, nowMs);
    return true;
  }

  draw(context: CanvasRenderingContext2D, frame: Frame): void {
    const { width, height } = context.canvas;
    const scale = width / context.canvas.clientWidth || 1;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    this.#forgetSwallowed(frame.nowMs);
    const rooms = this.#backdrop.roomsInSight(width / scale, height / scale);
    this.#backdrop.draw(context, rooms, scale, frame.elapsedMs);
    for (const room of rooms) this.#drawDots(context, frame, room);
    this.#drawGhosts(context, frame);
    this.#drawPacs(context, frame);
    this.#effects.draw(context, this.#camera, frame.nowMs);
    this.#drawGlow(context, frame);
    if (this.#camera.height > 0.02) this.#drawZones(context, frame);
  }

  #drawDots(context: CanvasRenderingContext2D, frame: Frame, room: number): void {
    const dots = frame.link.room(room);
    if (!dots) return;
    const { tile } = this.#camera;
    const [left, top] = [(room % ROOMS) * ROOM, Math.floor(room / ROOMS) * ROOM];
    context.save();
    context.globalAlpha = this.#backdrop.lightOf(room);
    context.translate(this.#camera.screenX(left), this.#camera.screenY(top));
    context.scale(tile, tile);
    const pellets: [number, number][] = [];
    for (let y = 1; y < ROOM - 1; y++) {
      for (let x = 1; x < ROOM - 1; x++) {
        const at = tileAt(left + x, top + y);
        if (!hasDot(dots, x, y) || this.#swallowed.has(at)) continue;
        if (this.#maze.pellets.has(at)) pellets.push([x, y]);
        else context.drawImage(this.#dot, x - DOT_SIZE / 2, y - DOT_SIZE / 2, DOT_SIZE, DOT_SIZE);
      }
    }
    for (const [x, y] of pellets) drawPellet(context, x, y, frame.nowMs / 1000, this.#glow);
    context.restore();
  }

  #forgetSwallowed(nowMs: number): void {
    for (const [tile, at] of this.#swallowed) if (nowMs - at > SWALLOW_MS) this.#swallowed.delete(tile);
  }

  /** 1 in the lit room, 0 beyond its doors; from above everything shows. */
  #sightOf(spot: Spot): number {
    const outside =
      Math.max(Math.abs(spot.x - roomCentre(this.#camera.column)), Math.abs(spot.y - roomCentre(this.#camera.row))) -
      ROOM / 2;
    return Math.max(this.#camera.height, Math.min(1, 1 - outside / FADE));
  }

  #at(context: CanvasRenderingContext2D, spot: Spot, alpha: number, draw: () => void): void {
    if (alpha <= 0.01) return;
    context.save();
    context.globalAlpha = alpha;
    context.translate(this.#camera.screenX(spot.x), this.#camera.screenY(spot.y));
    context.scale(this.#camera.tile, this.#camera.tile);
    draw();
    context.restore();
  }

  #drawGhosts(context: CanvasRenderingContext2D, frame: Frame): void {
    for (const ghost of frame.link.ghosts()) {
      const drawn = this.#shown.get(ghost.id);
      if (!drawn) continue;
      const beat = frame.nowMs / 1000 + ghost.id * 0.13;
      this.#at(context, drawn, this.#sightOf(drawn), () => {
        drawGhost(context, { kind: ghost.kind, mood: ghost.mood, heading: drawn.heading, beat }, this.#glow);
      });
    }
  }

  #drawPacs(context: CanvasRenderingContext2D, frame: Frame): void {
    for (const pac of frame.link.pacs()) {
      if (pac.id !== frame.own?.id) this.#drawPac(context, frame, pac);
    }
    if (frame.own) this.#drawPac(context, frame, frame.own);
  }

  #drawPac(context: CanvasRenderingContext2D, frame: Frame, pac: PacReplica): void {
    const drawn = this.#shown.get(pac.id);
    if (!drawn || pac.condition === "out") return;
    const colour = playerColour(pac.colour);
    const alpha = this.#sightOf(drawn);
    if (pac.condition === "dying") {
      const since = this.#dyingSince.get(pac.id) ?? frame.nowMs;
      this.#dyingSince.set(pac.id, since);
      this.#at(context, drawn, alpha, () =>
        drawDyingPac(context, colour, Math.min(1, (frame.nowMs - since) / (DYING_MS * 0.8))),
      );
      return;
    }
    this.#dyingSince.delete(pac.id);
    const seconds = frame.nowMs / 1000;
    const blink = pac.condition === "resting" || (pac.condition === "safe" && seconds % 0.3 < 0.13) ? 0.35 : 1;
    const powered = pac.condition === "powered" || (pac.condition === "fading" && seconds % 0.3 < 0.18);
    const mouth = drawn.moving ? Math.abs(Math.sin(drawn.path * 2.6)) : 0.35;
    this.#at(context, drawn, alpha * blink, () =>
      drawPac(context, { colour, heading: drawn.heading, mouth, powered, beat: seconds }, this.#glow),
    );
    this.#drawName(context, pac, drawn, alpha, frame);
  }

  #drawName(context: CanvasRenderingContext2D, pac: PacReplica, spot: Spot, alpha: number, frame: Frame): void {
    const own = pac.id === frame.own?.id;
    if (alpha < 0.05 || (own && pac.condition !== "safe" && pac.condition !== "resting")) return;
    const size = Math.max(10, Math.min(14, this.#camera.tile * 0.34));
    const y = this.#camera.screenY(spot.y) - this.#camera.tile * 0.6 - size * 0.9;
    context.globalAlpha = alpha;
    context.font = `700 ${size}px ui-rounded, system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = "rgb(0 0 0 / 0.75)";
    const name = `${own ? "you" : frame.nameOf(pac.number)}${pac.condition === "resting" ? " zzz" : ""}`;
    context.strokeText(name, this.#camera.screenX(spot.x), y);
    context.fillStyle = playerColour(pac.colour);
    context.fillText(name, this.#camera.screenX(spot.x), y);
    context.globalAlpha = 1;
  }

  /** The side of the room behind which an opponent is: what the beep says, for eyes. */
  #drawGlow(context: CanvasRenderingContext2D, frame: Frame): void {
    if (frame.glow <= 0.01 || this.#camera.height > 0.5) return;
    const { stage } = this.#camera;
    const half = stage.size / 2;
    for (const side of frame.glowSides) {
      context.save();
      context.translate(stage.left + half + DX[side] * half, stage.top + half + DY[side] * half);
      context.scale(DX[side] === 0 ? 1 : 0.2, DY[side] === 0 ? 1 : 0.2);
      const light = context.createRadialGradient(0, 0, 0, 0, 0, half);
      light.addColorStop(0, `rgb(255 64 92 / ${0.85 * frame.glow})`);
      light.addColorStop(0.5, `rgb(255 64 92 / ${0.3 * frame.glow})`);
      light.addColorStop(1, "rgb(255 64 92 / 0)");
      context.fillStyle = light;
      context.fillRect(-half, -half, stage.size, stage.size);
      context.restore();
    }
  }

  /** The zones of the own view, and the names of the rooms under them. */
  #drawZones(context: CanvasRenderingContext2D, frame: Frame): void {
    const drawn = frame.own && this.#shown.get(frame.own.id);
    if (!drawn) return;
    const { tile, height } = this.#camera;
    const [x, y] = [this.#camera.screenX(drawn.x), this.#camera.screenY(drawn.y)];
    context.save();
    context.globalAlpha = height;
    context.font = `700 ${Math.max(10, tile * 1.1)}px ui-monospace, monospace`;
    context.textAlign = "left";
    context.textBaseline = "top";
    for (let room = 0; room < ROOMS * ROOMS; room++) {
      const [left, top] = this.#backdrop.cornerOf(room);
      this.#label(context, `(${room % ROOMS},${Math.floor(room / ROOMS)})`, left, top, `hsl(${roomHue(room)} 90% 80%)`);
    }
    ZONE_RADII.forEach((radius, zone) => {
      const reach = radius * tile;
      context.fillStyle = zoneColour(zone);
      context.strokeStyle = zoneColour(zone);
      context.globalAlpha = height * 0.07;
      context.fillRect(x - reach, y - reach, 2 * reach, 2 * reach);
      context.globalAlpha = height;
      context.lineWidth = 2;
      context.setLineDash([9, 6]);
      context.strokeRect(x - reach, y - reach, 2 * reach, 2 * reach);
      this.#label(context, `zone ${zone}`, x - reach, y - reach, zoneColour(zone));
    });
    context.restore();
  }

  #label(context: CanvasRenderingContext2D, text: string, x: number, y: number, colour: string): void {
    const width = context.measureText(text).width + 8;
    context.fillStyle = "rgb(4 5 13 / 0.85)";
    context.fillRect(x + 1, y + 1, width, Math.max(14, this.#camera.tile * 1.2 + 4));
    context.fillStyle = colour;
    context.fillText(text, x + 5, y + 3);
  }
}
