/**
 * The ground with everything that rests on it, drawn once and kept for as long as it stays the same: a frame in which only cursors move copies one
 * picture. Things of which something is asked for are left out; they are drawn over it in each frame.
 */

import type { Pivot } from "@nearfield/core";
import { isWhollyLive, zoneOf } from "../../views.ts";
import type { Camera } from "../camera.ts";
import type { Paper } from "../paper.ts";
import type { ShownThing } from "../thing.ts";
import { drawGround } from "./ground.ts";
import { drawNote, drawStroke } from "./things.ts";

/** How pale things are, by zone. */
const ALPHA = [1, 0.6, 0.48, 0.4];
/** What the eraser has touched. */
const DOOMED_ALPHA = 0.2;

export interface Resting {
  readonly camera: Camera;
  readonly paper: Paper;
  readonly pivots: readonly Pivot[];
  readonly doomed: ReadonlySet<number>;
  /** Keys of notes that are not drawn: somebody is writing on them. */
  readonly hidden: ReadonlySet<number>;
}

export class Layer {
  readonly #canvas = document.createElement("canvas");
  readonly #context = this.#canvas.getContext("2d")!;
  #drawnFor = "";
  /** Notes on the screen that are not live, and how many things are not. */
  readonly paleNotes: { readonly thing: ShownThing; readonly zone: number }[] = [];
  notLive = 0;

  /** Draws it anew if anything is different, and copies it. */
  drawOn(target: CanvasRenderingContext2D, resting: Resting): void {
    const { width, height } = target.canvas;
    const state = stateOf(resting, width, height);
    if (state !== this.#drawnFor) {
      this.#drawnFor = state;
      if (this.#canvas.width !== width) this.#canvas.width = width;
      if (this.#canvas.height !== height) this.#canvas.height = height;
      this.#draw(resting, width / resting.camera.width);
    }
    target.setTransform(1, 0, 0, 1, 0, 0);
    target.drawImage(this.#canvas, 0, 0);
  }

  #draw(resting: Resting, ratio: number): void {
    const context = this.#context;
    const { camera, paper, hidden } = resting;
    this.notLive = 0;
    this.paleNotes.length = 0;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    drawGround(context, camera);
    const isDrawn = (thing: ShownThing): boolean =>
      !paper.isAsked(thing) && !hidden.has(thing.key) && camera.shows(thing.box);
    inUnits(context, camera, () => {
      for (const note of paper.notes) {
        if (!isDrawn(note)) continue;
        const zone = this.#zoneOf(note, resting.pivots);
        if (zone > 0) this.paleNotes.push({ thing: note, zone });
        drawNote(context, note, alphaOf(note, zone, resting));
      }
      for (const stroke of paper.strokes) {
        if (!isDrawn(stroke)) continue;
        context.globalAlpha = alphaOf(stroke, this.#zoneOf(stroke, resting.pivots), resting);
        drawStroke(context, stroke);
      }
    });
  }

  #zoneOf({ x, y }: ShownThing, pivots: readonly Pivot[]): number {
    const zone = zoneOf(pivots, x, y);
    if (zone > 0) this.notLive += 1;
    return zone;
  }
}

/** While the context is scaled to board units. */
export function inUnits(context: CanvasRenderingContext2D, camera: Camera, draw: () => void): void {
  context.save();
  context.translate(camera.width / 2, camera.height / 2);
  context.scale(camera.zoom, camera.zoom);
  context.translate(-camera.x, -camera.y);
  context.lineCap = "round";
  context.lineJoin = "round";
  draw();
  context.restore();
}

function alphaOf({ key }: ShownThing, zone: number, { doomed }: Resting): number {
  return doomed.has(key) ? DOOMED_ALPHA : ALPHA[zone]!;
}

/** All that the picture depends on. Where the cursor is matters only if not all of the screen is live. */
function stateOf({ camera, paper, pivots, doomed, hidden }: Resting, width: number, height: number): string {
  const zones = isWhollyLive(camera.rectangle) ? "" : JSON.stringify(pivots);
  return [camera.x, camera.y, camera.zoom, width, height, paper.version, zones, ...doomed, "", ...hidden].join();
}
