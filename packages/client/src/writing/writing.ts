/** A client locks objects, and adds and removes objects of its own. Fields of own and of locked objects are written by assignment. */

import type { Entity } from "@nearfield/core";
import { REFUSAL_READERS, type WriteRefused } from "@nearfield/protocol/internal";
import type { Fields, ObjectId, ObjectType, Off, Values } from "@nearfield/schema";
import type { Client } from "../client.ts";
import type { Handlers } from "../news.ts";
import type { Replicated } from "../presented.ts";
import { Wishes } from "../wishes.ts";

/** Lets the game write fields of own objects (`owner` mode) by assignment. The other functions of this entry point do so, too. Before, such a write throws. */
export function enableWriting({ inside }: Client): void {
  Wishes.of(inside);
}

/** Asks for the lock of an object; resolves when it is held, with the object as the server has it. */
export function lock<F extends Fields>({ inside }: Client, entity: Entity<F>): Promise<Entity<F>> {
  return Wishes.of(inside).lock(entity as unknown as Entity) as unknown as Promise<Entity<F>>;
}

/** Gives a lock back. What was written under the lock is sent with it. */
export function release({ inside }: Client, { id }: { readonly id: ObjectId }): void {
  Wishes.of(inside).release(id);
}

/** Adds an object of this client's own; resolves when it is here. Fields that are left out start at their initial value. */
export async function add<F extends Fields>(
  { inside }: Client,
  type: ObjectType<F>,
  values: Partial<Values<F>>,
): Promise<Replicated<F>> {
  return (await Wishes.of(inside).add(type as unknown as ObjectType, values)) as unknown as Replicated<F>;
}

/** Asks the server to destroy an object of this client's own. */
export function remove({ inside }: Client, { id }: { readonly id: ObjectId }): void {
  Wishes.of(inside).push({ kind: "remove", id });
}

/** A write or a removal was refused, or a lock was taken back. Returns a function that takes the handler back. */
export function onRefused({ inside }: Client, handler: Handlers["refusal"]): Off {
  const { session, news } = inside;
  Wishes.of(inside);
  session.learn<WriteRefused>(REFUSAL_READERS, ({ id, refusal }, isNews) => {
    if (isNews) news.tell("refusal", id, refusal);
  });
  return news.on("refusal", handler);
}
