/** A living avatar in one frame: all values that its drawing needs, read once. There is one record per avatar, overwritten in each frame. */

import type { AvatarLook } from "./art/avatar-art.ts";
import type { Cell } from "./art/view-art.ts";
import type { AvatarReplica } from "./network.ts";
import type { Track, Tracks } from "./tracks.ts";

export interface Figure extends AvatarLook {
  /** Only within its frame; later it may be gone. */
  readonly avatar: AvatarReplica;
  readonly number: number;
  readonly track: Track;
  readonly name: string;
  readonly own: boolean;
  readonly health: number;
  /** In which cell of the view it is; undefined while nobody asks. */
  cell: Cell | undefined;
}

/** Where and how an avatar is shown: by its presentation, or by prediction. */
type ShownAvatar = Pick<AvatarReplica, "x" | "y" | "vx" | "vy" | "heading" | "weapon">;

export function figureOf(
  avatar: AvatarReplica,
  shown: ShownAvatar,
  tracks: Tracks,
  round: number,
  name: string,
  own: boolean,
  nowMs: number,
): Figure {
  const { x, y } = shown;
  const { number } = avatar;
  const track = tracks.follow(number, x, y, round, nowMs);
  const figure: { -readonly [K in keyof Figure]: Figure[K] } = track.figure ?? blank(avatar, number, track);
  track.figure = figure;
  figure.avatar = avatar;
  figure.name = name;
  figure.own = own;
  figure.x = x;
  figure.y = y;
  figure.vx = shown.vx;
  figure.vy = shown.vy;
  figure.heading = shown.heading;
  figure.weapon = shown.weapon;
  figure.colour = avatar.colour;
  figure.health = avatar.health;
  figure.safe = avatar.condition === "safe";
  figure.path = track.path;
  figure.kick = track.kick(nowMs);
  figure.flash = track.flash(nowMs);
  return figure;
}

function blank(avatar: AvatarReplica, number: number, track: Track): Figure {
  return {
    avatar,
    number,
    track,
    name: "",
    own: false,
    health: 0,
    cell: undefined,
    x: 0,
    y: 0,
    vx: 0,
    vy: 0,
    heading: 0,
    weapon: "rifle",
    colour: 0,
    safe: false,
    path: 0,
    kick: 0,
    flash: 0,
  };
}
