/** The bars of buttons: tools, colours, sizes, undo, zoom. They show what is chosen, and say what was pressed. */

import { find, make, setText } from "@nearfield/kit/browser";
import { SIZES } from "../shared.ts";
import type { ToolName } from "./desk.ts";
import { COLOUR_NAMES, INK } from "./palette.ts";

export interface ToolbarActions {
  use(tool: ToolName): void;
  colour(index: number): void;
  size(index: number): void;
  undo(): void;
  redo(): void;
  erase(): void;
  zoom(factor: number): void;
  zoomTo(zoom: number): void;
  showAll(): void;
  overlay(): void;
  help(): void;
}

export interface ToolbarState {
  readonly tool: ToolName;
  readonly colour: number;
  readonly size: number;
  readonly zoom: number;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly selected: number;
  readonly overlay: boolean;
}

const SIZE_NAMES = ["small", "medium", "large"];

export class Toolbar {
  readonly #root: HTMLElement;
  readonly #tools: readonly HTMLElement[];
  readonly #colours: readonly HTMLElement[];
  readonly #sizes: readonly HTMLElement[];

  constructor(root: HTMLElement, actions: ToolbarActions) {
    this.#root = root;
    for (const button of root.querySelectorAll<HTMLButtonElement>("[data-use]"))
      listen(button, () => actions.use(button.dataset["use"] as ToolName));
    const colours = find("#colours", root);
    for (const [index, name] of COLOUR_NAMES.entries()) {
      const title = `${name} (${index + 1})`;
      const button = make("button", { type: "button", title, "aria-label": title, "data-colour": String(index) });
      button.style.setProperty("--colour", INK[index]!);
      listen(button, () => actions.colour(index));
      colours.append(button);
    }
    const sizes = find("#sizes", root);
    for (let index = 0; index < SIZES; index++) {
      const title = SIZE_NAMES[index]!;
      const button = make(
        "button",
        { type: "button", title, "aria-label": title, "data-size": String(index) },
        make("i"),
      );
      listen(button, () => actions.size(index));
      sizes.append(button);
    }
    this.#tools = [...root.querySelectorAll<HTMLElement>("[data-use]")];
    this.#colours = [...root.querySelectorAll<HTMLElement>("[data-colour]")];
    this.#sizes = [...root.querySelectorAll<HTMLElement>("[data-size]")];
    for (const [id, act] of [
      ["undo", () => actions.undo()],
      ["redo", () => actions.redo()],
      ["erase", () => actions.erase()],
      ["zoom-in", () => actions.zoom(1.25)],
      ["zoom-out", () => actions.zoom(0.8)],
      ["zoom-level", () => actions.zoomTo(1)],
      ["show-all", () => actions.showAll()],
      ["net", () => actions.overlay()],
      ["help-open", () => actions.help()],
    ] as const)
      listen(find(`#${id}`, root), act);
  }

  show(state: ToolbarState): void {
    const root = this.#root;
    if (root.dataset["tool"] !== state.tool) root.dataset["tool"] = state.tool;
    for (const button of this.#tools) press(button, button.dataset["use"] === state.tool);
    for (const button of this.#colours) press(button, button.dataset["colour"] === String(state.colour));
    for (const button of this.#sizes) press(button, button.dataset["size"] === String(state.size));
    press(find("#net", root), state.overlay);
    enable(find("#undo", root), state.canUndo);
    enable(find("#redo", root), state.canRedo);
    enable(find("#erase", root), state.selected > 0);
    setText(find("#zoom-level", root), `${Math.round(state.zoom * 100)} %`);
  }
}

function listen(button: HTMLElement, act: () => void): void {
  button.addEventListener("click", () => {
    act();
    // The keyboard goes back to the board.
    button.blur();
  });
}

function press(button: HTMLElement, isPressed: boolean): void {
  const value = String(isPressed);
  if (button.getAttribute("aria-pressed") !== value) button.setAttribute("aria-pressed", value);
}

function enable(button: HTMLElement, isEnabled: boolean): void {
  const { disabled } = button as HTMLButtonElement;
  if (disabled === isEnabled) (button as HTMLButtonElement).disabled = !isEnabled;
}
