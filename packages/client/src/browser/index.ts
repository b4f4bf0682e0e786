/** @nearfield/client/browser: a client in a page. */

export { type JoinOptions, join } from "./join.ts";
