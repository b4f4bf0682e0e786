/** What the tools work with: the board as it is shown, what may be asked for, and the person's present choices. */

import type { Box, Camera, Point } from "./camera.ts";
import type { Editor } from "./editor.ts";
import type { History } from "./history.ts";
import type { Paper } from "./paper.ts";
import type { Request } from "./requests.ts";
import type { ShownThing } from "./thing.ts";

export const TOOL_NAMES = ["select", "pen", "note", "text", "eraser"] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** A pointer on the board. */
export interface Press extends Point {
  readonly screenX: number;
  readonly screenY: number;
  /** Shift is held. */
  readonly adds: boolean;
  /** A finger, which is less exact. */
  readonly isTouch: boolean;
}

export interface Tool {
  down(press: Press): void;
  move(press: Press): void;
  up(press: Press): void;
  /** A second finger came, or Escape was pressed: as if nothing had begun. */
  cancel(): void;
}

export interface Desk {
  readonly camera: Camera;
  readonly paper: Paper;
  readonly history: History;
  readonly editor: Editor;
  /** Keys of what is selected. */
  readonly selection: Set<number>;
  /** Colour and size that new things get. */
  readonly colour: number;
  readonly size: number;
  /** The box that is being drawn around things, units. */
  band: Box | undefined;
  /** What the eraser has touched, but not yet erased. */
  readonly doomed: Set<number>;
  /** This person's number. */
  readonly self: number;
  /** Whether this person may erase the thing. */
  mayErase(thing: ShownThing): boolean;
  ask(request: Request): void;
  /** A key that nothing has. */
  newKey(): number;
  use(tool: ToolName): void;
  say(words: string): void;
}

/** How near a press must be to a thing, units. */
export function reachOf({ camera }: Desk, { isTouch }: Press): number {
  return (isTouch ? 14 : 6) / camera.zoom;
}
