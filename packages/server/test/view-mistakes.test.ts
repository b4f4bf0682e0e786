/** A mistake in a room's view or in its limits shows when the room is made, not when the first player is refused. */

import type { ViewLimits, ViewSettings } from "@nearfield/core";
import { Lab } from "@nearfield/netlab";
import { describe, expect, it } from "vitest";
import { protocol, view } from "../../netlab/test/scenario.ts";

function making(more: { readonly view?: unknown; readonly viewLimits?: unknown }): () => Lab {
  return () => new Lab({ protocol, roundMs: 50, view, ...(more as { view?: ViewSettings; viewLimits?: ViewLimits }) });
}
const sets = (set: object) => [{ match: "everything", bounds: [{}], ...set }, ...view.sets];

describe("is refused at once", () => {
  it.each([
    ["an unknown key", { view: { sets: sets({ bounds: [{ tme: 50 }] }), pivots: [] } }, /bounds\[0\]\.tme.*"time"/],
    ["an unknown type", { view: { sets: sets({ match: { type: "shp" } }), pivots: [] } }, /"shp"; did you mean "ship"/],
    ["an unknown metric", { view: { sets: sets({ metric: "pth" }), pivots: [] } }, /"pth".*"path"/],
    ["an unknown key of the limits", { viewLimits: { sets: view.sets, zoom: 4 } }, /limits\.zoom/],
    ["an unknown metric of the limits", { viewLimits: { bounds: [{}], metric: "hul" } }, /"hul" is not a metric/],
    [
      "limits that tighten outward",
      { viewLimits: { radii: [9], bounds: [{ time: 9 }, { time: 5 }] } },
      /loosen outward/,
    ],
  ] as const)("%s", (_, more, message) => {
    expect(making(more)).toThrow(message);
  });

  it("an unknown type, though a set before it names a predicate that is not there yet", () => {
    const later = [
      { match: { predicate: "wounded" }, bounds: [{}] },
      { match: { type: "shp" }, bounds: [{}] },
    ];
    expect(making({ view: { sets: [...later, ...view.sets], pivots: [] } })).toThrow(/"shp"/);
  });

  it("an unknown key in a view that the game gives a player", () => {
    const lab = making({})();
    lab.join("ann");
    lab.run(200);
    const [player] = lab.server.main.players.values();
    const settings = { sets: sets({ rnge: 5 }), pivots: [] } as unknown as ViewSettings;
    expect(() => player!.setView(settings)).toThrow(/rnge.*"range"/);
  });
});

it("a predicate may be registered after the room was made", () => {
  const lab = making({
    view: { sets: [{ match: { predicate: "wounded" }, bounds: [{}] }, ...view.sets], pivots: [] },
  })();
  lab.world.predicate("wounded", () => false);
  const ann = lab.join("ann");
  lab.run(200);
  expect(ann.client.state).toBe("active");
});
