/**
 * The avatars of one match, round by round, as the primaries were at the end of each: every field, unrounded, so that played again under
 * another view they make the same updates, bit for bit. An avatar that is gone for a while has no values; one that comes back as another
 * object is another object when played again.
 */

import type { Entity, World } from "@nearfield/core";
import type { Fields, ObjectId, ObjectType } from "@nearfield/schema";

/** Rounds that are kept in one piece. */
const PIECE_ROUNDS = 512;

/** What the cells and the picture need of an avatar. */
export interface Stance {
  x: number;
  y: number;
  heading: number;
}

interface Piece {
  readonly ids: Uint32Array;
  readonly pivots: Uint8Array;
  readonly values: Float64Array;
}

/** The beginning of a recording as plain data, for another thread. */
export interface RecordedRounds {
  readonly avatars: number;
  readonly roundMs: number;
  readonly rounds: number;
  readonly pieces: readonly Piece[];
  readonly others: readonly unknown[];
  readonly isNumber: readonly boolean[];
}

export class Recording {
  readonly type: ObjectType;
  readonly avatars: number;
  readonly roundMs: number;
  readonly names: readonly string[];
  rounds = 0;
  readonly #pieces: Piece[] = [];
  /** Values that are no numbers, by the number that stands for them. */
  readonly #others: unknown[] = [];
  /** By field, as far as it has been seen. */
  readonly #isNumber: boolean[] = [];
  readonly #x: number;
  readonly #y: number;
  readonly #heading: number;

  constructor(type: ObjectType, avatars: number, roundMs: number) {
    const [x, y, z] = type.position;
    const [heading] = type.orientation;
    if (x === undefined || y === undefined || z !== undefined || heading === undefined)
      throw new RangeError(`object ${type.name}: a recording needs a place in 2D and an orientation`);
    this.type = type;
    this.avatars = avatars;
    this.roundMs = roundMs;
    this.names = type.fields.map(({ name }) => name);
    this.#x = x;
    this.#y = y;
    this.#heading = heading;
  }

  /**
   * Takes one round down.
   *
   * @param avatars each bot's, in the order of the bots; `undefined` for one that has none now.
   * @param pivots of each bot, which bot's avatar it looks from. Default: its own.
   */
  note(avatars: readonly (Entity | undefined)[], pivots?: readonly number[]): void {
    const { ids, pivots: looks, values } = this.#pieceOf(this.rounds);
    const row = (this.rounds % PIECE_ROUNDS) * this.avatars;
    for (let bot = 0; bot < this.avatars; bot++) {
      const avatar = avatars[bot];
      ids[row + bot] = avatar === undefined ? 0 : avatar.id + 1;
      looks[row + bot] = pivots?.[bot] ?? bot;
      if (avatar === undefined) continue;
      const at = (row + bot) * this.names.length;
      const fields = avatar as unknown as Readonly<Record<string, unknown>>;
      for (let i = 0; i < this.names.length; i++) values[at + i] = this.#asNumber(fields[this.names[i]!], i);
    }
    this.rounds += 1;
  }

  /** The object that is a bot's avatar in a round (counted from 0): its id in the match + 1, or 0 if the bot has no avatar. */
  idAt(round: number, bot: number): number {
    return this.#pieces[Math.floor(round / PIECE_ROUNDS)]!.ids[(round % PIECE_ROUNDS) * this.avatars + bot]!;
  }

  /** The first rounds, about as many. */
  beginning(rounds: number): RecordedRounds {
    const pieces = this.#pieces.slice(0, Math.ceil(rounds / PIECE_ROUNDS));
    return {
      avatars: this.avatars,
      roundMs: this.roundMs,
      rounds: Math.min(this.rounds, pieces.length * PIECE_ROUNDS),
      pieces,
      others: this.#others,
      isNumber: this.#isNumber,
    };
  }

  static of(type: ObjectType, { avatars, roundMs, rounds, pieces, others, isNumber }: RecordedRounds): Recording {
    const recording = new Recording(type, avatars, roundMs);
    recording.rounds = rounds;
    recording.#pieces.push(...pieces);
    recording.#others.push(...others);
    recording.#isNumber.push(...isNumber);
    return recording;
  }

