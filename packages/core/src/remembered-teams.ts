/**
 * What the game said of each object's team and sight, for whoever looks at all units in every round: the auditor. The game is asked again when the object is new, when its tags or owner
 * changed, when the game says so, and in turns, so that an answer that changed unsaid is found within `RENEWED_WITHIN` rounds. Shares nothing with the engine.
 */

import { grown } from "@nearfield/schema/internal";
import { type TeamVisionSettings, teamIndex } from "./visibility.ts";
import type { World, WorldObserver } from "./world.ts";

/** Rounds within which every object is asked about again. */
const RENEWED_WITHIN = 64;
const NONE = -1;

export class RememberedTeams<Viewer> implements WorldObserver {
  /** By slot: team, and sight if it has a place; −1 and 0 of an empty slot. */
  team: Int16Array = new Int16Array(0);
  sight: Float64Array = new Float64Array(0);
  readonly #world: World;
  readonly #vision: TeamVisionSettings<Viewer>;
  /** Slots that are to be asked about. */
  #stale: Int32Array = new Int32Array(64);
  #staleCount = 0;
  #isStale: Uint8Array = new Uint8Array(0);
  #round = -1;
  #turn = 0;

  constructor(world: World, vision: TeamVisionSettings<Viewer>) {
    this.#world = world;
    this.#vision = vision;
    world.observe(this);
    for (let slot = 0; slot < world.store.slotHigh; slot++) if (world.store.isLive(slot)) this.spawned(slot);
  }

  spawned(slot: number): void {
    this.changed(slot);
  }

  reclassified(slot: number): void {
    this.changed(slot);
  }

  destroyed(slot: number): void {
    this.#ensure();
    this.team[slot] = NONE;
    this.sight[slot] = 0;
  }

  /** What the game says of the object can be different from now on. */
  changed(slot: number): void {
    this.#ensure();
    if (this.#isStale[slot] === 1) return;
    this.#isStale[slot] = 1;
    if (this.#staleCount === this.#stale.length) this.#stale = grown(this.#stale, this.#staleCount * 2);
    this.#stale[this.#staleCount++] = slot;
  }

  /** Asks the game what is to be asked in this round. */
  renew(round: number): void {
    if (round !== this.#round) this.#takeTurns();
    this.#round = round;
    // Nothing comes after the loop: V8 would give up its compiled code there in every round.
    while (this.#staleCount > 0) this.#ask(this.#stale[--this.#staleCount]!);
  }

  #takeTurns(): void {
    const { slotHigh } = this.#world.store;
    const share = Math.ceil(slotHigh / RENEWED_WITHIN);
    for (let i = 0; i < share; i++) {
      if (this.#turn >= slotHigh) this.#turn = 0;
      this.changed(this.#turn++);
    }
  }

  #ask(slot: number): void {
    const { store } = this.#world;
    this.#isStale[slot] = 0;
    if (!store.isLive(slot)) return;
    const entity = store.entityAt(slot);
    const team = teamIndex(this.#vision.teamOfObject(entity), "teamOfObject");
    this.team[slot] = team;
    const sight = team === NONE || !this.#world.isSpatial(slot) ? 0 : this.#vision.sight(entity);
    this.sight[slot] = sight > 0 ? sight : 0;
  }

  #ensure(): void {
    const { capacity } = this.#world.store;
    const before = this.team.length;
    if (capacity <= before) return;
    this.team = grown(this.team, capacity).fill(NONE, before);
    this.sight = grown(this.sight, capacity);
    this.#isStale = grown(this.#isStale, capacity);
  }
}
