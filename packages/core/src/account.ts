/**
 * The account that a model keeps of pairs that it left over their bound: how many, by zone and cause, and for how long. Every model has one, always on. The
 * account is the model's own statement. The auditor checks whether it is true, and shares nothing with the model (`audit/auditor.ts`).
 *
 * *Decided*: pairs that the model knowingly left over their stated bound, because bytes or time were short or the bound was loosened. Every such pair
 * counts in every round (`short`). Without a byte budget, and while no view sits out a round, there are none. The pairs of a paused view are not counted.
 * *Delivered*: known from acknowledgements. A send that got lost leaves its client behind, from the round in which it was decided until the round of the
 * next send of that pair that arrived, or until the pair ends. All those rounds count, although in some of them the older state may still
 * have been within its bound. So the count is never too low.
 */

import type { ObjectId } from "@nearfield/schema";
import { CAUSE_NAMES, type Cause, type Decisions, type ViewId } from "./model.ts";

export interface Shortfall {
  readonly zone: number;
  readonly cause: (typeof CAUSE_NAMES)[number];
  /** Separate spells of being over the bound. */
  readonly spells: number;
  /** Pair-rounds over the bound. */
  readonly pairRounds: number;
  /** Longest spell, rounds. */
  readonly longest: number;
}

/** Views lie so far apart among the pairs' numbers. */
const VIEW_SPAN = 2 ** 32;

/** One number for a (view, object) pair, the same in every model. */
export function pairKey(view: ViewId, id: ObjectId): number {
  return view * VIEW_SPAN + id;
}

function viewOf(pair: number): ViewId {
  return Math.floor(pair / VIEW_SPAN);
}

interface Departed {
  readonly round: number;
  readonly zone: number;
  readonly cause: Cause;
  /** Round in which the object left or was destroyed, or that of a later send which arrived. */
  until: number;
}

/** Sends of one view whose pair ceased to be before their fate was known. Each is taken out when it is known, so there are no more than in flight. */
export class DepartedSends {
  readonly #sends = new Map<ObjectId, Departed[]>();

  add(id: ObjectId, round: number, zone: number, cause: Cause, until: number): void {
    const sends = this.#sends.get(id);
    if (sends === undefined) this.#sends.set(id, [{ round, zone, cause, until }]);
    else sends.push({ round, zone, cause, until });
  }

  acknowledge(id: ObjectId, round: number): void {
    if (this.#take(id, round) === undefined) return;
    for (const older of this.#sends.get(id) ?? []) if (older.round < round) older.until = Math.min(older.until, round);
  }

  lose(id: ObjectId, round: number, account: Account): void {
    const lost = this.#take(id, round);
    if (lost !== undefined) account.spell(lost.zone, lost.cause, lost.until - round);
  }

  #take(id: ObjectId, round: number): Departed | undefined {
    const sends = this.#sends.get(id);
    const found = sends?.find((send) => send.round === round);
    if (sends === undefined || found === undefined) return undefined;
    sends.splice(sends.indexOf(found), 1);
    if (sends.length === 0) this.#sends.delete(id);
    return found;
  }
}

const CAUSES = CAUSE_NAMES.length;
/** The number of a zone and a cause, by which shortfalls are counted. */
export function shortfallCell(zone: number, cause: Cause): number {
  return zone * CAUSES + cause;
}

/** A model that keeps the spells of its pairs itself, and tells only sums (`count`, `last`). */
export interface SpellsElsewhere {
  /** Whether the pair was over its bound in that round and not sent. */
  isShort(view: ViewId, id: ObjectId, round: number): boolean;
  /** Tells what is not told yet: somebody reads the sums. */
  settle(): void;
  /** Tells how long the spells have lasted that go on: somebody reads the longest of each cell. */
  measureSpells(): void;
}

/** A pair that is over its bound in some round: since when, in which cell that began, and in which one it was counted last. */
export interface ShortSpell {
  readonly since: number;
  readonly cell: number;
  readonly counted: number;
}

class Tally {
  /** By cell, `zone × CAUSES + cause`: spells, pair-rounds, longest. */
  readonly #cells: (number[] | undefined)[] = [];

  add(zone: number, cause: Cause, rounds: number): void {
    const cell = zone * CAUSES + cause;
    this.begin(cell);
    this.count(cell, rounds);
    this.last(cell, rounds);
  }

  begin(cell: number, spells = 1): void {
    this.#cell(cell)[0]! += spells;
  }

  count(cell: number, rounds: number): void {
    this.#cell(cell)[1]! += rounds;
  }

  /** A spell that began in this cell has lasted so long. */
  last(cell: number, rounds: number): void {
    const figures = this.#cell(cell);
    if (rounds > figures[2]!) figures[2] = rounds;
  }

