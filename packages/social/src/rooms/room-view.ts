/** A room that a player opened, as others see it, and what is asked for to open one. Pages read these types, so this file knows no server. */

export interface RoomView {
  /** What `join` takes as `room`. */
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly isPublic: boolean;
  readonly places: number;
  readonly taken: number;
  /** Of the server that has the room, for `join`. Only in a cluster; without it: the server that says so. */
  readonly address?: string;
}

/** What a player asks for. */
export interface RoomWish {
  readonly name: string;
  /** Default true. */
  readonly isPublic?: boolean;
  /** Default: the most that the game allows. */
  readonly places?: number;
}
