/** @nearfield/client/writing: a client locks objects, and adds and removes objects of its own. A page that does nothing of this does not load it. */

export { add, lock, onRefused, release, remove } from "./writing.ts";
