/** Stores that processes share, by a text that fits on a command line. */
import { LmdbStore, type Store } from "@nearfield/store/node";

/** @param place "lmdb:" and a folder. */
export function openPlace(place: string): Promise<Store> {
  return LmdbStore.open(place.replace(/^lmdb:/, ""));
}
