/** The views of an engine: by number, by session, and in the order in which they are judged. */

import { ViewError } from "../errors.ts";
import type { ViewId } from "../model.ts";
import type { EngineView } from "./engine-view.ts";
import { ENGINE_SHEETS } from "./memory/layout.ts";
import { enlarged, type Memory } from "./memory/memory.ts";

/** Rounds. */
const ARRANGED_EVERY = 32;
const FIRST_SHEETS = 64;
const NOBODY: readonly EngineView[] = [];

export class Views {
  /** By number; those that were removed leave a gap, which the next one fills. */
  readonly all: (EngineView | undefined)[] = [];
  /** Those that are judged, in the order in which they are. */
  order: readonly EngineView[] = [];
  readonly #ofSession = new Map<number, EngineView[]>();
  readonly #memory: Memory;
  /** By number: where the kernel finds what it is told of the view; 0 = there is no such view. */
  #sheets: Int32Array;
  #isUnarranged = false;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#sheets = memory.ints(FIRST_SHEETS);
  }

  /** The number of the next one that is added. */
  get nextId(): ViewId {
    const free = this.all.indexOf(undefined);
    return free < 0 ? this.all.length : free;
  }

  get count(): number {
    let count = 0;
    for (const view of this.all) if (view !== undefined) count++;
    return count;
  }

  of(id: ViewId): EngineView {
    const found = this.all[id];
    if (found === undefined) throw new ViewError("unknown-view", `${id}`, "no such view in this model");
    return found;
  }

  /** Those of the client that has this session; nobody has session 0. */
  ofSession(session: number): readonly EngineView[] {
    return session === 0 ? NOBODY : (this.#ofSession.get(session) ?? NOBODY);
  }

  add(view: EngineView): void {
    this.all[view.id] = view;
    this.#publish(view.id, view.address);
    this.#isUnarranged = true;
    if (view.session !== 0) this.#ofSession.set(view.session, [...this.ofSession(view.session), view]);
  }

  remove(view: EngineView): void {
    const others = this.ofSession(view.session).filter((other) => other !== view);
    if (others.length > 0) this.#ofSession.set(view.session, others);
    else this.#ofSession.delete(view.session);
    this.all[view.id] = undefined;
    this.#publish(view.id, 0);
    this.#isUnarranged = true;
  }

  /**
   * Sorts the views by place. Views of neighbours look at the same objects, so judging them one after another finds those in the cache.
   * Every 32 rounds is enough.
   *
   * @param size height of a row of the grid.
   */
  arrange(round: number, size: number): void {
    if (!this.#isUnarranged && round % ARRANGED_EVERY !== 0) return;
    this.#isUnarranged = false;
    const order = this.all.filter((view) => view !== undefined && !view.questionsOnly) as EngineView[];
    for (const view of order) view.arrange(size);
    this.order = order.sort(byPlace);
  }

  /** Tells the kernel where a view's sheet lies. */
  #publish(id: ViewId, address: number): void {
    if (id >= this.#sheets.length) this.#sheets = enlarged(this.#memory, this.#sheets, id * 2);
    this.#sheets[id] = address;
    this.#memory.engine[ENGINE_SHEETS / 4] = this.#sheets.byteOffset;
  }
}

function byPlace(a: EngineView, b: EngineView): number {
  return a.arrangedAt - b.arrangedAt;
}
