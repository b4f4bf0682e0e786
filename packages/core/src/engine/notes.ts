/**
 * What happened in the world since the last round, object by object, and which plans that breaks: which resting pairs an update wakes, whose caps were too
 * low, which objects leapt. The pairs concerned are marked to be judged in this round.
 */

import type { WorldObserver } from "../world.ts";
import type { EngineContext } from "./engine-context.ts";
import type { Memory } from "./memory/memory.ts";
import { SlotList } from "./memory/slot-list.ts";
import type { Tracking } from "./pairs/tracking.ts";
import type { Deferred } from "./sends/deferred.ts";
import type { Sends } from "./sends/sends.ts";
import type { Space } from "./space/space.ts";
import type { Views } from "./views.ts";

export class Notes implements WorldObserver {
  /** Objects that have a place. */
  readonly placed: SlotList;
  /** Since the last round, and in the round before. */
  #moved: SlotList;
  #movedBefore: SlotList;
  readonly #updated: SlotList;
  /** Written, but not updated; noted only while some metric goes by fields. */
  readonly #written: SlotList;
  readonly #arrived: SlotList;
  /** Objects that may belong to another set, or may be anywhere; and those of them that may belong to another set. */
  readonly #displaced: SlotList;
  readonly #reclassified: SlotList;
  /** Objects that broke a cap, turned, leapt or changed their set: all their pairs are marked. */
  readonly #disturbed: SlotList;
  readonly #context: EngineContext;
  readonly #views: Views;
  readonly #sends: Sends;
  readonly #deferred: Deferred;
  #round = 0;
  /** Some view judges pictures that go on by themselves; bounds the updates that may be missed. */
  #predicts = false;
  #countsUpdates = false;
  /** Some view names a metric that goes by the fields of objects. */
  #goesByFields = false;
  #tolerance = Number.POSITIVE_INFINITY;

  constructor(context: EngineContext, views: Views, sends: Sends, deferred: Deferred, memory: Memory) {
    this.#context = context;
    this.#deferred = deferred;
    this.#views = views;
    this.#sends = sends;
    this.placed = new SlotList(memory);
    this.#moved = new SlotList(memory);
    this.#movedBefore = new SlotList(memory);
    this.#updated = new SlotList(memory);
    this.#written = new SlotList(memory);
    this.#arrived = new SlotList(memory);
    this.#displaced = new SlotList(memory);
    this.#reclassified = new SlotList(memory);
    this.#disturbed = new SlotList(memory);
  }

  // ── what the world tells ───────────────────────────────────────────────────────────────────────────────────────

