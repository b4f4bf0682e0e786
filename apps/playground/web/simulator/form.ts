/**
 * The settings as a form: a labelled control per field, with an error message beside it. An invalid value stays in its field and
 * changes nothing; fields that the chosen model does not use are hidden.
 */

import { make, setText } from "@nearfield/kit/browser";
import { type Field, type FieldGroup, problemOf, readValue, textOf } from "./field.ts";
import { NOTHING_TOLD, type Told } from "./network-trace.ts";
import type { SimulatorSettings } from "./settings.ts";

type Control = HTMLInputElement | HTMLSelectElement;

interface Row {
  readonly field: Field;
  readonly element: HTMLElement;
  readonly control: Control;
  readonly problem: HTMLElement;
}

export class SettingsForm {
  readonly #rows: Row[] = [];

  /** @param change told of a field with a value that can be used */
  constructor(
    parent: HTMLElement,
    groups: readonly FieldGroup[],
    change: (name: keyof SimulatorSettings, value: SimulatorSettings[keyof SimulatorSettings]) => void,
  ) {
    // Enter sends nothing anywhere.
    parent.addEventListener("submit", (event) => event.preventDefault());
    for (const group of groups) {
      const legend = make("legend", {}, group.title);
      const fieldset = make("fieldset", { "data-group": group.id }, legend);
      for (const field of group.fields) {
        const row = makeRow(field);
        row.control.addEventListener("change", () => {
          if (tell(row) === undefined) change(field.name, readValue(field, read(row)));
        });
        row.control.addEventListener("input", () => tell(row));
        leaveWhenChosen(row.control);
        fieldset.append(row.element);
        this.#rows.push(row);
      }
      parent.append(fieldset);
    }
  }

  show(settings: SimulatorSettings, told: Told = NOTHING_TOLD): void {
    for (const { field, element, control, problem } of this.#rows) {
      element.hidden = !(field.isUsed?.(settings, told) ?? true);
      const text = textOf(field, settings);
      if (control instanceof HTMLInputElement && control.type === "checkbox") control.checked = text === "yes";
      else if (control.value !== text) control.value = text;
      control.removeAttribute("aria-invalid");
      setText(problem, "");
    }
  }
}

/** Takes the focus away after a choice by pointer or Enter, since the person wants to steer next: arrow keys must not change the choice again. */
function leaveWhenChosen(control: Control): void {
  let byPointer = false;
  control.addEventListener("pointerdown", () => {
    byPointer = true;
  });
  control.addEventListener("keydown", (event) => {
    byPointer = false;
    if ((event as KeyboardEvent).key === "Enter" && control instanceof HTMLInputElement) control.blur();
  });
  control.addEventListener("change", () => void (byPointer && control instanceof HTMLSelectElement && control.blur()));
}

function read({ field, control }: Row): string {
  if (field.kind === "flag") return (control as HTMLInputElement).checked ? "yes" : "no";
  return control.value.trim();
}

/** Says beside the field what is wrong with it, if anything. */
function tell(row: Row): string | undefined {
  const problem = problemOf(row.field, read(row));
  setText(row.problem, problem === undefined ? "" : `${row.field.label} ${problem}`);
  if (problem === undefined) row.control.removeAttribute("aria-invalid");
  else row.control.setAttribute("aria-invalid", "true");
  return problem;
}

function makeRow(field: Field): Row {
  const id = `set-${field.name}`;
  const control = makeControl(field, id);
  const entry = make("span", { class: "entry" }, control);
  if (field.kind === "number") entry.append(make("span", { class: "unit", id: `${id}-unit` }, field.unit));
  const element = make(
    "div",
    { class: "field", "data-kind": field.kind },
    make("label", { for: id }, field.label),
    entry,
  );
  if (field.hint !== undefined) element.append(make("small", { class: "hint", id: `${id}-hint` }, field.hint));
  const problem = make("small", { class: "problem", id: `${id}-problem`, role: "alert" });
  element.append(problem);
  const described = [...element.querySelectorAll("[id]")].map((part) => part.id).filter((part) => part !== id);
  control.setAttribute("aria-describedby", described.join(" "));
  return { field, element, control, problem };
}

function makeControl(field: Field, id: string): Control {
  const common = { id, name: field.name };
  if (field.kind === "choice") {
    const options = field.choices.map(([value, label]) => make("option", { value }, label));
    return make("select", common, ...options);
  }
  if (field.kind === "flag") return make("input", { ...common, type: "checkbox" });
  if (field.kind === "text")
    return make("input", { ...common, type: "text", autocomplete: "off", spellcheck: "false" });
  // The browser's own arrows go by the step; any number between the limits is taken.
  const limits = { min: String(field.min), max: String(field.max), step: String(field.step) };
  return make("input", { ...common, ...limits, type: "number", inputmode: "decimal" });
}
