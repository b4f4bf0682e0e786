/** Selecting: by click, by box, by kind, by control group, and by what needs attention. */

import { KIND } from "../../rules/kinds.ts";
import { DOINGS } from "../../state.ts";
import type { Camera } from "../camera.ts";
import type { Field } from "../field.ts";
import { type Box, OWN, SELECTED } from "../picture.ts";
import { ControlGroups } from "./control-groups.ts";
import { type Found, pickIn, pickKind } from "./pick.ts";
import type { Selection } from "./selection.ts";

const IDLE: number = DOINGS.indexOf("idle");

export class Chooser {
  readonly groups: ControlGroups = new ControlGroups();
  readonly #selection: Selection;
  readonly #camera: Camera;
  #lastIdle = 0;

  constructor(selection: Selection, camera: Camera) {
    this.#selection = selection;
    this.#camera = camera;
  }

  /** True if something is selected now. */
  click(field: Field, found: Found, adds: boolean, isDouble: boolean): boolean {
    if (found === undefined || found.what === "ore") {
      if (!adds) this.#selection.clear();
      return false;
    }
    const pieces = { unit: field.units, building: field.buildings, remembered: field.remembered }[found.what];
    const isOwn = (pieces.flags[found.row]! & OWN) !== 0;
    if (!isOwn) this.#selection.set([found.id]);
    else if (isDouble) this.#take(pickKind(pieces, pieces.kind[found.row]!, this.#camera), adds, field);
    else if (adds && this.#isOfKindSelected(field, found.what)) this.#selection.toggle(found.id);
    else this.#selection.set([found.id]);
    return this.#selection.size > 0;
  }

  box(field: Field, box: Box, adds: boolean): boolean {
    const ids = pickIn(field, this.#camera, box);
    if (ids.length === 0 && adds) return false;
    this.#take(ids, adds, field);
    return ids.length > 0;
  }

  /** What a digit selects; goes there if it is pressed twice. */
  recall(field: Field, digit: number, nowMs: number): boolean {
    const { ids, isDouble } = this.groups.recall(digit, nowMs);
    if (ids.length === 0) return false;
    this.#selection.set(ids);
    if (isDouble) this.#centre(field, ids);
    return true;
  }

  /** The next builder that has nothing to do. */
  idleBuilder({ units }: Field): boolean {
    let [next, first] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let row = 0; row < units.count; row++) {
      if (!isIdleBuilder(units, row)) continue;
      const id = units.id[row]!;
      first = Math.min(first, id);
      if (id > this.#lastIdle) next = Math.min(next, id);
    }
    const id = next < Number.POSITIVE_INFINITY ? next : first;
    if (id === Number.POSITIVE_INFINITY) return false;
    this.#lastIdle = id;
    this.#selection.set([id]);
    const row = units.id.indexOf(id);
    this.#camera.centre(units.x[row]!, units.y[row]!);
    return true;
  }

  /** Every own unit that can fight. */
  army({ units }: Field): boolean {
    const ids: number[] = [];
    for (let row = 0; row < units.count; row++)
      if ((units.flags[row]! & OWN) !== 0 && units.kind[row] !== KIND.builder) ids.push(units.id[row]!);
    if (ids.length > 0) this.#selection.set(ids);
    return ids.length > 0;
  }

  #take(ids: readonly number[], adds: boolean, field: Field): void {
    if (adds && ids.length > 0 && this.#isOfKindSelected(field, field.units.id.includes(ids[0]!) ? "unit" : "building"))
      this.#selection.add(ids);
    else this.#selection.set(ids);
  }

  /** Whether only own units, or only own buildings, are selected. */
  #isOfKindSelected(field: Field, what: "unit" | "building" | "remembered"): boolean {
    const pieces = what === "unit" ? field.units : field.buildings;
    let count = 0;
    for (let row = 0; row < pieces.count; row++)
      if ((pieces.flags[row]! & (SELECTED | OWN)) === (SELECTED | OWN)) count++;
    return count === this.#selection.size;
  }

  #centre({ units, buildings }: Field, ids: readonly number[]): void {
    const wanted = new Set(ids);
    let [x, y, count] = [0, 0, 0];
    for (const pieces of [units, buildings])
      for (let row = 0; row < pieces.count; row++) {
        if (!wanted.has(pieces.id[row]!)) continue;
        x += pieces.x[row]!;
        y += pieces.y[row]!;
        count++;
      }
    if (count > 0) this.#camera.centre(x / count, y / count);
  }
}

export function isIdleBuilder({ flags, kind, doing }: Field["units"], row: number): boolean {
  return (flags[row]! & OWN) !== 0 && kind[row] === KIND.builder && doing[row] === IDLE;
}
