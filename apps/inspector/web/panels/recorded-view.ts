/** A view as it was at a recorded moment, as tables to read: for each set its zones and sectors with their bounds. */

import { make } from "../dom.ts";
import type { BoundFigures, DrawnSet } from "../feed-types.ts";
import { milliseconds, short } from "../format.ts";
import { zoneColour } from "../map/colours.ts";

export function recordedView(sets: readonly DrawnSet[]): HTMLElement[] {
  const hint = "As it was at this moment, before zoom and loosening. Go back to live to change a view.";
  return [make("p", { class: "hint" }, hint), ...sets.map(setTable)];
}

function setTable(set: DrawnSet): HTMLElement {
  const { match, radii, sectors, bounds, range, shape } = set;
  const columns = [...sectors.map((degrees) => `${short(degrees)}°`), sectors.length > 0 ? "the rest" : "all round"];
  const rows = bounds.map((row, zone) => {
    const edge = radii[zone];
    const swatch = make("i", { class: "swatch", style: `--c: ${zoneColour(zone)}` });
    const name = edge === undefined ? "beyond" : `to ${short(edge)}`;
    return make(
      "tr",
      {},
      make("th", { scope: "row" }, swatch, name),
      ...row.map((bound) => make("td", {}, ...boundLines(bound))),
    );
  });
  const reach = range === null || range === undefined ? "" : `, within ${short(range)}`;
  return make(
    "section",
    { class: "recorded-set" },
    make("p", { class: "sub" }, `${match}, ${shape}${reach}, by ${set.metric ?? "displacement"}`),
    make(
      "div",
      { class: "scroll" },
      make(
        "table",
        { class: "plain" },
        make("thead", {}, make("tr", {}, ...["Zone", ...columns].map((title) => make("th", { scope: "col" }, title)))),
        make("tbody", {}, ...rows),
      ),
    ),
  );
}

/** One below the other, so that three sectors fit beside the map. */
function boundLines({ time, sequence, value }: BoundFigures): HTMLElement[] {
  const parts = [
    time === null ? undefined : milliseconds(time),
    sequence === null ? undefined : `${short(sequence)} updates`,
    value === null ? undefined : `${short(value)} units`,
  ].filter((part) => part !== undefined);
  return (parts.length === 0 ? ["no bound"] : parts).map((part) => make("div", {}, part));
}
