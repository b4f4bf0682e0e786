/**
 * The board on a server: people come and go, and what they ask for is checked and done.
 *
 * Everybody may move, paint and write on everything. A thing is erased by its author, or by anybody once its author has left. Words are written under
 * the note's lock, so two people never write on one note at a time. Every request is checked: its author, its place, its size, how many
 * things there are, how often somebody asks.
 */

import type { Entity } from "@nearfield/core";
import type { Values } from "@nearfield/schema";
import { type Player, type Room, type Server, type ServerOptions, to } from "@nearfield/server";
import { Allowance } from "./allowance.ts";
import { BroadcastMeter } from "./broadcast-meter.ts";
import { unpackInk } from "./ink.ts";
import {
  Broadcast,
  CENTRE,
  Cursor,
  Draft,
  Draw,
  Erase,
  MOST_PLACE,
  Move,
  Note,
  Paint,
  Person,
  Put,
  protocol,
  Raise,
  type RefusalOfBoard,
  Refused,
  ROUND_MS,
  SIZES,
  Stroke,
} from "./shared.ts";
import { isNote, isStroke, type Thing, type ThingLimits, Things } from "./things.ts";
import { view, viewLimits } from "./views.ts";
import { cleanWords } from "./words.ts";

/** What a server or lab must be made with. */
export const boardOptions: Pick<ServerOptions, "protocol" | "view" | "viewLimits" | "mayPivot" | "roundMs" | "times"> =
  {
    protocol,
    view,
    viewLimits,
    mayPivot: (_, pivot) => "camera" in pivot || "point" in pivot,
    roundMs: ROUND_MS,
    // Long enough to walk through a tunnel while writing: the session is kept for as long as the lock.
    times: { resumeMs: 60_000, lockMs: 60_000 },
  };

/** The colours of people, one after the other. */
const PERSON_COLOURS = 16;
const BROADCAST_EVERY_MS = 1000;

export interface BoardHostOptions extends Partial<ThingLimits> {
  /** Default: the server's main room. */
  readonly room?: Room;
}

/** What a host knows of somebody at the board. */
interface Guest {
  readonly person: Entity<typeof Person.shape>;
  readonly allowance: Allowance;
}

export class BoardHost {
  readonly #server: Server;
  readonly #room: Room;
  readonly #things: Things;
  readonly #guests = new Map<number, Guest>();
  readonly #meter: BroadcastMeter;
  readonly #broadcast: Entity<typeof Broadcast.shape>;
  #joined = 0;
  /** Of the note that lies on top. */
  #order = 0;

