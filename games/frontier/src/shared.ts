/**
 * What server, page and bots agree on. Everything that a server needs to go on with an object stands in its fields: the next round may be stepped by
 * another server. So there are no timers beside them; what must end counts rounds down in a field, or says where it began.
 */

import type { PresenterSettings } from "@nearfield/presentation";
import {
  angle,
  bool,
  command,
  event,
  int,
  NICKNAME_BYTES,
  object,
  Protocol,
  quantized,
  text,
  uint,
} from "@nearfield/schema";
import { socialMessages } from "@nearfield/social/client";

/** Ms between two rounds of a server. */
export const ROUND_MS = 50;
/** The country is a square of this side, world units. */
export const COUNTRY = 4000;
/** Bytes of what somebody says. */
export const WORDS_BYTES = 120;

const place = quantized(0, COUNTRY, 1 / 16);
const speed = quantized(-640, 640, 0.5);

export const Hero = object(
  "hero",
  {
    x: place,
    y: place,
    vx: speed,
    vy: speed,
    heading: angle(8),
    name: text(NICKNAME_BYTES),
    /** Index into the players' colours. */
    colour: uint(4),
    bot: bool(),
    health: uint(7),
    gold: uint(16),
    /** Cairns that it has heaped up. */
    cairns: uint(8),
    /** Whether the trigger is held down, and rounds until the next shot. */
    fires: bool(),
    reload: uint(4),
    /** Rounds until it rises again; 0: it stands. */
    down: uint(7),
    /** What it said last, and how often it has spoken: a page shows the words for a while after the count has risen. */
    says: text(WORDS_BYTES),
    said: uint(16),
  },
  { position: ["x", "y"], velocity: ["vx", "vy"], orientation: "heading" },
);

/** A shot in flight. It ends when it has flown far enough from where it began. */
export const Bolt = object(
  "bolt",
  { x: place, y: place, vx: speed, vy: speed, fromX: place, fromY: place, colour: uint(4) },
  { position: ["x", "y"], velocity: ["vx", "vy"] },
);

/** It lives around a den, and goes for heroes who come near. */
export const Beast = object(
  "beast",
  { x: place, y: place, vx: speed, vy: speed, heading: angle(6), health: uint(6), den: uint(8), turn: uint(7) },
  { position: ["x", "y"], velocity: ["vx", "vy"], orientation: "heading" },
);

/** What a felled beast leaves. Whoever walks over it has it. */
export const Gold = object("gold", { x: place, y: place, worth: uint(5) }, { position: ["x", "y"] });

/** A heap of stones with a hero's name. In a cluster it is safe before its hero hears of it. */
export const Cairn = object(
  "cairn",
  { x: place, y: place, name: text(NICKNAME_BYTES), number: uint(32) },
  { position: ["x", "y"] },
);

/** Where a hero goes and looks, and whether it shoots. Said when it changes; the hero goes on meanwhile. */
export const Go = command("go", {
  /** −127 to 127 each way; a longer vector counts as 127 long. */
  moveX: int(8),
  moveY: int(8),
  heading: angle(8),
  fires: bool(),
});

/** Heaps up a cairn where the hero stands; `number` is the hero's own, to know it again. */
export const Raise = command("raise", { number: uint(32) });
/** To the hero whose cairn stands: it stays from now on, whatever happens to servers. */
export const Raised = event("raised", { number: uint(32) });

export const Say = command("say", { words: text(WORDS_BYTES) });

export const protocol: Protocol = new Protocol({
  objects: [Hero, Bolt, Beast, Gold, Cairn],
  commands: [Go, Say, Raise, ...socialMessages.commands],
  events: [Raised, ...socialMessages.events],
});

/** The queue for duels. */
export const DUEL = "duel";
/** News to both: who has won. */
export const DUEL_OVER = "duel.over";

/**
 * How pages show what moves. Nothing is ever carried away in this country, so every correction is a glide: where a server was late by half a second, a hero
 * is 85 units off, which is 6 a frame for a quarter of a second. Only what is farther off than a page sees is somewhere else.
 */
export const presentation: PresenterSettings = {
  model: "linear",
  convergence: "linear",
  positionMs: 250,
  snapDistance: 700,
};
