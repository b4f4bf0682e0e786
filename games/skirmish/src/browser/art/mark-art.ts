/**
 * What orders look like on the ground: a sign that pops where the order goes, at once; the way of orders that wait; the building that is about to be placed; the
 * box that selects.
 */

import { FIRST_BUILDING, RADIUS } from "../../rules/kinds.ts";
import { TILE } from "../../state.ts";
import type { Camera } from "../camera.ts";
import type { Mark, Picture } from "../picture.ts";
import type { BuildingArt } from "./building-art.ts";
import type { Layer } from "./layer.ts";
import { ACCENT, DANGER, ORE, PALE, tint, WARNING } from "./palette.ts";
import type { Frame } from "./sheet.ts";
import type { Sight } from "./sight.ts";
import type { Signs } from "./sign-shapes.ts";

const MARK_MS = 900;
const POP_MS = 140;
/** CSS pixels of a mark's half size, and between the dots of a way. */
const MARK_PIXELS = 15;
const DOT_PIXELS = 16;
const MOST_DOTS = 400;

export class MarkArt {
  readonly #signs: Signs;
  readonly #looks: Readonly<Record<Mark["what"], readonly [Frame, number]>>;
  readonly #corner = { x: 0, y: 0 };
  readonly #far = { x: 0, y: 0 };

  constructor(signs: Signs) {
    this.#signs = signs;
    this.#looks = {
      move: [signs.arrows, ACCENT],
      patrol: [signs.arrows, PALE],
      attackMove: [signs.cross, WARNING],
      attack: [signs.cross, DANGER],
      gather: [signs.pick, ORE],
      build: [signs.hammer, ACCENT],
      repair: [signs.hammer, 0x5dff8f],
      stop: [signs.square, PALE],
      hold: [signs.square, ACCENT],
      rally: [signs.flag, ACCENT],
    };
  }

  draw(layer: Layer, picture: Picture, camera: Camera, sight: Sight, buildings: BuildingArt, isCalm: boolean): void {
    for (const path of picture.paths) this.#drawPath(layer, path, picture.nowMs, sight, isCalm);
    for (const mark of picture.marks) this.#drawMark(layer, mark, picture.nowMs, sight, isCalm);
    if (picture.ghost) this.#drawGhost(layer, picture.ghost, buildings, sight);
    if (picture.box) this.#drawBox(layer, picture.box, camera, sight);
  }

  #drawMark(layer: Layer, mark: Mark, nowMs: number, sight: Sight, isCalm: boolean): void {
    const age = nowMs - mark.atMs;
    if (age < 0 || age > MARK_MS) return;
    const [frame, colour] = mark.refused ? [this.#signs.refusal, DANGER] : this.#looks[mark.what];
    const opacity = Math.min(1, ((1 - age / MARK_MS) * MARK_MS) / 350);
    // From large to its size in a blink: the eye finds it.
    const pop = isCalm ? 1 : 1 + 0.9 * Math.max(0, 1 - age / POP_MS) ** 2;
    const size = sight.pixels(MARK_PIXELS) * pop;
    const shake = mark.refused && !isCalm ? sight.pixels(3) * Math.sin(age / 22) * Math.max(0, 1 - age / 300) : 0;
    const [cosine, sine] = [Math.cos(sight.rotation), Math.sin(sight.rotation)];
    const [x, y] = [mark.x + cosine * shake, mark.y + sine * shake];
    layer.add(frame, x, y, size, sight.rotation, tint(colour, opacity));
    if (isCalm || mark.refused) return;
    const open = Math.min(1, age / 450);
    const wide = sight.pixels(MARK_PIXELS * (0.8 + 1.4 * open));
    layer.add(this.#signs.ring, mark.x, mark.y, wide, 0, tint(colour, 0.7 * (1 - open)));
  }

  /** Dots that walk along the way, and a larger one at each turn. */
  #drawPath(layer: Layer, path: Float32Array, nowMs: number, sight: Sight, isCalm: boolean): void {
    const gap = sight.pixels(DOT_PIXELS);
    const small = sight.pixels(2);
    const start = isCalm ? 0 : ((nowMs / 900) % 1) * gap;
    let dots = 0;
    for (let at = 2; at + 1 < path.length; at += 2) {
      const [x1, y1, x2, y2] = [path[at - 2]!, path[at - 1]!, path[at]!, path[at + 1]!];
      const [dx, dy] = [x2 - x1, y2 - y1];
      const length = Math.sqrt(dx * dx + dy * dy);
      for (let way = start; way < length && dots < MOST_DOTS; way += gap, dots++) {
        const [x, y] = [x1 + (dx * way) / length, y1 + (dy * way) / length];
        if (sight.sees(x, y, small)) layer.add(this.#signs.dot, x, y, small, 0, tint(ACCENT, 0.7));
      }
      layer.add(this.#signs.dot, x2, y2, sight.pixels(4.5), 0, tint(ACCENT));
    }
  }

  /** The tiles that it would take, and the building itself. */
  #drawGhost(layer: Layer, ghost: NonNullable<Picture["ghost"]>, buildings: BuildingArt, sight: Sight): void {
    const colour = ghost.fits ? ACCENT : DANGER;
    const radius = RADIUS[FIRST_BUILDING + ghost.kind]!;
    for (let y = -radius + TILE / 2; y < radius; y += TILE) {
      for (let x = -radius + TILE / 2; x < radius; x += TILE)
        layer.stretch(this.#signs.square, ghost.x + x, ghost.y + y, TILE / 2, TILE / 2, 0, tint(colour, 0.7));
    }
    buildings.drawGhost(layer, ghost.kind, ghost.x, ghost.y, colour);
    layer.add(this.#signs.corners, ghost.x, ghost.y, radius + sight.pixels(3), 0, tint(colour));
  }

  #drawBox(layer: Layer, box: NonNullable<Picture["box"]>, camera: Camera, sight: Sight): void {
    const { plain } = this.#signs;
    camera.toWorld((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, this.#corner);
    const { x, y } = this.#corner;
    const half = sight.pixels(Math.abs(box.x1 - box.x0) / 2);
    const tall = sight.pixels(Math.abs(box.y1 - box.y0) / 2);
    layer.stretch(plain, x, y, half, tall, sight.rotation, tint(ACCENT, 0.12));
    const corners = [box.x0, box.y0, box.x1, box.y0, box.x1, box.y1, box.x0, box.y1, box.x0, box.y0];
    for (let side = 0; side < 4; side++) {
      camera.toWorld(corners[side * 2]!, corners[side * 2 + 1]!, this.#corner);
      camera.toWorld(corners[side * 2 + 2]!, corners[side * 2 + 3]!, this.#far);
      const [from, to] = [this.#corner, this.#far];
      layer.line(plain, from.x, from.y, to.x, to.y, sight.pixels(1.5), tint(ACCENT, 0.9));
    }
  }
}
