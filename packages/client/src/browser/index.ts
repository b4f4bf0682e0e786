/** @nearfield/client/browser: a client in a page. */

export { join, type JoinOptions } from "./join.ts";