  /** From which bot's avatar a bot looks in a round. */
  pivotAt(round: number, bot: number): number {
    return this.#pieces[Math.floor(round / PIECE_ROUNDS)]!.pivots[(round % PIECE_ROUNDS) * this.avatars + bot]!;
  }

  /** A field's value in a round, as it was. */
  valueAt(round: number, bot: number, field: number): unknown {
    const number = this.#numberAt(round, bot, field);
    return this.#isNumber[field] === true ? number : this.#others[number];
  }

  /** Writes where a bot's avatar is and looks; false where it has none. */
  stanceAt(round: number, bot: number, out: Stance): boolean {
    if (this.idAt(round, bot) === 0) return false;
    out.x = this.#numberAt(round, bot, this.#x);
    out.y = this.#numberAt(round, bot, this.#y);
    out.heading = this.#numberAt(round, bot, this.#heading);
    return true;
  }

  /** Whether a field has the value it had in the round before; both rounds have the avatar. */
  isSame(round: number, bot: number, field: number): boolean {
    return this.#numberAt(round, bot, field) === this.#numberAt(round - 1, bot, field);
  }

  #numberAt(round: number, bot: number, field: number): number {
    const { values } = this.#pieces[Math.floor(round / PIECE_ROUNDS)]!;
    return values[((round % PIECE_ROUNDS) * this.avatars + bot) * this.names.length + field]!;
  }

  #pieceOf(round: number): Piece {
    const index = Math.floor(round / PIECE_ROUNDS);
    this.#pieces[index] ??= {
      ids: new Uint32Array(PIECE_ROUNDS * this.avatars),
      pivots: new Uint8Array(PIECE_ROUNDS * this.avatars),
      values: new Float64Array(PIECE_ROUNDS * this.avatars * this.names.length),
    };
    return this.#pieces[index];
  }

  #asNumber(value: unknown, field: number): number {
    this.#isNumber[field] = typeof value === "number";
    if (typeof value === "number") return value;
    const known = this.#others.indexOf(value);
    return known >= 0 ? known : this.#others.push(value) - 1;
  }
}

/** A recording as primaries of a world: objects come, move and go as they did. */
export class Rerun {
  /** Each bot's avatar now, in the order of the bots. */
  readonly avatars: (Entity | undefined)[];
  readonly #recording: Recording;
  readonly #world: World;
  readonly #owners: readonly number[];

  /** @param owners session number of each bot, in their order. */
  constructor(recording: Recording, world: World, owners: readonly number[]) {
    this.#recording = recording;
    this.#world = world;
    this.#owners = owners;
    this.avatars = owners.map(() => undefined);
  }

  /** Brings the world to this round of the recording, counted from 0; rounds come in order. */
  step(round: number): void {
    for (let bot = 0; bot < this.avatars.length; bot++) {
      const id = this.#recording.idAt(round, bot);
      const before = round === 0 ? 0 : this.#recording.idAt(round - 1, bot);
      if (before !== 0 && before !== id) this.#end(bot);
      if (id !== 0 && before !== id) this.#begin(round, bot);
      else if (id !== 0) this.#move(round, bot);
    }
  }

  idOf(bot: number): ObjectId | undefined {
    return this.avatars[bot]?.id;
  }

  #begin(round: number, bot: number): void {
    const { names, type } = this.#recording;
    const values = Object.fromEntries(names.map((name, i) => [name, this.#recording.valueAt(round, bot, i)]));
    const options = { owner: this.#owners[bot]! };
    this.avatars[bot] = this.#world.spawn(type as ObjectType<Fields>, values as Record<string, never>, options);
  }

  #move(round: number, bot: number): void {
    const { names } = this.#recording;
    const avatar = this.avatars[bot] as unknown as Record<string, unknown>;
    for (let i = 0; i < names.length; i++) {
      if (!this.#recording.isSame(round, bot, i)) avatar[names[i]!] = this.#recording.valueAt(round, bot, i);
    }
  }

  #end(bot: number): void {
    this.#world.destroy(this.avatars[bot]!);
    this.avatars[bot] = undefined;
  }
}
