/**
 * Teams see what their units see (`TeamVisionSettings`). Units of a team that stand in one cell and see equally far count as one lookout. For each team and cell of the grid it is
 * counted how many of the team's lookouts see the cell. A unit that comes into another cell changes the counts of the cells around both, if it was the last there or is the first here. Only objects in cells that came into sight or went out of it, and objects that are in
 * another cell than before, can be seen by another team than before: only their bits are reckoned anew, and only pairs whose bit changed are looked at.
 */

import { grown, roomFor } from "@nearfield/schema/internal";
import { type TeamVisionSettings, teamIndex } from "../../visibility.ts";
import { VisionGrid } from "../../vision-grid.ts";
import type { EngineContext } from "../engine-context.ts";
import type { EngineView } from "../engine-view.ts";
import type { Kernel } from "../memory/kernel.ts";
import { REVEALED } from "../memory/layout.ts";
import { enlarged, type Memory } from "../memory/memory.ts";
import { SlotList } from "../memory/slot-list.ts";
import type { Views } from "../views.ts";
import { Footprints } from "./footprints.ts";
import type { VisibilityRule } from "./rule.ts";
import { Seen } from "./seen.ts";

const NONE = -1;
const FIRST_ROOM = 256;
/** Numbers per entry of the list of bits that changed. */
const ENTRY: number = REVEALED / 4;

/** Numbers in the counts of a team's lookouts, at most: 4 MB. Units with further sights are counted one by one. */
const MOST_COUNTED = 1 << 20;

/** What one team sees. */
class Team {
  readonly seen: Seen;
  /** By rank of a sight: how many of its units with that sight stand in each cell. */
  readonly #standing: (Uint32Array | undefined)[] = [];
  /** By cell: how many of its lookouts see it; whether any did when bits were last reckoned; whether it is in the list of those touched since. */
  readonly counts: Uint32Array;
  readonly inSight: Uint8Array;
  readonly isTouched: Uint8Array;
  readonly touched: Int32Array;
  touchedCount = 0;

  constructor(memory: Memory, cells: number) {
    this.seen = new Seen(memory);
    this.counts = new Uint32Array(cells);
    this.inSight = new Uint8Array(cells);
    this.isTouched = new Uint8Array(cells);
    this.touched = new Int32Array(cells);
  }

  /** One unit more with a sight of that rank stands in the cell, or one less. Whether it is the first or was the last of them. */
  stand(rank: number, cell: number, change: 1 | -1): boolean {
    if (rank < 0) return true;
    let standing = this.#standing[rank];
    if (standing === undefined) {
      standing = new Uint32Array(this.counts.length);
      this.#standing[rank] = standing;
    }
    standing[cell]! += change;
    return standing[cell] === (change === 1 ? 1 : 0);
  }

  /** One lookout more sees these cells, or one less. A cell is touched if it is the first to see it, or was the last. */
  count({ cells, from, to }: Footprints, change: 1 | -1): void {
    const { counts, isTouched } = this;
    const ended = change === 1 ? 1 : 0;
    for (let i = from; i < to; i++) {
      const cell = cells[i]!;
      const count = counts[cell]! + change;
      counts[cell] = count;
      if (count !== ended || isTouched[cell] !== 0) continue;
      isTouched[cell] = 1;
      this.touched[this.touchedCount++] = cell;
    }
  }
}

export class TeamRule implements VisibilityRule {
  readonly knowsAll = true;
  readonly #vision: TeamVisionSettings<number>;
  readonly #grid: VisionGrid;
  readonly #footprints: Footprints;
  readonly #teams: (Team | undefined)[] = [];
  /** What is seen by who has no team. */
  readonly #ofNobody: Seen;
  readonly #context: EngineContext;
  readonly #views: Views;
  readonly #memory: Memory;
  readonly #kernel: Pick<Kernel, "reveal">;
  /** Objects that are new or may be of another team, and those that are in another cell. */
  readonly #told: SlotList;
  readonly #relocated: SlotList;
  /** By slot: team and sight as last told, the cell, and the next and the one before among the objects of the cell. −1 = none. */
  #team: Int32Array = new Int32Array(0);
  #sight: Float64Array = new Float64Array(0);
  /** By slot: the rank of its sight among all sights so far; −1 = it has none. */
  #rank: Int32Array = new Int32Array(0);
  readonly #ranks = new Map<number, number>();
  #cell: Int32Array = new Int32Array(0);
  #next: Int32Array = new Int32Array(0);
  #before: Int32Array = new Int32Array(0);
  /** By cell: its first object. */
  readonly #first: Int32Array;
  /** Bits that changed in this round: slot, and address of the bits. */
  #revealed: Int32Array;
  #revealedCount = 0;

