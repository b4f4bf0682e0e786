/**
 * The view editor: the selected client's view as a form beside draggable rings, what it would cost before it is applied, and the
 * configuration file. The form is built anew when the edited view changes by anything but its own fields.
 */
import { find, make, setText } from "../dom.ts";
import type { DrawnSet } from "../feed-types.ts";
import { setFigure } from "../figures.ts";
import type { State } from "../state.ts";
import type { Editor } from "../view/editor.ts";
import { setFields } from "../view/fields.ts";
import { matchName } from "../view/form.ts";
import { PreviewBox } from "./preview.ts";
import { recordedView } from "./recorded-view.ts";
import { SettingsFileLine } from "./settings-file.ts";

export interface ViewActions {
  apply(target: "one" | "all"): void;
  reload(): void;
  save(): void;
  loadFile(): void;
  loadFromServer(): void;
  changed(): void;
}

export class ViewsPanel {
  readonly #place = find("#views-editor");
  readonly #empty = find("#views-empty");
  readonly #settings = new SettingsFileLine(find("#views-settings"));
  readonly #state: State;
  readonly #editor: Editor;
  readonly #actions: ViewActions;
  readonly #fields = make("div", { class: "editor" });
  readonly #slider = make("input", { type: "range", min: "0", max: "100", step: "1", "aria-label": "Zoom factor" });
  readonly #preview = new PreviewBox();
  #shown: readonly unknown[] = [];
  #recorded: readonly DrawnSet[] | undefined;
  #message = "";

  constructor(state: State, editor: Editor, actions: ViewActions) {
    this.#state = state;
    this.#editor = editor;
    this.#actions = actions;
    this.#build();
  }

