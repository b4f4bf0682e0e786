/** @nearfield/client/writing: a client writes fields of its own objects, locks objects, and adds and removes objects of its own. A page that does nothing of this does not load it. */

export { add, enableWriting, lock, onRefused, release, remove } from "./writing.ts";
