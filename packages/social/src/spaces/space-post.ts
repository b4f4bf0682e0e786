/**
 * What the members of an action space are told: invitations, seats, what another member sent, refusals, the end. It decides nothing; who sits where and who may hear whom is `ActionSpace`'s. Members
 * inside the server are handed what the others are sent.
 */

import { type Player, type Room, to } from "@nearfield/server";
import type { RefusalCode } from "./errors.ts";
import {
  KEY_BYTES,
  maskOf,
  SpaceEnd,
  SpaceInvitation,
  SpaceRefusal,
  SpaceRelayed,
  SpaceSeat,
  SpaceSignalled,
} from "./messages.ts";
import type { OpenSpaceOptions } from "./options.ts";
import type { InsidePort, SeatRecord } from "./seats.ts";

export interface SpacePostOptions extends Pick<OpenSpaceOptions, "stepMs" | "seed" | "kind" | "data"> {
  readonly room: Room;
  readonly space: number;
  readonly name: Uint8Array;
  readonly startMs: number;
  readonly slots: number;
}

export class SpacePost {
  readonly #options: SpacePostOptions;
  readonly #seats: readonly SeatRecord[];
  #isClosed = false;

  /** @param seats all of them, also those that come later. */
  constructor(options: SpacePostOptions, seats: readonly SeatRecord[]) {
    this.#options = options;
    this.#seats = seats;
  }

  invite({ address, player, isObserver }: SeatRecord): void {
    if (player === undefined || player.presence === "left") return;
    const { room, space, name, startMs, slots, stepMs, seed, kind = "", data = new Uint8Array(0) } = this.#options;
    const absent = maskOf(this.#seats.filter((seat) => seat.isAbsent).map((seat) => seat.address));
    const form = { slots, absent, stepMs, startMs, seed };
    const values = { space, kind, address, isObserver, ...form, name, keys: this.#allKeys(), data };
    room.emit(SpaceInvitation, values, to(player));
  }

  /** Tells those who are there of a seat. */
  announce(seat: SeatRecord, members: readonly SeatRecord[] = this.#seats): void {
    // Spectators are none of each other's business.
    const told = members.filter(
      (member) => member.visit > 0 && (seat.isPlayers || member === seat || member.isPlayers),
    );
    const { address, visit, entry, outTo, isIn, isObserver, sponsor, key, player } = seat;
    for (const { insider } of told) insider?.seat({ address, visit, entry, outTo, isIn, isObserver, sponsor });
    const players = told.map((member) => member.player).filter((one) => one !== undefined);
    if (players.length === 0 || this.#isClosed) return;
    const { room, space } = this.#options;
    const name = player?.nickname ?? "";
    const values = { space, address, visit, entry, outTo, isIn, isObserver, sponsor: sponsor + 1, key, name };
    room.emit(SpaceSeat, values, to(...players));
  }

  signal(from: number, { player, insider }: SeatRecord, signal: Uint8Array): void {
    const { room, space } = this.#options;
    if (insider) insider.signalled(from, signal);
    else if (player) room.emit(SpaceSignalled, { space, from, signal }, to(player));
  }

  relay(from: number, { player, insider }: SeatRecord, frame: Uint8Array): void {
    const { room, space } = this.#options;
    if (insider) insider.relayed(from, frame);
    else if (player) room.emit(SpaceRelayed, { space, from, frame }, to(player));
  }

  /** How a member inside the server sends to those who are there. */
  portOf(from: number): InsidePort {
    const seatAt = (address: number): SeatRecord | undefined => {
      const seat = this.#seats[address];
      const isThere = !this.#isClosed && seat !== undefined && seat.visit > 0 && seat.player?.presence !== "left";
      return isThere ? seat : undefined;
    };
    return {
      relay: (address, frame) => {
        const seat = seatAt(address);
        if (seat) this.relay(from, seat, frame);
        return seat !== undefined;
      },
      signal: (address, signal) => {
        const seat = seatAt(address);
        if (seat) this.signal(from, seat, signal);
      },
    };
  }

  refuse(player: Player, code: RefusalCode, detail: string): void {
    const { room, space } = this.#options;
    room.emit(SpaceRefusal, { space, code, detail }, to(player));
  }

  /** The last word. */
  end(why: string): void {
    const { room, space } = this.#options;
    const players = this.#seats.map(({ player }) => player).filter((player) => player !== undefined);
    const here = players.filter(({ presence }) => presence !== "left");
    if (here.length > 0) room.emit(SpaceEnd, { space, why }, to(...here));
    this.#isClosed = true;
  }

  /** The keys of all slots, one after the other, zeros where there is none; empty if nobody told one. */
  #allKeys(): Uint8Array {
    const keys = this.#seats.filter(({ isPlayers }) => isPlayers).map(({ key }) => key);
    if (keys.every((key) => key.length === 0)) return new Uint8Array(0);
    const all = new Uint8Array(this.#options.slots * KEY_BYTES);
    keys.forEach((key, slot) => {
      all.set(key, slot * KEY_BYTES);
    });
    return all;
  }
}
