/**
 * Ties a member of an action space to the client's connection: its signals, frames and reports leave as commands, and what the server says of this space comes
 * in as events. While the connection is broken no frame is handed over: commands would pile up, and arrive when nobody needs them any more.
 */

import type { Client } from "@nearfield/client";
import type { Seat, SpacePort } from "@nearfield/rollback/mesh";
import {
  maskOf,
  SpaceEnd,
  SpaceEnter,
  SpaceLeave,
  SpaceRefusal,
  SpaceRelay,
  SpaceRelayed,
  SpaceSeat,
  SpaceSignal,
  SpaceSignalled,
  SpaceStatus,
} from "../spaces/messages.ts";

/** What a member of a space hears. */
export interface Member {
  seat(seat: Seat): void;
  relayed(from: number, frame: Uint8Array): void;
  signalled(from: number, bytes: Uint8Array): void;
}

export interface WiringEvents {
  readonly onSeat: (seat: Seat, name: string, key: Uint8Array) => void;
  readonly onRefusal: (code: string, detail: string) => void;
  readonly onEnd: (why: string) => void;
}

export class Wiring implements SpacePort {
  readonly #client: Client;
  readonly #space: number;
  readonly #offs: (() => void)[] = [];

  constructor(client: Client, space: number) {
    this.#client = client;
    this.#space = space;
  }

  listen(member: Member, events: WiringEvents): void {
    const client = this.#client;
    const isOurs = ({ space }: { space: number }): boolean => space === this.#space;
    this.#offs.push(
      client.onEvent(SpaceSeat, (told) => {
        if (!isOurs(told)) return;
        const { space: _, name, key, sponsor, ...rest } = told;
        const seat = { ...rest, sponsor: sponsor - 1 };
        events.onSeat(seat, name, key);
        member.seat(seat);
      }),
      client.onEvent(SpaceSignalled, (told) => {
        if (isOurs(told)) member.signalled(told.from, told.signal);
      }),
      client.onEvent(SpaceRelayed, (told) => {
        if (isOurs(told)) member.relayed(told.from, told.frame);
      }),
      client.onEvent(SpaceRefusal, (told) => {
        if (isOurs(told)) events.onRefusal(told.code, told.detail);
      }),
      client.onEvent(SpaceEnd, (told) => {
        if (isOurs(told)) events.onEnd(told.why);
      }),
    );
  }

  /** Hears nothing any more. */
  cut(): void {
    for (const off of this.#offs.splice(0)) off();
  }

  relay(to: number, frame: Uint8Array): boolean {
    if (this.#client.state !== "active") return false;
    this.#client.send(SpaceRelay, { space: this.#space, to, frame });
    return true;
  }

  signal(to: number, signal: Uint8Array): void {
    if (this.#client.state !== "ended") this.#client.send(SpaceSignal, { space: this.#space, to, signal });
  }

  report: SpacePort["report"] = ({ entry, isPlaying, gone, suspects, tail }) => {
    if (this.#client.state !== "active") return;
    const masks = { gone: maskOf(gone), suspects: maskOf(suspects) };
    this.#client.send(SpaceStatus, { space: this.#space, entry, isPlaying, ...masks, tail });
  };

  enter(): void {
    if (this.#client.state === "active") this.#client.send(SpaceEnter, { space: this.#space });
  }

  leave(): void {
    if (this.#client.state !== "ended") this.#client.send(SpaceLeave, { space: this.#space });
  }
}
