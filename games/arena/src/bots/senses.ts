/** What a bot knows when it thinks: its own avatar, and the others as its client's replica shows them, or as the server has them for a local bot. */

import type { Entity } from "@nearfield/core";
import type { Values } from "@nearfield/schema";
import type { AvatarState } from "../movement.ts";
import type { Avatar, Item } from "../shared.ts";
import type { Spot } from "../state.ts";
import type { Navigation } from "./navigation.ts";

export type SeenAvatar = Pick<Entity<typeof Avatar.shape>, "id" | "type" | "alive" | "tags" | "owner"> &
  Readonly<AvatarState>;
export type SeenItem = Readonly<Values<typeof Item.shape>>;

export interface Senses {
  /** The server's time, ms. */
  readonly nowMs: number;
  readonly own: Readonly<AvatarState>;
  readonly avatars: () => Iterable<SeenAvatar>;
  readonly items: () => Iterable<SeenItem>;
  /** The nearest fight within hearing, where it was last heard; undefined in silence. */
  readonly fight: () => Spot | undefined;
  /** How old what it is shown of an avatar is, ms. */
  readonly ageOf: (avatar: SeenAvatar) => number;
  readonly navigation: Navigation;
  /** Whether shots count: false while the scoreboard stands. */
  readonly isPlaying: boolean;
}
