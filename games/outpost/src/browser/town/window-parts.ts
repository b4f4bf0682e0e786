/** What the windows of the town are made of. */

import type { PageAccount } from "@nearfield/kit/browser";
import { make } from "@nearfield/kit/browser";
import type { Good } from "../../goods.ts";
import type { Deals } from "./deals.ts";
import type { Standing } from "./standing.ts";

/** Somebody else in the town who can be invited and traded with. */
export interface Neighbour {
  readonly account: string;
  readonly name: string;
  readonly colour: string;
}

export interface WindowWorld {
  readonly standing: Standing;
  readonly neighbours: readonly Neighbour[];
  readonly deals: Deals;
  readonly account: PageAccount;
  /** Goes down with so many heroes. */
  readonly descend: (heroes: number) => void;
  readonly close: () => void;
  /** Leaves the town, and the account too. */
  readonly logOut: () => void;
  /** How many heroes the player wants; kept while the page is open. */
  heroes: number;
  /** How many of a ware a deal is about; kept likewise. */
  dealCount: number;
}

/** Several of a good, in words. */
export const WORDS: Readonly<Record<Good, string>> = {
  gold: "gold",
  amber: "amber",
  ruby: "rubies",
  relic: "relics",
  lantern: "lanterns",
};

export function button(
  words: string,
  press: () => void,
  attributes: Readonly<Record<string, string>> = {},
): HTMLButtonElement {
  const element = make("button", { type: "button", ...attributes }, words);
  element.addEventListener("click", press);
  return element;
}