  say(message: string, isBad: boolean): void {
    this.#message = message;
    const place = find("#view-message", this.#place);
    setText(place, message);
    place.className = isBad ? "problem" : "good";
  }

  /** The view that a client had at a recorded moment, to read. @param sets undefined: it was not there */
  showRecorded(sets: readonly DrawnSet[] | undefined): void {
    const { player } = this.#state;
    const place = find("#views-recorded");
    this.#settings.show(undefined);
    this.#place.hidden = true;
    place.hidden = sets === undefined;
    setText(find("#title-views"), "View");
    this.#empty.hidden = sets !== undefined;
    const words =
      player === undefined
        ? "Choose a client above to see the view that it had at this moment."
        : "This client was not in the room at this moment. Move the slider.";
    setText(this.#empty, words);
    if (sets === this.#recorded || sets === undefined) return;
    this.#recorded = sets;
    place.replaceChildren(...recordedView(sets));
  }

  show(): void {
    find("#views-recorded").hidden = true;
    setText(find("#title-views"), "View editor");
    const { report, player, preview, client } = this.#state;
    this.#settings.show(report);
    const editor = this.#editor;
    const words = emptyWords(report?.clients.length ?? 0, player);
    const isOpen = words === undefined && editor.form !== undefined;
    this.#empty.hidden = isOpen;
    this.#place.hidden = !isOpen;
    if (!isOpen) {
      setText(this.#empty, words ?? "Asking for the view …");
      return;
    }
    this.#showFields();
    this.#showZoom();
    const { problems } = editor;
    setText(find("#view-problems", this.#place), problems.slice(0, 3).join(". "));
    this.#preview.show(problems.length > 0 ? undefined : preview, problems.length === 0);
    find("#view-load-server", this.#place).hidden = this.#state.welcome?.viewFile == null;
    const one = find<HTMLButtonElement>("#view-apply-one", this.#place);
    setText(one, `Apply to ${client?.nickname ?? "this client"}`);
    for (const button of this.#place.querySelectorAll<HTMLButtonElement>("[data-needs-valid]"))
      button.disabled = problems.length > 0;
    find("#view-revert", this.#place).hidden = !editor.isChanged;
  }

  /** A field that is being typed in keeps its text: the form is built anew only when another set or form is edited. */
  #showFields(): void {
    const { form, set, setIndex } = this.#editor;
    const shown = [form, setIndex];
    if (shown.every((part, index) => part === this.#shown[index])) return;
    this.#shown = shown;
    const focus = focusIn(this.#fields);
    const sets = form!.sets.map(({ match }, index) => {
      const button = make(
        "button",
        { type: "button", "aria-pressed": String(index === setIndex) },
        form!.sets.length === 1 ? "everything" : matchName(match),
      );
      button.addEventListener("click", () => {
        this.#editor.setIndex = index;
        this.#actions.changed();
      });
      return button;
    });
    this.#fields.replaceChildren(
      make("div", { class: "sets", role: "group", "aria-label": "Object set" }, ...sets),
      ...setFields(set!, (changed) => {
        this.#editor.change(changed);
        this.#actions.changed();
      }),
    );
    restoreFocus(this.#fields, focus);
  }

  /** Built once, so that a drag of the slider is not cut short by a new form. */
  #zoomField(): HTMLElement {
    this.#slider.addEventListener("input", () => {
      const factor = 2 ** ((Number(this.#slider.value) - 50) / 25);
      this.#editor.zoom = Math.round(factor * 20) / 20;
      this.#actions.changed();
    });
    return make("label", { class: "field" }, "Zoom", this.#slider, make("output", { "data-figure": "editor.zoom" }));
  }

  #showZoom(): void {
    const { zoom } = this.#editor;
    const { map, player: selected } = this.#state;
    const scale = zoom ?? map?.views.find(({ player }) => player === selected)?.pivots[0]?.scale ?? 1;
    if (document.activeElement !== this.#slider) this.#slider.value = String(Math.round(50 + 25 * Math.log2(scale)));
    setFigure(
      this.#place,
      "editor.zoom",
      zoom,
      zoom === null ? `as it is (${Math.round(scale * 100) / 100}×)` : `${zoom}×`,
    );
  }

  #build(): void {
    const button = (text: string, attributes: Record<string, string>, action: () => void): HTMLElement => {
      const element = make("button", { type: "button", ...attributes }, text);
      element.addEventListener("click", action);
      return element;
    };
    const limits = make("input", { type: "checkbox", id: "view-unlimited" });
    limits.checked = this.#editor.isUnlimited;
    limits.addEventListener("change", () => {
      this.#editor.isUnlimited = limits.checked;
      this.#actions.changed();
    });
    this.#place.replaceChildren(
      this.#fields,
      this.#zoomField(),
      make("label", { class: "hint" }, limits, "beyond what clients may ask for"),
      this.#preview.place,
      make(
        "div",
        { class: "apply" },
        this.#preview.summary,
        make("p", { class: "problem", id: "view-problems", role: "status" }),
        make(
          "div",
          { class: "toolbar" },
          button("Apply", { class: "main", id: "view-apply-one", "data-needs-valid": "" }, () =>
            this.#actions.apply("one"),
          ),
          button("Apply to all", { id: "view-apply-all", "data-needs-valid": "" }, () => this.#actions.apply("all")),
          button("Undo", { id: "view-revert" }, () => this.#actions.reload()),
        ),
        make(
          "div",
          { class: "toolbar" },
          button("Save as file", { id: "view-save", "data-needs-valid": "" }, () => this.#actions.save()),
          button("Open a file", { id: "view-load" }, () => this.#actions.loadFile()),
          button("From the server's file", { id: "view-load-server" }, () => this.#actions.loadFromServer()),
        ),
        make("p", { id: "view-message", role: "status" }, this.#message),
      ),
    );
  }
}

function emptyWords(clients: number, player: number | undefined): string | undefined {
  if (clients === 0) return "No clients yet: there is no view to edit.";
  return player === undefined ? "Choose a client above: its view is the one to begin with." : undefined;
}

interface Focus {
  readonly label: string;
  /** What was typed and not taken yet; undefined: nothing. */
  readonly typed: string | undefined;
}

/** Which field has the focus, so that it keeps it, and what was typed, when the form is built anew. */
function focusIn(place: HTMLElement): Focus | undefined {
  const focused = document.activeElement;
  const label = focused?.getAttribute("aria-label");
  if (!(focused instanceof HTMLElement) || !place.contains(focused) || label == null) return undefined;
  const isTyped = focused instanceof HTMLInputElement && focused.value !== focused.defaultValue;
  return { label, typed: isTyped ? focused.value : undefined };
}

function restoreFocus(place: HTMLElement, focus: Focus | undefined): void {
  if (focus === undefined) return;
  const field = place.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focus.label)}"]`);
  field?.focus();
  if (!(field instanceof HTMLInputElement)) return;
  // As after the Tab key, so that what is typed next replaces the number.
  if (focus.typed === undefined) field.select();
  else field.value = focus.typed;
}
