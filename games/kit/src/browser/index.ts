/** @nearfield/kit/browser: words for the elements of a page, shared by games and apps. */

export { escapeText, find, make, setText } from "./dom.ts";
export { fillWays } from "./ways.ts";
export { Writer } from "./writer.ts";