  constructor(server: Server, { room = server.main, ...limits }: BoardHostOptions = {}) {
    this.#server = server;
    this.#room = room;
    this.#things = new Things(room.world, limits);
    this.#meter = new BroadcastMeter(room.world);
    this.#broadcast = room.world.spawn(Broadcast);
    room.onJoin((player) => this.#join(player));
    room.onLeave((player) => this.#leave(player));
    room.onRound(() => this.#round());
    this.#takeRequests();
    this.#judgeWrites();
  }

  get people(): number {
    return this.#guests.size;
  }

  get things(): number {
    return this.#things.count;
  }

  // ── people ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #join(player: Player): void {
    const { world } = this.#room;
    const { id: number, nickname: name } = player;
    const person = world.spawn(Person, { number, name, colour: this.#joined++ % PERSON_COLOURS });
    const here = { x: CENTRE, y: CENTRE, number };
    const owner = { owner: player.id };
    for (const spawned of [person, world.spawn(Cursor, here, owner), world.spawn(Draft, here, owner)])
      this.#meter.note(spawned);
    this.#guests.set(number, { person, allowance: new Allowance(this.#server.roundNumber) });
    player.setPivots([{ point: [CENTRE, CENTRE] }]);
  }

  #leave(player: Player): void {
    const guest = this.#guests.get(player.id);
    if (guest === undefined) return;
    this.#guests.delete(player.id);
    this.#meter.gone(guest.person);
    this.#room.world.destroy(guest.person);
  }

  #round(): void {
    for (const [number, { person }] of this.#guests) {
      const away = this.#room.players.get(number)?.presence === "away";
      if (person.away === away) continue;
      person.away = away;
      this.#meter.note(person);
    }
    this.#meter.endRound();
    if ((this.#server.roundNumber * ROUND_MS) % BROADCAST_EVERY_MS !== 0) return;
    this.#broadcast.updates = this.#meter.updates;
    this.#broadcast.bytes = this.#meter.bytes;
  }

  // ── requests ───────────────────────────────────────────────────────────────────────────────────────────────────

  #takeRequests(): void {
    const room = this.#room;
    room.onCommand(Draw, (player, piece) => this.#obey(player, piece.key, () => this.#draw(player, piece)));
    room.onCommand(Put, (player, note) => this.#obey(player, note.key, () => this.#put(player, note)));
    room.onCommand(Move, (player, { keys, dx, dy }) =>
      this.#obeyForAll(player, keys, (all) => this.#move(all, dx, dy)),
    );
    room.onCommand(Paint, (player, { keys, colour }) =>
      this.#obeyForAll(player, keys, (all) => this.#paint(all, colour)),
    );
    room.onCommand(Raise, (player, { keys }) => this.#obeyForAll(player, keys, (all) => this.#raise(all)));
    room.onCommand(Erase, (player, { keys }) => this.#obeyForAll(player, keys, (all) => this.#erase(player, all)));
  }

  /** Does what is asked, unless this person asks too often. `act` answers why not, if not. */
  #obey(player: Player, key: number, act: () => RefusalOfBoard | undefined): void {
    const mayAsk = this.#guests.get(player.id)?.allowance.take(this.#server.roundNumber, ROUND_MS) === true;
    const refusal = mayAsk ? act() : "too-fast";
    if (refusal !== undefined) this.#room.emit(Refused, { key, reason: refusal }, to(player));
  }

  /** Keys of things that are gone are left out: somebody else was faster. */
  #obeyForAll(
    player: Player,
    keys: readonly number[],
    act: (all: readonly Thing[]) => RefusalOfBoard | undefined,
  ): void {
    this.#obey(player, keys[0] ?? 0, () => {
      const things = new Set(keys.map((key) => this.#things.get(key)).filter((thing) => thing !== undefined));
      return act([...things]);
    });
  }

  #draw(player: Player, piece: Values<typeof Draw.shape>): RefusalOfBoard | undefined {
    if (unpackInk(piece.ink) === undefined || piece.size >= SIZES) return "bad-ink";
    const there = this.#things.get(piece.key);
    if (there === undefined)
      return this.#add(player, () => this.#room.world.spawn(Stroke, { ...piece, author: player.id }));
    if (there.author !== player.id || !isStroke(there)) return "not-yours";
    there.ink = piece.ink;
    this.#meter.note(there);
    return undefined;
  }

  #put(player: Player, note: Values<typeof Put.shape>): RefusalOfBoard | undefined {
    if (this.#things.get(note.key) !== undefined) return undefined;
    const words = cleanWords(note.words);
    const size = Math.min(note.size, SIZES - 1);
    return this.#add(player, () =>
      this.#room.world.spawn(Note, { ...note, size, words, author: player.id, order: this.#nextOrder() }),
    );
  }

  #add(player: Player, make: () => Thing): RefusalOfBoard | undefined {
    const refusal = this.#things.makeRoom(player.id, (author) => this.#guests.has(author));
    if (refusal !== undefined) return refusal;
    const thing = make();
    this.#things.add(thing);
    this.#meter.note(thing);
    return undefined;
  }

  /** All of them or none, so that a move can be taken back by the opposite one. */
  #move(things: readonly Thing[], dx: number, dy: number): RefusalOfBoard | undefined {
    const isInside = (value: number): boolean => value >= 0 && value <= MOST_PLACE;
    if (!things.every(({ x, y }) => isInside(x + dx) && isInside(y + dy))) return "outside";
    for (const thing of things) {
      thing.x += dx;
      thing.y += dy;
      this.#meter.note(thing);
    }
    return undefined;
  }

  #paint(things: readonly Thing[], colour: number): undefined {
    for (const thing of things) {
      thing.colour = colour;
      this.#meter.note(thing);
    }
  }

  #raise(things: readonly Thing[]): undefined {
    for (const thing of things) {
      if (!isNote(thing)) continue;
      thing.order = this.#nextOrder();
      this.#meter.note(thing);
    }
  }

  #erase(player: Player, things: readonly Thing[]): RefusalOfBoard | undefined {
    const mayErase = ({ author }: Thing): boolean => author === player.id || !this.#guests.has(author);
    const erased = things.filter(mayErase);
    for (const thing of erased) {
      this.#meter.gone(thing);
      this.#things.remove(thing);
    }
    return erased.length === things.length ? undefined : "not-yours";
  }

  #nextOrder(): number {
    this.#order = (this.#order + 1) % 2 ** 24;
    return this.#order;
  }

  // ── what people write themselves ───────────────────────────────────────────────────────────────────────────────

  #judgeWrites(): void {
    const room = this.#room;
    room.onWrite(Note, (_, __, { words, ...rest }) => Object.keys(rest).length === 0 && cleaned(words));
    room.onWrite(Cursor, (_, __, { number }) => number === undefined);
    room.onWrite(Draft, (_, __, { number, words }) => number === undefined && cleaned(words));
    room.onUpdate(Note, (note) => this.#meter.note(note));
    room.onUpdate(Cursor, (cursor) => this.#meter.note(cursor));
    room.onUpdate(Draft, (draft) => this.#meter.note(draft));
  }
}

/** Words go on the board as they should be, or are corrected. */
function cleaned(words: string | undefined): true | { words: string } {
  if (words === undefined) return true;
  const clean = cleanWords(words);
  return clean === words ? true : { words: clean };
}
