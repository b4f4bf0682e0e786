/**
 * Draws one frame of the board: ground → notes → drafts → strokes → what is selected → zones → people.
 *
 * What is not live is drawn paler, the paler the farther its zone; notes tell as of when they are shown.
 */

import type { Pivot } from "@nearfield/core";
import { playerColour } from "@nearfield/kit";
import { livePart, PRESENCE_MS, pivotsOf, zoneOf } from "../../views.ts";
import type { Camera, Point } from "../camera.ts";
import { agoMs, agoWords } from "../freshness.ts";
import type { DraftReplica, Network, SeenPerson } from "../network.ts";
import { ACCENT } from "../palette.ts";
import type { Paper } from "../paper.ts";
import type { Box, ShownThing } from "../thing.ts";
import { drawGround } from "./ground.ts";
import { drawFlash, drawZones } from "./overlay.ts";
import { drawCursor, drawDraft, drawTag } from "./people.ts";
import { drawNote, drawStroke } from "./things.ts";

/** How pale things are, by zone. */
const ALPHA = [1, 0.6, 0.48, 0.4];
/** What the eraser has touched. */
const DOOMED_ALPHA = 0.2;
const MOST_RATIO = 2;
/** Notes smaller than this on the screen do not tell their age, CSS pixels. */
const LEAST_TOLD = 34;

export interface Scenery {
  readonly camera: Camera;
  readonly paper: Paper;
  readonly network: Network;
  readonly people: readonly SeenPerson[];
  readonly selection: ReadonlySet<number>;
  readonly doomed: ReadonlySet<number>;
  readonly band: Box | undefined;
  /** Of the note that is written on: the field is drawn instead. */
  readonly editing: number | undefined;
  readonly overlay: boolean;
  readonly nowMs: number;
}

export class Scene {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  #ratio = 1;
  /** Things on the screen that are not live, in the frame that was last drawn. */
  notLive = 0;

