/** The keyboard: one letter for each tool and choice, the usual keys for undo, delete and zoom. */

import type { ToolName } from "../desk.ts";

export interface KeyActions {
  use(tool: ToolName): void;
  colour(index: number): void;
  undo(): void;
  redo(): void;
  erase(): void;
  selectAll(): void;
  escape(): void;
  write(): void;
  nudge(dx: number, dy: number): void;
  zoom(factor: number): void;
  zoomTo(zoom: number): void;
  showAll(): void;
  overlay(): void;
  help(): void;
  space(held: boolean): void;
}

const TOOLS: Readonly<Record<string, ToolName>> = {
  KeyS: "select",
  KeyP: "pen",
  KeyN: "note",
  KeyT: "text",
  KeyE: "eraser",
};
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const ZOOM_STEP = 1.25;
/** Arrows move by so much, units; with Shift by ten times as much. */
const NUDGE = 2;

/** Listens until the page goes. Keys that are typed into a field are left alone. */
export function listenToKeys(actions: KeyActions): void {
  addEventListener("keydown", (event) => {
    if (isTyping(event) || !press(event, actions)) return;
    event.preventDefault();
  });
  addEventListener("keyup", ({ code }) => {
    if (code === "Space") actions.space(false);
  });
  addEventListener("blur", () => actions.space(false));
}

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
}

/** Whether the key meant something. */
function press(event: KeyboardEvent, actions: KeyActions): boolean {
  const { code, key, shiftKey } = event;
  if (event.ctrlKey || event.metaKey) return pressWithControl(code, shiftKey, actions);
  const tool = TOOLS[code];
  const arrow = ARROWS[code];
  if (key === "?") actions.help();
  else if (key === "+" || key === "=") actions.zoom(ZOOM_STEP);
  else if (key === "-") actions.zoom(1 / ZOOM_STEP);
  else if (tool !== undefined) actions.use(tool);
  else if (arrow !== undefined)
    actions.nudge(arrow[0] * NUDGE * (shiftKey ? 10 : 1), arrow[1] * NUDGE * (shiftKey ? 10 : 1));
  else if (/^Digit[1-8]$/.test(code)) actions.colour(Number(code.at(-1)) - 1);
  else
    switch (code) {
      case "Digit0":
        actions.zoomTo(1);
        break;
      case "Home":
        actions.showAll();
        break;
      case "Delete":
      case "Backspace":
        actions.erase();
        break;
      case "Escape":
        actions.escape();
        break;
      case "Enter":
        actions.write();
        break;
      case "KeyV":
        actions.overlay();
        break;
      case "Space":
        actions.space(true);
        break;
      default:
        return false;
    }
  return true;
}

function pressWithControl(code: string, shiftKey: boolean, actions: KeyActions): boolean {
  if (code === "KeyZ") (shiftKey ? actions.redo : actions.undo).call(actions);
  else if (code === "KeyY") actions.redo();
  else if (code === "KeyA") actions.selectAll();
  else return false;
  return true;
}