  constructor(
    vision: TeamVisionSettings<number>,
    context: EngineContext,
    views: Views,
    memory: Memory,
    kernel: Pick<Kernel, "reveal">,
  ) {
    this.#vision = vision;
    this.#context = context;
    this.#views = views;
    this.#memory = memory;
    this.#kernel = kernel;
    this.#grid = new VisionGrid(vision);
    this.#footprints = new Footprints(this.#grid);
    this.#ofNobody = new Seen(memory);
    this.#told = new SlotList(memory);
    this.#relocated = new SlotList(memory);
    this.#first = new Int32Array(this.#grid.count).fill(NONE);
    this.#revealed = memory.ints(FIRST_ROOM * ENTRY);
  }

  // ── what is told ───────────────────────────────────────────────────────────────────────────────────────────────

  renew(view: EngineView): void {
    const team = this.#vision.teamOf(view.id);
    if (team === "everything") view.seen = undefined;
    else view.seen = team === undefined ? this.#ofNobody : this.#teamAt(teamIndex(team, "teamOf")).seen;
  }

  forget(view: EngineView): void {
    view.seen = undefined;
  }

  begin(): void {}

  spawned(slot: number): void {
    this.#reserve(slot);
    this.#team[slot] = NONE;
    this.#sight[slot] = 0;
    this.#cell[slot] = NONE;
    this.#told.add(slot);
  }

  destroyed(slot: number): void {
    this.#leaveCell(slot);
    this.#told.remove(slot);
    this.#relocated.remove(slot);
  }

  objectChanged(slot: number): void {
    this.#told.add(slot);
  }

  viewChanged(view: EngineView): void {
    view.recheck = true;
  }

  // ── the round ──────────────────────────────────────────────────────────────────────────────────────────────────