  constructor(canvas: HTMLCanvasElement, camera: Camera) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d")!;
    const fit = (): void => this.#fit(camera);
    new ResizeObserver(fit).observe(canvas);
    fit();
  }

  #fit(camera: Camera): void {
    const { clientWidth, clientHeight } = this.#canvas;
    this.#ratio = Math.min(MOST_RATIO, devicePixelRatio);
    camera.width = Math.max(1, clientWidth);
    camera.height = Math.max(1, clientHeight);
    this.#canvas.width = Math.round(clientWidth * this.#ratio);
    this.#canvas.height = Math.round(clientHeight * this.#ratio);
  }

  draw(scenery: Scenery): void {
    const context = this.#context;
    const { camera, network, paper, nowMs } = scenery;
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    drawGround(context, camera);
    const pivots = pivotsOf(camera.rectangle, network.pivot);
    const silentMs = network.silentMs(nowMs);
    const told: { thing: ShownThing; ago: string }[] = [];
    const drafts = network.drafts();
    const drafted = new Set(drafts.map(({ key }) => key));
    const seen = (thing: ShownThing): boolean =>
      !thing.erased && thing.key !== scenery.editing && !drafted.has(thing.key) && isOnScreen(thing.box, camera);
    this.notLive = 0;
    this.#inUnits(camera, () => {
      context.lineCap = "round";
      context.lineJoin = "round";
      for (const note of paper.notes) {
        if (!seen(note)) continue;
        const zone = this.#zoneOf(note, pivots);
        drawNote(context, note, paleness(note, zone, scenery));
        const sinceMs = note.id === undefined ? 0 : network.timeMs - network.knownMs(note.id);
        const ago = zone === 0 ? "" : agoWords(agoMs(zone, sinceMs, silentMs));
        if (ago !== "" && note.width * camera.zoom >= LEAST_TOLD) told.push({ thing: note, ago });
      }
      for (const draft of drafts) if (draft.key !== scenery.editing) drawDraft(context, draft);
      for (const stroke of paper.strokes) {
        if (!seen(stroke)) continue;
        context.globalAlpha = paleness(stroke, this.#zoneOf(stroke, pivots), scenery);
        drawStroke(context, stroke);
      }
    });
    for (const { thing, ago } of told) drawAge(context, camera, thing, ago);
    for (const draft of drafts) if (draft.key !== scenery.editing) this.#drawWriter(draft, scenery);
    this.#drawMarks(scenery);
    if (camera.rectangle.width > livePart(camera.rectangle).width + 1 || scenery.overlay)
      this.#drawZones(scenery, pivots);
    for (const person of scenery.people) if (!person.isSelf) this.#drawPerson(person, pivots, scenery, silentMs);
  }

  #inUnits(camera: Camera, draw: () => void): void {
    const context = this.#context;
    context.save();
    context.translate(camera.width / 2, camera.height / 2);
    context.scale(camera.zoom, camera.zoom);
    context.translate(-camera.x, -camera.y);
    draw();
    context.restore();
  }

  /** What this page has only asked for is live. */
  #zoneOf(thing: ShownThing, pivots: readonly Pivot[]): number {
    const zone = thing.id === undefined ? 0 : zoneOf(pivots, thing.x, thing.y);
    if (zone > 0) this.notLive += 1;
    return zone;
  }

  #drawWriter({ x, y, number }: DraftReplica, { camera, people }: Scenery): void {
    const writer = people.find((person) => person.number === number);
    if (writer === undefined) return;
    const [left, top] = [camera.screenX(x), camera.screenY(y) - 24];
    drawTag(this.#context, left, top, `${writer.name} is writing …`, playerColour(writer.colour));
  }

  /** What is selected, what waits for a link, the box that is being drawn. */
  #drawMarks({ camera, paper, selection, band, editing }: Scenery): void {
    const context = this.#context;
    context.save();
    context.lineWidth = 1.5;
    for (const thing of paper.all()) {
      const isMarked = thing.waits || (selection.has(thing.key) && thing.key !== editing);
      if (thing.erased || !isMarked || !isOnScreen(thing.box, camera)) continue;
      context.strokeStyle = thing.waits ? "#ffd53d" : ACCENT;
      context.setLineDash(thing.waits ? [5, 4] : []);
      if (thing.kind === "stroke" && !thing.waits) context.globalAlpha = 0.7;
      else context.globalAlpha = 1;
      outline(context, camera, thing.box, 4);
    }
    context.globalAlpha = 1;
    if (band !== undefined) {
      context.setLineDash([]);
      context.strokeStyle = ACCENT;
      context.fillStyle = "rgb(92 242 194 / 0.08)";
      outline(context, camera, band, 0, true);
    }
    context.restore();
  }

  #drawZones({ camera, network, overlay, paper, nowMs }: Scenery, pivots: readonly Pivot[]): void {
    const context = this.#context;
    if (overlay) {
      drawZones(context, camera, network.pivot);
      for (const thing of paper.all())
        if (isOnScreen(thing.box, camera)) drawFlash(context, camera, thing, zoneOf(pivots, thing.x, thing.y), nowMs);
      return;
    }
    const { x, y, width, height } = livePart(camera.rectangle);
    context.save();
    context.strokeStyle = "rgb(92 242 194 / 0.35)";
    context.setLineDash([6, 6]);
    const [w, h] = [width * camera.zoom, height * camera.zoom];
    context.strokeRect(camera.screenX(x) - w / 2, camera.screenY(y) - h / 2, w, h);
    context.restore();
  }

  #drawPerson(person: SeenPerson, pivots: readonly Pivot[], { camera, network }: Scenery, silentMs: number): void {
    const { cursor, isPointing } = person;
    if (cursor === undefined || !isPointing) return;
    const zone = zoneOf(pivots, cursor.x, cursor.y);
    const ms = Math.min(network.timeMs - cursor.knownMs, (PRESENCE_MS[zone] ?? PRESENCE_MS[3]) + silentMs);
    drawCursor(this.#context, camera, person, zone === 0 && silentMs === 0 ? "" : agoWords(ms));
  }
}

function paleness({ key }: ShownThing, zone: number, { doomed }: Scenery): number {
  return doomed.has(key) ? DOOMED_ALPHA : ALPHA[zone]!;
}

function isOnScreen({ left, top, right, bottom }: Box, camera: Camera): boolean {
  const { x, y, width, height } = camera.rectangle;
  return right >= x - width / 2 && left <= x + width / 2 && bottom >= y - height / 2 && top <= y + height / 2;
}

function outline(context: CanvasRenderingContext2D, camera: Camera, box: Box, grow: number, filled = false): void {
  const [left, top] = [camera.screenX(box.left) - grow, camera.screenY(box.top) - grow];
  const [right, bottom] = [camera.screenX(box.right) + grow, camera.screenY(box.bottom) + grow];
  context.beginPath();
  context.roundRect(left, top, right - left, bottom - top, 6);
  if (filled) context.fill();
  context.stroke();
}

function drawAge(context: CanvasRenderingContext2D, camera: Camera, { box }: ShownThing, ago: string): void {
  const at: Point = { x: camera.screenX(box.left), y: camera.screenY(box.bottom) + 4 };
  context.save();
  context.globalAlpha = 0.9;
  drawTag(context, at.x, at.y, ago, "#1a2247", "#9aa5d1");
  context.restore();
}
