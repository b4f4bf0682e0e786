/** What the windows of the town show. Here: the stash, the party board, the market with its trades, and the gate. */

import { make } from "@nearfield/kit/browser";
import { MOST_PLAYERS } from "../../dungeon/numbers.ts";
import { GOODS, type Good } from "../../goods.ts";
import type { Place } from "../../town/plan.ts";
import { css, LOOT_TINTS } from "../art/palette.ts";
import { coin, coins } from "../hud/purse.ts";
import type { WindowContents } from "../hud/windows.ts";
import { accountNodes } from "./account-window.ts";
import { merchantNodes } from "./merchant-window.ts";
import type { Standing } from "./standing.ts";
import { button, type Neighbour, type WindowWorld, WORDS } from "./window-parts.ts";

/** The windows: one for each place of the town, and the own account's. */
export type WindowName = Place | "account";

export function contentsOf(name: WindowName, world: WindowWorld): WindowContents {
  const { standing, neighbours } = world;
  // Somebody may be typing in this one: it changes with the account alone.
  if (name === "account")
    return { title: "Your account", version: `account ${world.account.name ?? ""}`, make: () => accountNodes(world) };
  if (name === "merchant") {
    const version = `merchant ${standing.version} ${world.deals.version} ${world.dealCount}`;
    return { title: "Merchant", version, make: () => merchantNodes(world) };
  }
  const version = `${name} ${standing.version} ${neighbours.map(({ account }) => account).join()}`;
  if (name === "stash") return { title: "Your stash", version, make: () => stash(standing) };
  if (name === "market") return { title: "Market", version, make: () => market(world) };
  if (name === "board") return { title: "Party board", version, make: () => board(world) };
  return { title: "The gate", version, make: () => gate(world) };
}

function stash({ goods }: Standing): Node[] {
  const isEmpty = GOODS.every((good) => (goods[good] ?? 0) === 0);
  const chest = make("ul", { class: "chest" });
  for (const good of GOODS) {
    const entry = make(
      "li",
      { "data-good": good },
      coin(good),
      make("b", {}, String(goods[good] ?? 0)),
      make("small", {}, WORDS[good]),
    );
    entry.style.setProperty("--colour", css(LOOT_TINTS[good]!));
    chest.append(entry);
  }
  const words = isEmpty
    ? "Nothing yet. Go through the gate with a party, and carry something out."
    : "What you carried out is kept on the server. It is here when you come back, also after the server was started anew.";
  return [make("p", {}, words), chest];
}

function person({ name, colour }: Neighbour, ...more: readonly Node[]): HTMLElement {
  const line = make("li", {}, make("i"), make("span", {}, name), ...more);
  line.style.setProperty("--colour", colour);
  return line;
}

function board(world: WindowWorld): Node[] {
  const { standing, neighbours } = world;
  const { party, invited } = standing;
  const nodes: Node[] = [];
  if (invited)
    nodes.push(
      make("h3", {}, "Invitation"),
      make(
        "ul",
        { class: "list" },
        make(
          "li",
          {},
          make("span", {}, `${invited.name} invites you`),
          button("Join", () => standing.join(invited.party), { class: "primary", id: "party-join" }),
        ),
      ),
    );
  nodes.push(make("h3", {}, "Your party"));
  if (party)
    nodes.push(
      make(
        "ul",
        { class: "list", id: "party-members" },
        ...party.members.map(({ account, name }) =>
          person(
            { account, name: nameIn(world, account, name), colour: colourIn(world, account) },
            make("small", {}, account === party.leader ? "leads" : ""),
          ),
        ),
      ),
      make(
        "div",
        { class: "row" },
        button("Leave the party", () => standing.leaveParty()),
      ),
    );
  else nodes.push(make("p", {}, "You are on your own. Invite somebody below, or go down with people of the town."));
  nodes.push(make("h3", {}, "In town"));
  const free = neighbours.filter(({ account }) => !party?.members.some((member) => member.account === account));
  if (free.length === 0)
    nodes.push(
      make("p", { class: "empty" }, "Nobody else is here right now. People of the town fill your party at the gate."),
    );
  else
    nodes.push(
      make(
        "ul",
        { class: "list" },
        ...free.map((neighbour) =>
          person(
            neighbour,
            button("Invite", () => void standing.invite(neighbour.account), { "data-invite": neighbour.name }),
          ),
        ),
      ),
    );
  nodes.push(...heroesChoice(world));
  return nodes;
}

function gate(world: WindowWorld): Node[] {
  const { party, account } = world.standing;
  const isLeader = party === undefined || party.leader === account;
  const count = party?.members.length ?? 1;
  const words = isLeader
    ? `${count === 1 ? "You go" : `Your party of ${count} goes`} down, and people of the town fill it up.`
    : "The leader of your party decides when you go down.";
  return [make("p", {}, words), ...heroesChoice(world)];
}

