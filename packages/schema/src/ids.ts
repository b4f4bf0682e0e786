/**
 * Object ids. An id packs a *slot* (the small number that travels on the wire and indexes every per-object column) with the
 * *generation* of that slot, so that a slot can be reused without an old message ever reaching the new object.
 */

declare const objectIdBrand: unique symbol;

/** slot + generation; two objects that ever share a slot differ in their id. */
export type ObjectId = number & { readonly [objectIdBrand]: true };

export const SLOT_BITS = 20;
/** Most objects a world can hold at once. */
export const MAX_SLOTS: number = 1 << SLOT_BITS;
/** Generations wrap at this number. Free slots are reused first in, first out, so a slot is used again only after all other free slots. */
export const GENERATIONS = 4096;

export function objectId(slot: number, generation: number): ObjectId {
  return (generation * MAX_SLOTS + slot) as ObjectId;
}

export function slotOf(id: ObjectId): number {
  return id & (MAX_SLOTS - 1);
}

export function generationOf(id: ObjectId): number {
  return id >>> SLOT_BITS;
}
