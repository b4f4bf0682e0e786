/**
 * All action spaces of a room. It handles the commands of members and passes each on to its space; nothing that a member sends can throw.
 *
 *     const spaces = new ActionSpaces(server);
 *     const space = spaces.open({ players: [ann, bob], stepMs: 50, seed: 7, onEnd: settleResult });
 */

import { type Player, type Room, type Server, to } from "@nearfield/server";
import { ActionSpace } from "./action-space.ts";
import { Bucket } from "./bucket.ts";
import { SpaceError } from "./errors.ts";
import {
  KEY_BYTES,
  NAME_BYTES,
  SpaceAsk,
  SpaceEnter,
  SpaceKey,
  SpaceLeave,
  SpaceRefusal,
  SpaceRelay,
  SpaceResult,
  SpaceSignal,
  SpaceStatus,
} from "./messages.ts";
import { DEFAULT_SPACE_TIMES, type OpenSpaceOptions, type SpaceTimes } from "./options.ts";
import { DEFAULT_SPACE_LIMITS, type SpaceLimits } from "./seats.ts";

export interface ActionSpacesOptions {
  /** The room whose players take part. Default: the server's main room. */
  readonly room?: Room;
  readonly limits?: Partial<SpaceLimits>;
  readonly times?: Partial<SpaceTimes>;
  /** 32 bits of the names of spaces: give another one each time the server starts, so that no name comes twice. Default 0. */
  readonly salt?: number;
  /** Spaces that may be open at once. Default 1,000. */
  readonly mostSpaces?: number;
}

const NO_KEY = new Uint8Array(0);
/** Refusals per second that one player is told of commands that belong to no space. */
const REFUSALS_PER_SECOND = 4;

export class ActionSpaces {
  readonly #room: Room;
  readonly #server: Pick<Server, "timeMs">;
  readonly #limits: SpaceLimits;
  readonly #times: SpaceTimes;
  readonly #most: number;
  readonly #spaces = new Map<number, ActionSpace>();
  /** What each player signs with. */
  readonly #keys = new WeakMap<Player, Uint8Array>();
  readonly #lost = new WeakMap<Player, Bucket>();
  readonly #salt: number;
  #opened = 0;

  constructor(server: Pick<Server, "main" | "timeMs">, options: ActionSpacesOptions = {}) {
    this.#server = server;
    this.#room = options.room ?? server.main;
    this.#limits = { ...DEFAULT_SPACE_LIMITS, ...options.limits };
    this.#times = { ...DEFAULT_SPACE_TIMES, ...options.times };
    this.#most = options.mostSpaces ?? 1000;
    this.#salt = options.salt ?? 0;
    this.#listen();
  }

  /** The room whose players take part. */
  get room(): Room {
    return this.#room;
  }

  /** The server's clock. */
  get timeMs(): number {
    return this.#server.timeMs;
  }

  /** What a player signs with, as it told; empty if it told nothing. */
  keyOf(player: Player): Uint8Array {
    return this.#keys.get(player) ?? NO_KEY;
  }

  /** The spaces that have not ended, by number. */
  get all(): ReadonlyMap<number, ActionSpace> {
    return this.#spaces;
  }

  /** Opens a space and invites its players. Throws `SpaceError`: "bad-option", "full". */
  open(options: OpenSpaceOptions): ActionSpace {
    if (this.#spaces.size >= this.#most) throw new SpaceError("full", `${this.#most} spaces are open already`);
    this.#opened = (this.#opened % 0xffff_ffff) + 1;
    const id = this.#opened;
    if (options.keys?.some(({ length }) => length !== 0 && length !== KEY_BYTES))
      throw new SpaceError("bad-option", `a public key has ${KEY_BYTES} bytes`);
    if (options.name !== undefined && options.name.length !== NAME_BYTES)
      throw new SpaceError("bad-option", `a name has ${NAME_BYTES} bytes, not ${options.name.length}`);
    const space = new ActionSpace(options, {
      id,
      room: this.#room,
      now: () => this.#server.timeMs,
      limits: this.#limits,
      times: this.#times,
      onEnd: () => this.#spaces.delete(id),
      name: options.name ?? this.#name(id),
      keyOf: (player) => this.keyOf(player),
    });
    this.#spaces.set(id, space);
    return space;
  }

  /** The number of the space, and when it was opened: signatures of one fight are worth nothing in another. */
  #name(id: number): Uint8Array {
    const name = new Uint8Array(NAME_BYTES);
    const view = new DataView(name.buffer);
    view.setUint32(0, id);
    view.setFloat64(4, this.#server.timeMs);
    view.setUint32(12, this.#salt);
    return name;
  }

  #listen(): void {
    const room = this.#room;
    room.onRound(() => {
      for (const space of [...this.#spaces.values()]) space.round();
    });
    room.onLeave((player) => {
      for (const space of this.#spaces.values()) space.leave(player);
    });
    room.onCommand(SpaceAsk, (player) => {
      if (this.#mayAsk(player)) for (const space of this.#spaces.values()) space.remind(player);
    });
    room.onCommand(SpaceKey, (player, { key }) => {
      if (key.length === KEY_BYTES) this.#keys.set(player, key);
    });
    room.onCommand(SpaceEnter, (player, { space }) => this.#find(player, space)?.enter(player));
    room.onCommand(SpaceLeave, (player, { space }) => this.#find(player, space)?.leave(player));
    room.onCommand(SpaceSignal, (player, { space, to: address, signal }) =>
      this.#find(player, space)?.signal(player, address, signal),
    );
    room.onCommand(SpaceRelay, (player, { space, to: address, frame }) =>
      this.#find(player, space)?.relay(player, address, frame),
    );
    room.onCommand(SpaceStatus, (player, { space, ...told }) => this.#find(player, space)?.status(player, told));
    room.onCommand(SpaceResult, (player, { space, part, parts, bytes }) =>
      this.#find(player, space)?.result(player, part, parts, bytes),
    );
  }

  #find(player: Player, id: number): ActionSpace | undefined {
    const space = this.#spaces.get(id);
    if (space !== undefined) return space;
    if (this.#mayAsk(player))
      this.#room.emit(SpaceRefusal, { space: id, code: "unknown-space", detail: "none of that number" }, to(player));
    return undefined;
  }

  #mayAsk(player: Player): boolean {
    const nowMs = this.#server.timeMs;
    const bucket = this.#lost.get(player) ?? new Bucket(REFUSALS_PER_SECOND, REFUSALS_PER_SECOND, nowMs);
    this.#lost.set(player, bucket);
    return bucket.take(1, nowMs);
  }
}
