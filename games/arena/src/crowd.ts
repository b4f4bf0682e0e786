/** Avatars are bodies: those that overlap are pushed apart, a little each round, and never into a wall. */

import type { ObjectId } from "@nearfield/schema";
import { Collisions } from "@nearfield/simulation";
import { type AvatarEntity, type Fighter, isStanding } from "./fighter.ts";
import { AVATAR_RADIUS } from "./state.ts";
import type { Terrain } from "./terrain.ts";

const BODY = { kind: "circle", radius: AVATAR_RADIUS } as const;
/** Share of the overlap that each of two moves in a round. */
const PUSH = 0.25;

export class Crowd {
  readonly #collisions: Collisions = new Collisions({ cell: 2 * AVATAR_RADIUS + 4 });
  readonly #bodies = new Map<number, AvatarEntity>();

  part(fighters: Iterable<Fighter>, terrain: Terrain): void {
    const collisions = this.#collisions;
    collisions.clear();
    this.#bodies.clear();
    for (const fighter of fighters) if (isStanding(fighter)) this.#add(fighter.avatar);
    const pairs = collisions.find();
    for (let pair = 0; pair < pairs; pair++) {
      const push = collisions.depth[pair]! * PUSH;
      const [dx, dy] = [collisions.normalX[pair]! * push, collisions.normalY[pair]! * push];
      this.#push(collisions.first[pair]! as ObjectId, -dx, -dy, terrain);
      this.#push(collisions.second[pair]! as ObjectId, dx, dy, terrain);
    }
  }

  #add(avatar: AvatarEntity): void {
    this.#bodies.set(avatar.id, avatar);
    this.#collisions.add(avatar.id, BODY, avatar.x, avatar.y);
  }

  #push(id: ObjectId, dx: number, dy: number, terrain: Terrain): void {
    const avatar = this.#bodies.get(id);
    if (avatar !== undefined) terrain.slide(avatar, dx, dy, AVATAR_RADIUS);
  }
}
