/**
 * Everything that lies on the board as this page shows it: the replicas, and over them what the page has asked for and the server has not confirmed.
 */

import type { Client, Replicated } from "@nearfield/client";
import type { ObjectId } from "@nearfield/schema";
import { Note, Stroke } from "../shared.ts";
import type { Box } from "./camera.ts";
import type { Entry } from "./outbox.ts";
import type { Request } from "./requests.ts";
import { ShownNote, ShownStroke, type ShownThing } from "./thing.ts";

export class Paper {
  readonly #things = new Map<number, ShownThing>();
  /** Things of which something is asked for, and things that are here only because they are asked for. */
  readonly #touched = new Set<ShownThing>();
  readonly #notes: ShownNote[] = [];
  readonly #strokes: ShownStroke[] = [];
  #isSorted = false;
  /** Counted up when anything that rests has changed. */
  version = 0;

  /** Follows this client's replicas from now on. */
  follow(client: Client, now: () => number): void {
    for (const [key, thing] of this.#things) if (thing.id !== undefined) this.#forget(key);
    client.onSpawn(Stroke, (stroke) => this.#takeStroke(stroke, now()));
    client.onUpdate(Stroke, (stroke) => this.#takeStroke(stroke, now()));
    client.onSpawn(Note, (note) => this.#takeNote(note, now()));
    client.onUpdate(Note, (note) => this.#takeNote(note, now()));
    const forget = (last: { readonly key: number; readonly id: ObjectId }): void => this.#gone(last.key, last.id);
    client.onDestroy(Stroke, forget);
    client.onLeave(Stroke, forget);
    client.onDestroy(Note, forget);
    client.onLeave(Note, forget);
  }

  /** Reads a note again: this page itself has written it, and hears no update of that. */
  reread(client: Client, { id }: { readonly id: ObjectId | undefined }): void {
    const note = id === undefined ? undefined : client.world.get(Note, id);
    if (note !== undefined) this.#takeNote(note, 0);
  }

  #takeStroke(from: Replicated<typeof Stroke.shape>, nowMs: number): void {
    const stroke = this.#of(from.key, "stroke") as ShownStroke;
    stroke.id = from.id;
    stroke.placeX = from.x;
    stroke.placeY = from.y;
    stroke.paint = from.colour;
    stroke.author = from.author;
    stroke.size = from.size;
    stroke.whole = from.whole;
    stroke.ink = from.ink;
    this.#updated(stroke, nowMs);
  }

  #takeNote(from: Replicated<typeof Note.shape>, nowMs: number): void {
    const note = this.#of(from.key, "note") as ShownNote;
    note.id = from.id;
    note.placeX = from.x;
    note.placeY = from.y;
    note.paint = from.colour;
    note.author = from.author;
    note.size = from.size;
    note.plain = from.plain;
    note.words = from.words;
    if (note.order !== from.order) this.#isSorted = false;
    note.order = from.order;
    this.#updated(note, nowMs);
  }

  #updated(thing: ShownThing, nowMs: number): void {
    if (nowMs !== 0) thing.updatedMs = nowMs;
    if (!this.#touched.has(thing)) this.version += 1;
  }

  /** One that was put back meanwhile, under the same key, stays. */
  #gone(key: number, id: ObjectId): void {
    if (this.#things.get(key)?.id === id) this.#forget(key);
  }

  #forget(key: number): void {
    this.#things.delete(key);
    this.#isSorted = false;
    this.version += 1;
  }

  #of(key: number, kind: "stroke" | "note"): ShownThing {
    const known = this.#things.get(key);
    if (known?.kind === kind) return known;
    const fresh = kind === "stroke" ? new ShownStroke(key) : new ShownNote(key);
    this.#things.set(key, fresh);
    this.#isSorted = false;
    return fresh;
  }

  // ── what is asked for ──────────────────────────────────────────────────────────────────────────────────────────

  /** Shows the board as if all of this were done. */
  suppose(entries: readonly Entry[]): void {
    const before = new Set(this.#touched);
    this.#touched.clear();
    for (const thing of before) thing.forgetAsked();
    for (const { request, number } of entries) this.#supposeOne(request, number === undefined);
    if (!areSame(before, this.#touched)) this.version += 1;
    for (const thing of before)
      if (thing.id === undefined && !this.#touched.has(thing) && this.#things.get(thing.key) === thing)
        this.#forget(thing.key);
  }

  #supposeOne(request: Request, waits: boolean): void {
    switch (request.kind) {
      case "draw": {
        const stroke = this.#asked(request, "stroke") as ShownStroke;
        stroke.whole = request.whole;
        if (stroke.ink !== request.ink) stroke.ink = request.ink;
        stroke.waits ||= waits;
        return;
      }
      case "put": {
        const note = this.#asked(request, "note") as ShownNote;
        if (note.id === undefined) {
          note.plain = request.plain;
          if (note.words !== request.words) note.words = request.words;
          note.order = Number.MAX_SAFE_INTEGER;
        }
        note.waits ||= waits;
        return;
      }
      default:
    }
    for (const key of request.keys) {
      const thing = this.#things.get(key);
      if (thing === undefined) continue;
      this.#touched.add(thing);
      thing.waits ||= waits;
      if (request.kind === "erase") thing.erased = true;
      else if (request.kind === "paint") thing.painted = request.colour;
      else if (request.kind === "move") {
        thing.movedX += request.dx;
        thing.movedY += request.dy;
      }
    }
  }

  #asked(
    request: {
      readonly key: number;
      readonly x: number;
      readonly y: number;
      readonly colour: number;
      readonly size: number;
    },
    kind: "stroke" | "note",
  ): ShownThing {
    const thing = this.#of(request.key, kind);
    this.#touched.add(thing);
    thing.erased = false;
    if (thing.id === undefined) {
      thing.placeX = request.x;
      thing.placeY = request.y;
      thing.paint = request.colour;
      thing.size = request.size;
    }
    return thing;
  }

  // ── what is there ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Things of which something is asked for. */
  get asked(): ReadonlySet<ShownThing> {
    return this.#touched;
  }

  isAsked(thing: ShownThing): boolean {
    return this.#touched.has(thing);
  }

  get(key: number): ShownThing | undefined {
    const thing = this.#things.get(key);
    return thing?.erased === true ? undefined : thing;
  }

  note(key: number): ShownNote | undefined {
    const thing = this.get(key);
    return thing?.kind === "note" ? thing : undefined;
  }

  get count(): number {
    return this.#things.size;
  }

  /** Pieces of strokes, in the order in which they came. They lie over the notes. */
  get strokes(): readonly ShownStroke[] {
    this.#sort();
    return this.#strokes;
  }

  /** From the lowest to the one on top. */
  get notes(): readonly ShownNote[] {
    this.#sort();
    return this.#notes;
  }

  #sort(): void {
    if (this.#isSorted) return;
    this.#isSorted = true;
    this.#notes.length = 0;
    this.#strokes.length = 0;
    for (const thing of this.#things.values())
      if (thing.kind === "note") this.#notes.push(thing);
      else this.#strokes.push(thing);
    this.#notes.sort((a, b) => a.order - b.order);
  }

  /** What lies on top at this place, within `reach` units. */
  at(x: number, y: number, reach: number): ShownThing | undefined {
    const touches = (thing: ShownThing): boolean => !thing.erased && thing.touches(x, y, reach);
    return this.strokes.findLast(touches) ?? this.notes.findLast(touches);
  }

  /** Everything that lies within this box as a whole. */
  within(box: Box): ShownThing[] {
    const isIn = (thing: ShownThing): boolean => {
      const { left, top, right, bottom } = thing.box;
      return !thing.erased && left >= box.left && right <= box.right && top >= box.top && bottom <= box.bottom;
    };
    return [...this.strokes.filter(isIn), ...this.notes.filter(isIn)];
  }

  /** The thing, and if it is a piece of a stroke, all its other pieces. */
  whole(thing: ShownThing): ShownThing[] {
    if (thing.kind === "note") return [thing];
    return this.strokes.filter(({ whole, erased }) => whole === thing.whole && !erased);
  }

  /** The box around all of these; undefined without any. */
  boxOf(things: Iterable<ShownThing>): Box | undefined {
    let box: { left: number; top: number; right: number; bottom: number } | undefined;
    for (const { box: own, erased } of things) {
      if (erased) continue;
      if (box === undefined) box = { ...own };
      box.left = Math.min(box.left, own.left);
      box.top = Math.min(box.top, own.top);
      box.right = Math.max(box.right, own.right);
      box.bottom = Math.max(box.bottom, own.bottom);
    }
    return box;
  }

  all(): IterableIterator<ShownThing> {
    return this.#things.values();
  }
}

function areSame<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  if (a.size !== b.size) return false;
  for (const each of a) if (!b.has(each)) return false;
  return true;
}
