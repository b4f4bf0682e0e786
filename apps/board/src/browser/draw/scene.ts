/**
 * Draws one frame of the board: what rests → drafts → what is asked for → what is selected → zones → people.
 *
 * What is not live is drawn paler, the paler the farther its zone; notes tell as of when they are shown.
 */

import type { Pivot } from "@nearfield/core";
import { playerColour } from "@nearfield/kit";
import { isWhollyLive, livePart, PRESENCE_MS, pivotsOf, zoneOf } from "../../views.ts";
import type { Box, Camera } from "../camera.ts";
import { agoMs, agoWords } from "../freshness.ts";
import type { DraftReplica, Network, SeenPerson } from "../network.ts";
import { ACCENT } from "../palette.ts";
import type { Paper } from "../paper.ts";
import type { ShownThing } from "../thing.ts";
import { inUnits, Layer } from "./layer.ts";
import { drawFlash, drawZones } from "./overlay.ts";
import { drawCursor, drawDraft, drawTag } from "./people.ts";
import { drawNote, drawStroke } from "./things.ts";

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
  readonly #layer = new Layer();

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
    const { camera, network, paper, doomed, editing, nowMs } = scenery;
    const pivots = pivotsOf(camera.rectangle, network.pivot);
    const silentMs = network.silentMs(nowMs);
    const drafts = network.drafts().filter(({ key }) => key !== editing);
    const hidden = new Set(drafts.map(({ key }) => key));
    if (editing !== undefined) hidden.add(editing);
    this.#layer.drawOn(context, { camera, paper, pivots, doomed, hidden });
    context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
    inUnits(context, camera, () => {
      for (const draft of drafts) drawDraft(context, draft);
      for (const thing of paper.asked) if (!thing.erased && !hidden.has(thing.key)) this.#drawAsked(thing);
    });
    for (const { thing, zone } of this.#layer.paleNotes) this.#drawAge(thing, zone, scenery, silentMs);
    for (const draft of drafts) this.#drawWriter(draft, scenery);
    this.#drawMarks(scenery);
    if (scenery.overlay || !isWhollyLive(camera.rectangle)) this.#drawZones(scenery, pivots);
    for (const person of scenery.people) if (!person.isSelf) this.#drawPerson(person, pivots, scenery, silentMs);
  }

  /** Things on the screen that are not live, in the frame that was last drawn. */
  get notLive(): number {
    return this.#layer.notLive;
  }

  #drawAsked(thing: ShownThing): void {
    if (thing.kind === "note") drawNote(this.#context, thing, 1);
    else drawStroke(this.#context, thing);
  }

  /** As of when a note is shown. */
  #drawAge({ id, box }: ShownThing, zone: number, { camera, network }: Scenery, silentMs: number): void {
    if (id === undefined || (box.right - box.left) * camera.zoom < LEAST_TOLD) return;
    const ago = agoWords(agoMs(zone, network.timeMs - network.knownMs(id), silentMs));
    if (ago === "") return;
    const context = this.#context;
    context.save();
    context.globalAlpha = 0.9;
    drawTag(context, camera.screenX(box.left), camera.screenY(box.bottom) + 4, ago, "#1a2247", "#9aa5d1");
    context.restore();
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
      if (thing.erased || !isMarked || !camera.shows(thing.box)) continue;
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
        if (camera.shows(thing.box)) drawFlash(context, camera, thing, zoneOf(pivots, thing.x, thing.y), nowMs);
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

function outline(context: CanvasRenderingContext2D, camera: Camera, box: Box, grow: number, filled = false): void {
  const [left, top] = [camera.screenX(box.left) - grow, camera.screenY(box.top) - grow];
  const [right, bottom] = [camera.screenX(box.right) + grow, camera.screenY(box.bottom) + grow];
  context.beginPath();
  context.roundRect(left, top, right - left, bottom - top, 6);
  if (filled) context.fill();
  context.stroke();
}
