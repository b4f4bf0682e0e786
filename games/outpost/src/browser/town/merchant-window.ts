/** The merchant's window: what it asks and gives for each ware, and what the player has of it. A deal is about one, five or twenty at once. */

import { make } from "@nearfield/kit/browser";
import { type Deal, goldFor, WARES, type Ware } from "../../merchant.ts";
import { coin } from "../hud/purse.ts";
import { button, type WindowWorld, WORDS } from "./window-parts.ts";

const COUNTS = [1, 5, 20] as const;

export function merchantNodes(world: WindowWorld): Node[] {
  const { goods } = world.standing;
  const gold = goods.gold ?? 0;
  const hasNothing = gold === 0 && WARES.every((ware) => (goods[ware] ?? 0) === 0);
  const words = hasNothing
    ? "You have neither gold nor anything to sell yet. Go through the gate, and carry something out."
    : "Gems and relics for gold, gold for what you fancy. A lantern's light goes with you through the town.";
  return [
    make("p", { class: hasNothing ? "empty" : "" }, words),
    counts(world),
    make("ul", { class: "list wares" }, ...WARES.map((ware) => row(world, ware, gold))),
    make("p", { id: "deal-words", role: "status" }, world.deals.isOpen ? "The merchant counts…" : ""),
  ];
}

function counts(world: WindowWorld): HTMLElement {
  const choices = COUNTS.map((count) => {
    const choice = button(String(count), () => {
      world.dealCount = count;
    });
    choice.id = `deal-${count}`;
    choice.setAttribute("aria-pressed", String(count === world.dealCount));
    return choice;
  });
  return make("div", { class: "counts", role: "group", "aria-label": "How many" }, "How many", ...choices);
}

function row(world: WindowWorld, ware: Ware, gold: number): HTMLElement {
  const has = world.standing.goods[ware] ?? 0;
  const count = world.dealCount;
  const act = (side: Deal["side"], can: boolean): HTMLButtonElement => {
    const deal = { side, ware, count };
    const price = goldFor(deal);
    const words = side === "buy" ? "Buy" : "Sell";
    const press = button("", () => world.deals.begin(deal), {
      "data-deal": `${side} ${ware}`,
      "aria-label": `${words} ${count} ${WORDS[ware]} for ${price} gold`,
    });
    press.append(words, make("b", {}, coin("gold"), String(price)));
    press.disabled = !can;
    // Not disabled: the keyboard would lose its place.
    if (world.deals.isOpen) press.setAttribute("aria-disabled", "true");
    return press;
  };
  const isEnough = gold >= goldFor({ side: "buy", ware, count });
  return make(
    "li",
    { "data-good": ware },
    coin(ware),
    make("span", {}, WORDS[ware], make("small", {}, has === 0 ? "none" : `you have ${has}`)),
    act("sell", has >= count),
    act("buy", isEnough),
  );
}