  takeMoves(slots: Int32Array, count: number): void {
    for (let i = 0; i < this.#told.count; i++) this.#enlist(this.#told.at(i));
    for (let i = 0; i < count; i++) this.#follow(slots[i]!);
    this.#reckonCells();
    for (let i = 0; i < this.#relocated.count; i++) this.#reckonFor(this.#relocated.at(i));
    for (let i = 0; i < this.#told.count; i++) this.#reckonFor(this.#told.at(i));
    this.#told.clear();
    this.#relocated.clear();
  }

  settle(): void {
    for (const view of this.#views.order) view.publishSeen();
    this.#kernel.reveal(this.#revealed.byteOffset, this.#revealedCount);
    this.#revealedCount = 0;
  }

  /** Asks the game whose the object is and how far it sees. */
  #enlist(slot: number): void {
    const { world } = this.#context;
    const entity = world.store.entityAt(slot);
    this.#leaveCell(slot);
    this.#team[slot] = teamIndex(this.#vision.teamOfObject(entity), "teamOfObject");
    const sight = this.#team[slot] === NONE ? 0 : this.#vision.sight(entity);
    this.#sight[slot] = sight > 0 ? sight : 0;
    this.#rank[slot] = this.#rankOf(this.#sight[slot]!);
    if (this.#team[slot]! >= 0) this.#teamAt(this.#team[slot]!);
    if (world.isSpatial(slot)) this.#enterCell(slot, this.#grid.cellOf(world, slot));
  }

  #follow(slot: number): void {
    const before = this.#cell[slot]!;
    if (before === NONE) return;
    const cell = this.#grid.cellOf(this.#context.world, slot);
    if (cell === before) return;
    this.#leaveCell(slot);
    this.#enterCell(slot, cell);
    this.#relocated.add(slot);
  }

  #enterCell(slot: number, cell: number): void {
    const first = this.#first[cell]!;
    this.#cell[slot] = cell;
    this.#before[slot] = NONE;
    this.#next[slot] = first;
    if (first !== NONE) this.#before[first] = slot;
    this.#first[cell] = slot;
    if (this.#sight[slot]! > 0) this.#look(slot, 1);
  }

  #leaveCell(slot: number): void {
    const cell = this.#cell[slot]!;
    if (cell === NONE) return;
    if (this.#sight[slot]! > 0) this.#look(slot, -1);
    const next = this.#next[slot]!;
    const before = this.#before[slot]!;
    if (next !== NONE) this.#before[next] = before;
    if (before === NONE) this.#first[cell] = next;
    else this.#next[before] = next;
    this.#cell[slot] = NONE;
  }

  #look(slot: number, change: 1 | -1): void {
    const team = this.#teamAt(this.#team[slot]!);
    const cell = this.#cell[slot]!;
    if (!team.stand(this.#rank[slot]!, cell, change)) return;
    this.#footprints.find(cell, this.#sight, slot);
    team.count(this.#footprints, change);
  }

  #rankOf(sight: number): number {
    const known = this.#ranks.get(sight);
    if (known !== undefined) return known;
    if ((this.#ranks.size + 1) * this.#grid.count > MOST_COUNTED) return NONE;
    this.#ranks.set(sight, this.#ranks.size);
    return this.#ranks.size - 1;
  }

  // ── bits ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Of the cells that units came to see or see no more: the bits of the objects in them. */
  #reckonCells(): void {
    const { slotHigh } = this.#context.world.store;
    this.#ofNobody.reserve(slotHigh);
    for (const team of this.#teams) {
      if (team === undefined) continue;
      team.seen.reserve(slotHigh);
      for (let i = 0; i < team.touchedCount; i++) {
        const cell = team.touched[i]!;
        const isInSight = team.counts[cell]! > 0 ? 1 : 0;
        team.isTouched[cell] = 0;
        if (team.inSight[cell] === isInSight) continue;
        team.inSight[cell] = isInSight;
        for (let slot = this.#first[cell]!; slot !== NONE; slot = this.#next[slot]!) this.#reckon(team, slot);
      }
      team.touchedCount = 0;
    }
  }

  /** The bits of an object for all teams. */
  #reckonFor(slot: number): void {
    for (const team of this.#teams) if (team !== undefined) this.#reckon(team, slot);
    const isOpen = this.#cell[slot] === NONE && this.#team[slot] === NONE;
    if (this.#ofNobody.note(slot, isOpen)) this.#reveal(slot, this.#ofNobody);
  }

  #reckon(team: Team, slot: number): void {
    const cell = this.#cell[slot]!;
    const owners = this.#team[slot]!;
    const isOwn = owners !== NONE && this.#teams[owners] === team;
    const isSeen = isOwn || (cell === NONE ? owners === NONE : team.inSight[cell] !== 0);
    if (team.seen.note(slot, isSeen)) this.#reveal(slot, team.seen);
  }

  #reveal(slot: number, seen: Seen): void {
    const at = this.#revealedCount++ * ENTRY;
    if (at === this.#revealed.length) this.#revealed = enlarged(this.#memory, this.#revealed, at * 2);
    this.#revealed[at] = slot;
    this.#revealed[at + 1] = seen.address;
  }

  // ── helpers ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A team that is new knows what everybody knows, and what its units see. */
  #teamAt(index: number): Team {
    let team = this.#teams[index];
    if (team !== undefined) return team;
    team = new Team(this.#memory, this.#grid.count);
    while (this.#teams.length <= index) this.#teams.push(undefined);
    this.#teams[index] = team;
    const { store } = this.#context.world;
    team.seen.reserve(store.slotHigh);
    for (let slot = 0; slot < store.slotHigh; slot++) {
      const isKnown = store.isLive(slot) && slot < this.#cell.length;
      if (isKnown && this.#cell[slot] === NONE && this.#team[slot] === NONE) team.seen.note(slot, true);
    }
    return team;
  }

  #reserve(slot: number): void {
    const room = this.#cell.length;
    if (slot < room) return;
    const wanted = roomFor(slot + 1, room);
    this.#team = grown(this.#team, wanted);
    this.#sight = grown(this.#sight, wanted);
    this.#rank = grown(this.#rank, wanted);
    this.#cell = grown(this.#cell, wanted);
    this.#next = grown(this.#next, wanted);
    this.#before = grown(this.#before, wanted);
  }
}