  #cell(cell: number): number[] {
    this.#cells[cell] ??= [0, 0, 0];
    return this.#cells[cell];
  }

  get pairRounds(): number {
    return this.#cells.reduce((sum, cell) => sum + (cell?.[1] ?? 0), 0);
  }

  list(): Shortfall[] {
    return this.#cells.flatMap((cell, key) => {
      if (cell === undefined) return [];
      const [spells, pairRounds, longest] = cell as [number, number, number];
      return [{ zone: Math.floor(key / CAUSES), cause: CAUSE_NAMES[key % CAUSES]!, spells, pairRounds, longest }];
    });
  }
}

/**
 * Spells of pairs that a model left over their bound knowingly, kept as long as they go on without a gap. Told round by round, so two maps
 * are enough: those short in this round and those short in the last.
 */
class ShortSpells {
  /** By pair key, as `packed` makes it. */
  #now = new Map<number, number>();
  #before = new Map<number, number>();
  #round = -1;

  /** @param unseen rounds before this one in which the pair was short too, if it was not known to be short in the round before. */
  add(pair: number, cell: number, round: number, unseen: number, tally: Tally): void {
    if (round !== this.#round) this.#turn(round);
    if (this.#now.has(pair)) return;
    const before = this.#before.get(pair);
    if (before === undefined) {
      tally.begin(cell);
      tally.count(cell, unseen);
    }
    const spell = before === undefined ? { since: round - unseen, cell } : unpacked(before);
    this.#enter(pair, spell.since, spell.cell, cell, tally);
  }

  /** The spells of these views go on in this round, each in the cell in which it was counted last. */
  goOn(views: (view: ViewId) => boolean, round: number, tally: Tally): void {
    if (round !== this.#round) this.#turn(round);
    for (const [pair, before] of this.#before) {
      if (!views(viewOf(pair)) || this.#now.has(pair)) continue;
      const { since, cell, counted } = unpacked(before);
      this.#enter(pair, since, cell, counted, tally);
    }
  }

  #enter(pair: number, since: number, cell: number, counted: number, tally: Tally): void {
    tally.count(counted, 1);
    tally.last(cell, this.#round - since + 1);
    this.#now.set(pair, packed(since, cell, counted));
  }

  has(pair: number, round: number): boolean {
    return round === this.#round && this.#now.has(pair);
  }

  get size(): number {
    return this.#now.size + this.#before.size;
  }

  /** The spell of a pair that was short in the round before this one. */
  before(pair: number, round: number): ShortSpell | undefined {
    const spells = round === this.#round ? this.#before : round === this.#round + 1 ? this.#now : undefined;
    const spell = spells?.get(pair);
    return spell === undefined ? undefined : unpacked(spell);
  }

  /** A pair was short in that round, in a spell that was counted elsewhere. */
  adopt(pair: number, { since, cell, counted }: ShortSpell, round: number): void {
    if (round > this.#round) this.#turn(round);
    const spells = round === this.#round ? this.#now : round === this.#round - 1 ? this.#before : undefined;
    spells?.set(pair, packed(since, cell, counted));
  }

  /** The pair is no longer short, after the last round. */
  end(pair: number): void {
    this.#now.delete(pair);
  }

  /** All spells of a view have ended. */
  forget(view: ViewId): void {
    for (const spells of [this.#now, this.#before]) {
      for (const pair of spells.keys()) if (viewOf(pair) === view) spells.delete(pair);
    }
  }

  #turn(round: number): void {
    const spare = this.#before;
    spare.clear();
    this.#before = this.#now;
    this.#now = spare;
    if (round !== this.#round + 1) this.#before.clear();
    this.#round = round;
  }
}

/** There are fewer cells than this. */
const CELL_SPAN = 2 ** 10;

/** A spell as one number: since when, the cell in which it began, the cell in which it was counted last. */
function packed(since: number, cell: number, counted: number): number {
  return (since * CELL_SPAN + cell) * CELL_SPAN + counted;
}

function unpacked(spell: number): ShortSpell {
  const rest = Math.floor(spell / CELL_SPAN);
  return { since: Math.floor(rest / CELL_SPAN), cell: rest % CELL_SPAN, counted: spell % CELL_SPAN };
}

export class Account {
  readonly #decided = new Tally();
  readonly #delivered = new Tally();
  readonly #short = new ShortSpells();
  readonly #open = new Map<number, { zone: number; cause: Cause; since: number }>();
  readonly #elsewhere: SpellsElsewhere | undefined;

  constructor(elsewhere?: SpellsElsewhere) {
    this.#elsewhere = elsewhere;
  }

  /** Pair-rounds over the bound as decided. */
  get decided(): number {
    this.#elsewhere?.settle();
    return this.#decided.pairRounds;
  }

  /** Pair-rounds over the bound as delivered, spells that have ended. */
  get delivered(): number {
    return this.#delivered.pairRounds;
  }

  /** Spells that have not ended yet: a client is behind and no later send to it is known to have arrived. */
  get open(): number {
    return this.#open.size;
  }

  shortfalls(of: "decided" | "delivered"): Shortfall[] {
    if (of === "delivered") return this.#delivered.list();
    this.#elsewhere?.settle();
    this.#elsewhere?.measureSpells();
    return this.#decided.list();
  }

  /** Pair-rounds over the bound as delivered, counting open spells up to `round`. */
  deliveredUpTo(round: number): number {
    let sum = this.delivered;
    for (const { since } of this.#open.values()) sum += Math.max(0, round - since);
    return sum;
  }

  /**
   * The model knows that `pair` (its `pairKey`) is over its stated bound at the end of this round: withheld or loosened. Told in
   * every such round; consecutive rounds are one spell, which lasts in the cell in which it began. A second call in a round counts nothing.
   *
   * @param out rounds before this one that the view sat out: a new spell began with the first of them.
   */
  short(pair: number, zone: number, cause: Cause, round: number, out = 0): void {
    this.#short.add(pair, shortfallCell(zone, cause), round, out, this.#decided);
  }

  /** The spells that `short` was told of in the round before go on in this one, for views that sit out. */
  goOn(isOut: (view: ViewId) => boolean, round: number): void {
    this.#short.goOn(isOut, round, this.#decided);
  }

  /** The pair's spell has ended with the last round, even if its view sits out the next one. */
  end(pair: number): void {
    this.#short.end(pair);
  }

  /**
   * A view that sat out so many rounds has these decisions now. Those that did not wait before were late by all of these rounds, at most. Of views
   * that are not budgeted it is not known which ones waited, so some count twice: the account is never too low.
   */
  late({ count, zones, causes, waits }: Decisions, rounds: number): void {
    if (rounds === 0) return;
    for (let row = 0; row < count; row++) {
      if (waits[row] === 0) this.#decided.add(zones[row]!, causes[row]! as Cause, rounds);
    }
  }

  /** The same for pairs whose spells the model keeps itself: so many began in this cell, and so many pairs are short in it. */
  count(cell: number, spells: number, pairRounds: number): void {
    if (spells > 0) this.#decided.begin(cell, spells);
    if (pairRounds > 0) this.#decided.count(cell, pairRounds);
  }

  /** Such a spell, which began in this cell, has lasted so long. */
  last(cell: number, rounds: number): void {
    this.#decided.last(cell, rounds);
  }

  /** Whether `spellBefore` can find anything. */
  get hasSpells(): boolean {
    return this.#short.size > 0;
  }

  /** The spell that `short` was told of in the round before this one: it goes on if the model counts the pair as short in this round. */
  spellBefore(pair: number, round: number): ShortSpell | undefined {
    return this.#short.before(pair, round);
  }

  /** The other way around: a spell that the model kept until that round goes on if `short` is told of the pair in the next. */
  adopt(pair: number, spell: ShortSpell, round: number): void {
    this.#short.adopt(pair, spell, round);
  }

  /** Whether the pair was counted as short in this round. */
  isShort(pair: number, round: number): boolean {
    if (this.#short.has(pair, round)) return true;
    const view = viewOf(pair);
    return this.#elsewhere?.isShort(view, (pair - view * VIEW_SPAN) as ObjectId, round) ?? false;
  }

  /** The view is no more after this round: its spells end, and one that gets its number begins new ones. */
  forget(view: ViewId, round: number): void {
    this.#short.forget(view);
    for (const [pair, { zone, cause, since }] of this.#open) {
      if (viewOf(pair) !== view) continue;
      this.#open.delete(pair);
      this.spell(zone, cause, round - since);
    }
  }

  /** A client was behind for that many rounds, and is no longer. */
  spell(zone: number, cause: Cause, rounds: number): void {
    if (rounds > 0) this.#delivered.add(zone, cause, rounds);
  }

  /** The send of `pair` (its `pairKey`) decided in `round` is lost. */
  lost(pair: number, zone: number, cause: Cause, round: number): void {
    const open = this.#open.get(pair);
    if (open === undefined) this.#open.set(pair, { zone, cause, since: round });
    else if (round < open.since) open.since = round;
  }

  /** Some pair is behind, as delivered. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** A send of `pair` decided in `round` has arrived, or the pair has ceased to be in that round. */
  caughtUp(pair: number, round: number): void {
    if (this.#open.size === 0) return;
    const open = this.#open.get(pair);
    if (open === undefined || round <= open.since) return;
    this.#open.delete(pair);
    this.spell(open.zone, open.cause, round - open.since);
  }
}
