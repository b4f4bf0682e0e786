/** What the view editor holds: the form as it is edited, the view it began with, which set is open, the zoom. Without a page. */

import type { DrawnPivot, Sets } from "../feed-types.ts";
import type { Rings } from "../map/scene.ts";
import { moveRadius, moveSector, narrowed, problemsOf, withSet } from "./edit.ts";
import { formOf, type SetForm, setsOf, type ViewForm } from "./form.ts";

export class Editor {
  form: ViewForm | undefined;
  setIndex = 0;
  /** `null`: each client's zoom as it is. */
  zoom: number | null = null;
  /** With the game's authority: beyond what clients may ask for. */
  isUnlimited = true;
  /** The player whose view the editor began with. */
  player: number | undefined;
  #base = "";

  /** Begins with a view: what was edited before is gone. */
  open(player: number | undefined, sets: Sets): void {
    this.player = player;
    this.form = formOf(sets);
    this.#base = JSON.stringify(setsOf(this.form));
    this.zoom = null;
    this.setIndex = Math.min(this.setIndex, this.form.sets.length - 1);
  }

  close(): void {
    this.form = undefined;
    this.player = undefined;
  }

  /** Sets from a file, edited but not applied. */
  replace(sets: Sets): void {
    this.form = formOf(sets);
    this.setIndex = Math.min(this.setIndex, this.form.sets.length - 1);
  }

  get set(): SetForm | undefined {
    return this.form?.sets[this.setIndex];
  }

  change(set: SetForm): void {
    if (this.form !== undefined) this.form = withSet(this.form, this.setIndex, set);
  }

  moveHandle(kind: "radius" | "sector", index: number, value: number): void {
    const { set } = this;
    if (set === undefined) return;
    this.change(kind === "radius" ? moveRadius(set, index, value) : moveSector(set, index, value * (this.zoom ?? 1)));
  }

  get isChanged(): boolean {
    return this.form !== undefined && (this.zoom !== null || JSON.stringify(setsOf(this.form)) !== this.#base);
  }

  get problems(): string[] {
    return this.form === undefined ? [] : problemsOf(narrowed(this.form, this.zoom ?? 1));
  }

  /** What is previewed and applied: sectors narrowed by the zoom; the radii are stretched by `scale`. Undefined while something is wrong. */
  get candidate(): { sets: Sets; scale: number | null; unlimited: boolean } | undefined {
    if (this.form === undefined || this.problems.length > 0) return undefined;
    return { sets: setsOf(narrowed(this.form, this.zoom ?? 1)), scale: this.zoom, unlimited: this.isUnlimited };
  }

  /** What is saved: the view itself, without the zoom. */
  get sets(): Sets | undefined {
    return this.form === undefined || problemsOf(this.form).length > 0 ? undefined : setsOf(this.form);
  }

  /** The open set as rings with handles, around the client's pivots. */
  rings(pivots: readonly DrawnPivot[]): Rings[] {
    const { set, zoom } = this;
    if (set === undefined) return [];
    const own = set.pivots === null ? pivots : set.pivots.flatMap((index) => pivots[index] ?? []);
    const scaled = own.map((pivot) => ({ ...pivot, scale: zoom ?? pivot.scale }));
    const sectors = set.sectors.map((angle) => angle / (zoom ?? 1));
    return [
      { shape: set.shape, radii: set.radii, sectors, range: set.range, pivots: scaled, isEdited: true, isQuiet: false },
    ];
  }
}
