/** What server, page and bots agree on: who walks in the town, and the messages. Chat, parties, goods and trades are those of @nearfield/social. */

import type { PresenterSettings } from "@nearfield/presentation";
import { angle, bool, command, int, NICKNAME_BYTES, object, Protocol, quantized, text, uint } from "@nearfield/schema";
import { socialMessages } from "@nearfield/social/client";
import { spaceCommands, spaceEvents } from "@nearfield/social/peer";
import { TOWN_WIDTH } from "./town/plan.ts";

/** Ms between two rounds of the server. */
export const ROUND_MS = 50;

const place = quantized(0, TOWN_WIDTH, 1 / 16);
const speed = quantized(-256, 256, 0.5);
const ACCOUNT_BYTES = 40;

export const Avatar = object(
  "avatar",
  {
    x: place,
    y: place,
    vx: speed,
    vy: speed,
    heading: angle(8),
    /** Index into the players' colours. */
    colour: uint(4),
    name: text(NICKNAME_BYTES),
    /** What others trade with and invite; empty for visitors who have none. */
    account: text(ACCOUNT_BYTES),
    bot: bool(),
    /** In a dungeon: nobody sees it in the town. */
    away: bool(),
    /** Carries a light. */
    lantern: bool(),
  },
  { position: ["x", "y"], velocity: ["vx", "vy"], orientation: "heading" },
);

/** Where a player walks and looks, once a frame (`predict(client, avatar, Walk, walkInTown)`). */
export const Walk = command("walk", {
  /** −127 to 127 each way; a longer vector counts as 127 long. */
  moveX: int(8),
  moveY: int(8),
  heading: angle(8),
});

export const protocol: Protocol = new Protocol({
  objects: [Avatar],
  commands: [Walk, ...socialMessages.commands, ...spaceCommands],
  events: [...socialMessages.events, ...spaceEvents],
});

/** How pages show who walks. */
export const avatarPresentation: PresenterSettings = {
  model: "linear",
  convergence: "linear",
  positionMs: 120,
  snapDistance: 80,
};

/** What this kind of action space is called. */
export const DUNGEON_KIND = "dungeon";
/** The question by which a party's leader goes down; `heroes` counts bots too. */
export const DESCEND = "outpost.descend";
/** The question by which a page deals with the merchant: a `Deal`. */
export const DEAL = "outpost.deal";
/** Said when a page is out of a dungeon, however it got out. */
export const RETURN = "outpost.return";
