/**
 * Ids that stay unique in a world of many servers. A world id names the server on which an object was born, or a session began (its *origin*),
 * and counts what that server gave out. It stays with an object that is handed on to another server.
 *
 * On the wire of one server only that server's own small numbers travel (`ObjectId`, the session number): both sides know the origin. So
 * world ids cost a single server nothing there. A server that restarts must take an origin that no server had before; otherwise ids would repeat.
 */

declare const worldIdBrand: unique symbol;

/** origin and number; a whole number below 2 ** 53. */
export type WorldId = number & { readonly [worldIdBrand]: true };

/** Servers that a world can have in its life. */
export const MAX_ORIGINS: number = 2 ** 13;
/** Ids that one server can give out: 35 years of a thousand objects a second. */
const SPAN: number = 2 ** 40;

export function worldId(origin: number, number: number): WorldId {
  return (origin * SPAN + number) as WorldId;
}

export function originOf(id: WorldId): number {
  return Math.floor(id / SPAN);
}

export function numberOf(id: WorldId): number {
  return id % SPAN;
}

/** Gives out the world ids of one server's objects, from 1 on. Its origin is a whole number below `MAX_ORIGINS`. */
export class WorldIds {
  readonly origin: number;
  #given = 0;

  constructor(origin: number) {
    this.origin = origin;
  }

  next(): WorldId {
    this.#given += 1;
    return worldId(this.origin, this.#given);
  }
}
