/**
 * The ways out of a game's page: to the playground around it, to the documents, and to its own code. Written once, so that all games have the
 * same. A page that stands elsewhere than in the playground has nothing behind these addresses; it leaves out `data-ways`.
 */

import { make } from "./dom.ts";

/** Fills every `<nav data-ways="GAME">` of the page; GAME is the game's folder in `games/`. */
export function fillWays(within: ParentNode = document): void {
  for (const nav of within.querySelectorAll<HTMLElement>("[data-ways]")) {
    nav.replaceChildren(
      make("a", { href: "/" }, "Playground"),
      make("a", { href: "/source/docs/guide/getting-started.md" }, "Build your own"),
      make("a", { href: `/source/games/${nav.dataset["ways"]}/` }, "This game's code"),
    );
  }
}
