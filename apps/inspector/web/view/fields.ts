/** The form's fields for one set: zones, sectors, the table of bounds, and how distance and time are measured. */

import { make } from "../dom.ts";
import { zoneColour } from "../map/colours.ts";
import {
  addSector,
  addZone,
  MOST_SECTORS,
  MOST_ZONES,
  moveRadius,
  moveSector,
  removeSector,
  removeZone,
  withBound,
} from "./edit.ts";
import { DIMENSIONS, type SetForm } from "./form.ts";

const TITLES = { time: "time, ms", sequence: "sequence", value: "value" } as const;

/** @param change is given the set as changed */
export function setFields(set: SetForm, change: (set: SetForm) => void): HTMLElement[] {
  return [
    steps(
      "Zones",
      set.radii.length + 1,
      MOST_ZONES,
      () => change(addZone(set)),
      () => change(removeZone(set)),
    ),
    edges(set.radii, "edge", "zone", (index, value) => change(moveRadius(set, index, value))),
    steps(
      "Sectors",
      set.sectors.length + 1,
      MOST_SECTORS,
      () => change(addSector(set)),
      () => change(removeSector(set)),
    ),
    edges(set.sectors, "°", "sector", (index, value) => change(moveSector(set, index, value))),
    boundTable(set, change),
    choices(set, change),
  ];
}

function steps(title: string, count: number, most: number, more: () => void, fewer: () => void): HTMLElement {
  const button = (text: string, label: string, isOff: boolean, action: () => void): HTMLElement => {
    const element = make("button", { type: "button", "aria-label": label }, text);
    element.disabled = isOff;
    element.addEventListener("click", action);
    return element;
  };
  const name = title.toLowerCase();
  return make(
    "div",
    { class: "steps" },
    make(
      "span",
      {},
      `${title}: `,
      make("b", { "data-figure": `editor.${name}`, "data-value": String(count) }, String(count)),
    ),
    make(
      "span",
      { class: "toolbar" },
      button("−", `Fewer ${name}`, count <= 1, fewer),
      button("+", `More ${name}`, count >= most, more),
    ),
  );
}

function edges(
  values: readonly number[],
  unit: string,
  name: string,
  change: (index: number, value: number) => void,
): HTMLElement {
  const fields = values.map((value, index) => {
    const input = number(value, `${name} ${index}, ${unit}`);
    input.addEventListener("change", () => {
      if (input.value !== "") change(index, Number(input.value));
    });
    return make("label", {}, `${name} ${index}, ${unit}`, input);
  });
  const place = make("div", { class: "edges" }, ...fields);
  place.hidden = values.length === 0;
  return place;
}

function number(value: number | null, label: string): HTMLInputElement {
  const text = value === null ? "" : String(Math.round(value * 100) / 100);
  return make("input", {
    type: "number",
    min: "0",
    step: "any",
    value: text,
    placeholder: "∞",
    "aria-label": label,
    inputmode: "decimal",
  });
}

function boundTable(set: SetForm, change: (set: SetForm) => void): HTMLElement {
  const rows = set.bounds.flatMap((row, zone) =>
    row.map((cell, sector) => {
      const place = set.sectors.length > 0 ? `zone ${zone}, sector ${sector}` : `zone ${zone}`;
      const fields = DIMENSIONS.map((dimension) => {
        const input = number(cell[dimension], `${place}: ${dimension}`);
        input.addEventListener("change", () =>
          change(withBound(set, zone, sector, dimension, input.value === "" ? null : Number(input.value))),
        );
        return make("td", {}, input);
      });
      const name = set.sectors.length > 0 ? `${zone} · ${sector}` : String(zone);
      return make(
        "tr",
        {},
        make("th", { scope: "row", title: place }, make("i", { style: `--c: ${zoneColour(zone)}` }), name),
        ...fields,
      );
    }),
  );
  return make(
    "table",
    { class: "bound-table" },
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("th", { scope: "col" }, set.sectors.length > 0 ? "zone · sector" : "zone"),
        ...DIMENSIONS.map((dimension) => make("th", { scope: "col" }, TITLES[dimension])),
      ),
    ),
    make("tbody", {}, ...rows),
  );
}

function choices(set: SetForm, change: (set: SetForm) => void): HTMLElement {
  const pick = <T extends string>(
    label: string,
    value: T,
    options: readonly (readonly [T, string])[],
    take: (value: T) => SetForm,
  ): HTMLElement => {
    const select = make("select", {}, ...options.map(([option, text]) => make("option", { value: option }, text)));
    select.value = value;
    select.addEventListener("change", () => change(take(select.value as T)));
    return make("label", {}, label, select);
  };
  const range = number(set.range, "range");
  range.addEventListener("change", () => change({ ...set, range: range.value === "" ? null : Number(range.value) }));
  const metric = make("input", { type: "text", value: set.metric, spellcheck: "false" });
  metric.addEventListener("change", () => change({ ...set, metric: metric.value.trim() || "displacement" }));
  return make(
    "details",
    {},
    make("summary", {}, "How distance, time and value are measured"),
    make(
      "div",
      { class: "choices" },
      pick(
        "Shape",
        set.shape,
        [
          ["round", "round"],
          ["square", "square"],
        ],
        (shape) => ({ ...set, shape }),
      ),
      pick(
        "Clock",
        set.clock,
        [
          ["refresh", "since the last send"],
          ["firstMiss", "since the first miss"],
        ],
        (clock) => ({ ...set, clock }),
      ),
      pick(
        "Time bound",
        set.strict ? "strict" : "round",
        [
          ["round", "to the round"],
          ["strict", "never passed"],
        ],
        (value) => ({ ...set, strict: value === "strict" }),
      ),
      make("label", {}, "Range", range),
      make("label", {}, "Metric", metric),
    ),
  );
}