function heroesChoice(world: WindowWorld): Node[] {
  const { party, account } = world.standing;
  const least = party?.members.length ?? 1;
  if (party !== undefined && party.leader !== account) return [];
  world.heroes = Math.max(world.heroes, least);
  const count = make("b", { id: "heroes-count" }, String(world.heroes));
  const slider = make("input", {
    type: "range",
    id: "heroes",
    min: String(least),
    max: String(MOST_PLAYERS),
    "aria-label": "Heroes",
    value: String(world.heroes),
  });
  slider.addEventListener("input", () => {
    world.heroes = Number(slider.value);
    count.textContent = slider.value;
  });
  return [
    make("h3", {}, "How many heroes"),
    make("label", { class: "list" }, make("span", {}, "Heroes, people of the town included: ", count), slider),
    make(
      "div",
      { class: "row" },
      button("Go down", () => world.descend(world.heroes), { class: "primary", id: "descend" }),
    ),
  ];
}

function market(world: WindowWorld): Node[] {
  const { standing, neighbours } = world;
  if (standing.trade) return tradeNodes(world);
  const nodes: Node[] = [];
  const { tradeAsked } = standing;
  if (tradeAsked)
    nodes.push(
      make(
        "ul",
        { class: "list" },
        make(
          "li",
          {},
          make("span", {}, `${nameIn(world, tradeAsked.account, tradeAsked.name)} wants to trade`),
          button("Accept", () => standing.acceptTrade(tradeAsked.account), { class: "primary", id: "trade-accept" }),
        ),
      ),
    );
  nodes.push(
    make(
      "p",
      {},
      "Ask somebody who is in town. Both lay out what they give; the goods change hands when both have agreed to the same offer.",
    ),
  );
  if (neighbours.length === 0) nodes.push(make("p", { class: "empty" }, "Nobody to trade with is here right now."));
  else
    nodes.push(
      make(
        "ul",
        { class: "list" },
        ...neighbours.map((neighbour) =>
          person(
            neighbour,
            button("Trade", () => void standing.askTrade(neighbour.account), { "data-trade": neighbour.name }),
          ),
        ),
      ),
    );
  return nodes;
}

function tradeNodes(world: WindowWorld): Node[] {
  const { standing } = world;
  const trade = standing.trade!;
  const own = trade.sides.find(({ account }) => account === standing.account)!;
  const other = trade.sides.find(({ account }) => account !== standing.account)!;
  const inputs = new Map<Good, HTMLInputElement>();
  const offered = countsOf(own.gives);
  const give = make("div", { "data-confirmed": String(own.hasConfirmed) }, make("h3", {}, "You give"));
  for (const good of GOODS) {
    const input = make("input", {
      type: "number",
      min: "0",
      max: String(standing.goods[good] ?? 0),
      value: String(offered[good] ?? 0),
      "data-give": good,
      "aria-label": `Give ${WORDS[good]}`,
    });
    input.addEventListener("change", () =>
      standing.offer(
        Object.fromEntries(
          [...inputs].map(([kind, { value, max }]) => [
            kind,
            Math.min(Number(max), Math.max(0, Math.floor(Number(value)))),
          ]),
        ),
      ),
    );
    inputs.set(good, input);
    give.append(make("label", {}, coin(good), make("span", {}, `of ${standing.goods[good] ?? 0}`), input));
  }
  const received = coins(countsOf(other.gives));
  const name = nameIn(world, other.account, "The other");
  const get = make("div", { "data-confirmed": String(other.hasConfirmed) }, make("h3", {}, `${name} gives`));
  get.append(
    received.length === 0 ? make("p", { class: "empty" }, "Nothing yet") : make("ul", { class: "loot" }, ...received),
  );
  if (other.hasConfirmed) get.append(make("p", {}, "Agrees"));
  const agree = button(own.hasConfirmed ? "Agreed" : "Agree", () => standing.confirmTrade(), {
    class: "primary",
    id: "trade-agree",
  });
  agree.disabled = own.hasConfirmed || trade.state === "settling";
  return [
    make("div", { class: "offers" }, give, get),
    make(
      "div",
      { class: "row" },
      button("Call it off", () => standing.cancelTrade()),
      agree,
    ),
  ];
}

function countsOf(lots: readonly { readonly item: string; readonly count: number }[]): Partial<Record<Good, number>> {
  return Object.fromEntries(lots.map(({ item, count }) => [item, count]));
}

/** Guests have no name at the server that others would know; the town shows the one they chose. */
function nameIn({ neighbours, standing }: WindowWorld, account: string, otherwise: string): string {
  if (account === standing.account) return "You";
  return neighbours.find((neighbour) => neighbour.account === account)?.name ?? otherwise;
}

function colourIn({ neighbours }: WindowWorld, account: string): string {
  return neighbours.find((neighbour) => neighbour.account === account)?.colour ?? "#ffb968";
}