  spawned(slot: number): void {
    this.#deferred.recordAll();
    const { bodies, fields, observers, log, speeds, drifts, updates } = this.#context;
    bodies.add(slot, this.#round + 1);
    fields.add(slot, this.#round);
    observers.reserve(slot);
    log.clear(slot);
    speeds.start(slot, this.#round);
    drifts.start(slot, this.#round);
    updates.start(slot, this.#round);
    if (bodies.isSpatial(slot)) this.placed.add(slot);
    this.#arrived.add(slot);
    this.#context.visibility?.spawned(slot);
  }

  destroyed(slot: number): void {
    this.#deferred.recordAll();
    const { bodies, observers, world } = this.#context;
    for (const view of this.#views.all) view?.pivotGoes(world, slot);
    observers.each(slot, (id, pair) => {
      const view = this.#views.of(id);
      this.#sends.destroy(view, pair);
      this.#sends.release(view, pair);
    });
    observers.clear(slot);
    bodies.remove(slot);
    this.#context.visibility?.destroyed(slot);
    const kinds = [this.#arrived, this.#displaced, this.#reclassified, this.#disturbed];
    const written = [this.#moved, this.#movedBefore, this.#updated, this.#written];
    for (const list of [this.placed, ...written, ...kinds]) list.remove(slot);
  }

  updated(slot: number, writer: number): void {
    this.#deferred.recordAll();
    const { world, bodies, log, updates } = this.#context;
    this.#updated.add(slot);
    updates.count(slot);
    log.note(slot, world.version[slot]!, this.#round + 1);
    bodies.noteVersion(slot, this.#round + 1);
    for (const view of this.#views.ofSession(writer)) this.#sends.acceptOwnWrite(view, slot);
  }

  moved(slot: number): void {
    if (this.#context.bodies.isSpatial(slot)) this.#moved.add(slot);
  }

  written(slot: number): void {
    if (this.#goesByFields) this.#written.add(slot);
  }

  reclassified(slot: number): void {
    this.#displaced.add(slot);
    this.#reclassified.add(slot);
    this.#context.visibility?.objectChanged(slot);
  }

  // ── what views need ────────────────────────────────────────────────────────────────────────────────────────────

  /** Lowers the tightest value bound seen so far. Rounding errors that were too small to matter under the old bound are then checked again. */
  heedBounds(tolerance: number, countsUpdates: boolean): void {
    const { bodies } = this.#context;
    this.#countsUpdates ||= countsUpdates;
    if (tolerance >= this.#tolerance) return;
    this.#tolerance = tolerance;
    bodies.tolerance = tolerance;
    for (let i = 0; i < this.placed.count; i++) bodies.noteError(this.placed.at(i));
  }

  /** Takes velocities into account from now on. Objects that stand still although they have a velocity are found in the next round. */
  heedVelocities(): void {
    if (this.#predicts) return;
    this.#predicts = true;
    for (let i = 0; i < this.placed.count; i++) {
      const slot = this.placed.at(i);
      this.#context.bodies.noteVelocity(slot, this.#round);
      this.#movedBefore.add(slot);
    }
  }

  /** Takes every write into account from now on, whether or not it shows in wire form. */
  heedWrites(): void {
    this.#goesByFields = true;
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  begin(round: number): void {
    this.#round = round;
  }

  /** Wakes the pairs that rested on an updated object, or waited for a write to it. */
  takeUpdates(): void {
    const { bodies, observers, updates } = this.#context;
    if (this.#goesByFields) this.#takeNumbers();
    for (let i = 0; i < this.#updated.count; i++) {
      const slot = this.#updated.at(i);
      if (updates.exceeds(slot, this.#round) && this.#countsUpdates) this.#disturbed.add(slot);
      bodies.noteUpdate(slot, updates.capOf(slot), updates.windowsOf(slot), this.#round);
      if (!this.#moved.has(slot)) bodies.noteError(slot);
      if (this.#predicts && bodies.noteVelocity(slot, this.#round)) this.#turned(slot);
    }
    observers.wake(this.#updated);
    this.#updated.clear();
    if (this.#written.count === 0) return;
    observers.wake(this.#written);
    this.#written.clear();
  }

  /** Notes the numbers that metrics compare. */
  #takeNumbers(): void {
    const { fields } = this.#context;
    for (const list of [this.#updated, this.#written]) {
      for (let i = 0; i < list.count; i++) {
        const slot = list.at(i);
        if (fields.note(slot, this.#round)) this.#disturbed.add(slot);
      }
    }
  }

  /** The object's velocity changed. Pictures that move on at the old velocity move away from the object now. */
  #turned(slot: number): void {
    this.#disturbed.add(slot);
    if (this.#context.bodies.isSpatial(slot)) this.#moved.add(slot);
  }

  /** Where a new object was put since it was made is where it begins: that is no move, and says nothing of how fast it is. */
  takeMoves(space: Space): void {
    const { bodies, speeds } = this.#context;
    const hasArrivals = this.#arrived.count > 0;
    for (let i = 0; i < this.#moved.count; i++) {
      const slot = this.#moved.at(i);
      bodies.noteMove(slot);
      if (hasArrivals && this.#arrived.has(slot)) continue;
      if (space.follow(slot)) this.#displaced.add(slot);
      if (speeds.exceedsAt(slot, bodies.way, slot, this.#round)) this.#disturbed.add(slot);
      bodies.noteSpeed(slot, speeds);
    }
    if (this.#predicts) this.#takeDrifts();
    space.endMoves(this.#moved, this.#round);
    this.#context.visibility?.takeMoves(this.#moved.slots, this.#moved.count);
  }

  /** Notes how far objects departed from their own velocity: those that moved in this round, and those that stopped in it. */
  #takeDrifts(): void {
    const { bodies, drifts, options } = this.#context;
    const seconds = options.roundMs / 1000;
    const note = (slot: number): void => {
      if (this.#arrived.has(slot)) return;
      bodies.measureDrift(slot, seconds, this.#round);
      if (drifts.exceedsAt(slot, bodies.drift, 0, this.#round)) this.#disturbed.add(slot);
      bodies.noteDrift(slot, drifts);
    };
    for (let i = 0; i < this.#moved.count; i++) note(this.#moved.at(i));
    for (let i = 0; i < this.#movedBefore.count; i++) {
      if (!this.#moved.has(this.#movedBefore.at(i))) note(this.#movedBefore.at(i));
    }
  }

  /** Objects that are new. */
  takeArrivals(space: Space, tracking: Tracking): void {
    const { bodies, speeds } = this.#context;
    for (let i = 0; i < this.#arrived.count; i++) {
      const slot = this.#arrived.at(i);
      bodies.noteMove(slot);
      bodies.settle(slot);
      bodies.noteOwner(slot);
      bodies.noteSpeed(slot, speeds);
      if (bodies.isSpatial(slot)) {
        space.follow(slot);
        this.#moved.add(slot);
      }
      if (this.#predicts) bodies.noteVelocity(slot, this.#round);
      tracking.introduce(slot, this.#round);
    }
    this.#arrived.clear();
  }

  /** Objects that leapt, or changed their set: whoever has them judges them anew, and whoever should have them gets them. */
  takeDisplaced(tracking: Tracking): void {
    const { bodies, observers } = this.#context;
    for (let i = 0; i < this.#displaced.count; i++) {
      const slot = this.#displaced.at(i);
      bodies.noteOwner(slot);
      // One that leapt is in the set that it was in.
      if (this.#reclassified.has(slot)) {
        observers.each(slot, (id, pair) => {
          const view = this.#views.of(id);
          view.pairs.setSet(pair, view.setIndexOf(slot));
        });
      }
      this.#disturbed.add(slot);
      tracking.introduce(slot, this.#round);
    }
    this.#displaced.clear();
    this.#reclassified.clear();
  }

  takeDisturbed(): void {
    for (let i = 0; i < this.#disturbed.count; i++) this.#context.observers.plan(this.#disturbed.at(i));
    this.#disturbed.clear();
  }

  /** Ends the round: where objects are now becomes where they were before. */
  end(settle: (slots: number, count: number) => void): void {
    settle(this.#moved.slots.byteOffset, this.#moved.count);
    const spare = this.#movedBefore;
    spare.clear();
    this.#movedBefore = this.#moved;
    this.#moved = spare;
  }
}
