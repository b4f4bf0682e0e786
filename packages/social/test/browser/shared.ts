/** What the pages of the browser test and their server share. */

import { object, Protocol, uint } from "@nearfield/schema";
import { spaceCommands, spaceEvents } from "../../src/peer/index.ts";

/** Side of the square in which the fight begins. */
export const WORLD = 200;

export const Dot = object("dot", { x: uint(8), y: uint(8) }, { position: ["x", "y"] });
export const protocol = new Protocol({ objects: [Dot], commands: spaceCommands, events: spaceEvents });
