/**
 * The guests of one room, and the calls to them. Without guests, a room only looks at an empty list at each place.
 * Invariant: guests are called in the order in which they were invited. If one throws, the others are called all the same.
 */

import type { RoomCore } from "../room/room-core.ts";
import type { Arrive, Guest, Stay, Stopwatch } from "./guest.ts";
import { Holds } from "./holds.ts";
import { RoomSeam } from "./room-seam.ts";

export class Guests {
  readonly #room: RoomCore;
  readonly #holds: Holds;
  /** This array is replaced and never changed, so a guest may be shown out while the guests are being called. */
  #list: readonly Guest[] = [];
  /** The stopwatches of the guests; and the guests that have `committed`. */
  #stopwatches: readonly Stopwatch[] = [];
  #committing: readonly Guest[] = [];

  constructor(room: RoomCore) {
    this.#room = room;
    this.#holds = new Holds(room);
  }

  get names(): string[] {
    return this.#list.map(({ name }) => name);
  }

  invite<G extends Guest>(arrive: Arrive<G>): Stay<G> {
    const seam = new RoomSeam(this.#room);
    const guest = arrive(seam);
    this.#set([...this.#list, guest]);
    const leave = (): void => {
      if (!this.#list.includes(guest)) return;
      this.#set(this.#list.filter((other) => other !== guest));
      this.#call(guest, "dismissed", () => guest.dismissed?.());
      seam.close();
    };
    return { guest, leave };
  }

  /** Called when the room closes. */
  dismissAll(): void {
    const guests = this.#list;
    this.#set([]);
    for (const guest of guests) this.#call(guest, "dismissed", () => guest.dismissed?.());
  }

  roundBegins(round: number): void {
    if (this.#list.length === 0) return;
    if (this.#committing.length > 0) this.#holds.roundBegins();
    for (const guest of this.#list) this.#call(guest, "roundBegins", () => guest.roundBegins?.(round));
  }

  gameStepped(round: number): void {
    for (const guest of this.#list) this.#call(guest, "gameStepped", () => guest.gameStepped?.(round));
  }

  committed(round: number): void {
    if (this.#committing.length === 0) return;
    const hold = () => this.#holds.hold(round);
    for (const guest of this.#committing) this.#call(guest, "committed", () => guest.committed?.(round, hold));
    this.#holds.committed();
  }

  roundEnded(round: number): void {
    if (this.#list.length === 0) return;
    if (this.#committing.length > 0) this.#holds.roundEnded(round);
    for (const guest of this.#list) this.#call(guest, "roundEnded", () => guest.roundEnded?.(round));
  }

  stagesBegin(): void {
    for (const stopwatch of this.#stopwatches) stopwatch.start();
  }

  stageEnded(stage: number): void {
    for (const stopwatch of this.#stopwatches) stopwatch.lap(stage);
  }

  #set(list: readonly Guest[]): void {
    this.#list = list;
    this.#stopwatches = list.flatMap(({ stopwatch }) => stopwatch ?? []);
    this.#committing = list.filter(({ committed }) => committed !== undefined);
    if (this.#committing.length === 0) this.#holds.letGoAll();
  }

  #call(guest: Guest, place: string, call: () => void): void {
    this.#room.guard(`guest ${guest.name}: ${place}`, call);
  }
}
