/** The network panel: for each client the measured properties of its link, and, if the host allows it, a network preset to try on it. */

import { find, make, setOptions, setText } from "../dom.ts";
import type { ClientRow } from "../feed-types.ts";
import { writeFigure } from "../figures.ts";
import { bytes, bytesPerSecond, count, milliseconds, percent, times } from "../format.ts";
import type { Shown } from "../shown.ts";
import { linkOf } from "./clients.ts";

const FIGURES: readonly (readonly [
  name: string,
  title: string,
  value: (client: ClientRow) => number | null,
  text: (client: ClientRow) => string,
])[] = [
  [
    "roundTripMs",
    "Round trip",
    ({ network }) => network.roundTripMs,
    ({ network }) => milliseconds(network.roundTripMs),
  ],
  ["lossNow", "Loss now", ({ network }) => network.lossNow, ({ network }) => percent(network.lossNow)],
  ["loss", "Loss in all", ({ network }) => network.loss, ({ network }) => percent(network.loss)],
  ["backlogBytes", "Backlog", ({ network }) => network.backlogBytes, ({ network }) => bytes(network.backlogBytes)],
  [
    "pausedRounds",
    "Rounds paused",
    ({ network }) => network.pausedRounds,
    ({ network }) => count(network.pausedRounds),
  ],
  [
    "budget",
    "Byte budget",
    ({ network }) => network.budget,
    ({ network }) => (network.budget === null ? "none" : bytesPerSecond(network.budget)),
  ],
  [
    "linkBytesPerSecond",
    "Link takes",
    ({ network }) => network.linkBytesPerSecond,
    ({ network }) => (network.linkBytesPerSecond === null ? "all so far" : bytesPerSecond(network.linkBytesPerSecond)),
  ],
  [
    "outerFactor",
    "Outer zones loosened",
    ({ network }) => network.outerFactor,
    ({ network }) => times(network.outerFactor),
  ],
];

export class NetworkPanel {
  readonly #place = find("#panel-network");
  readonly #cards = new Map<number, HTMLElement>();
  readonly #setPreset: (player: number, preset: string) => void;

  constructor(setPreset: (player: number, preset: string) => void) {
    this.#setPreset = setPreset;
  }

  show({ report, presets, roundTrips, isPlayback }: Shown): void {
    // Those that go over no network last.
    const clients = (report?.clients ?? []).toSorted((a, b) => Number(a.role === "local") - Number(b.role === "local"));
    this.#place.dataset["round"] = String(report?.clientsRound ?? "");
    find('[data-empty="network"]').hidden = clients.length > 0;
    const past = "As it was measured then. Go back to live to put a client through another network.";
    setText(
      find("#network-hint"),
      isPlayback
        ? past
        : presets.length > 0
          ? "As measured. A preset puts a client's link through the conditions of another network, from now on."
          : "As measured. This host sets no conditions on links.",
    );
    const place = find("#network-cards");
    const cards = clients.map((client) => {
      const card = this.#cards.get(client.player) ?? this.#newCard(client.player);
      this.#showCard(card, client, presets, roundTrips.get(client.player) ?? []);
      return card;
    });
    for (const [player, card] of this.#cards) {
      if (cards.includes(card)) continue;
      card.remove();
      this.#cards.delete(player);
    }
    for (const [index, card] of cards.entries()) {
      if (place.children[index] !== card) place.insertBefore(card, place.children[index] ?? null);
    }
  }

  #newCard(player: number): HTMLElement {
    const preset = make("select", { "data-preset": "" });
    preset.addEventListener("change", () => this.#setPreset(player, preset.value));
    const card = make(
      "article",
      { class: "card", "data-player": String(player) },
      make("h2", {}, make("span", { "data-name": "" }), make("span", { class: "tag", "data-figure": "network.link" })),
      document
        .createRange()
        .createContextualFragment(
          '<svg class="wave" viewBox="0 0 120 30" preserveAspectRatio="none" aria-hidden="true"><polyline fill="none" stroke="var(--zone1)" stroke-width="1.5" vector-effect="non-scaling-stroke"/></svg>',
        ),
      make(
        "dl",
        { class: "pairs" },
        ...FIGURES.flatMap(([name, title]) => [
          make("dt", {}, title),
          make("dd", { "data-figure": `network.${name}` }),
        ]),
      ),
      make("label", { class: "field" }, "Conditions", preset),
    );
    this.#cards.set(player, card);
    return card;
  }

  #showCard(card: HTMLElement, client: ClientRow, presets: readonly string[], trips: readonly (number | null)[]): void {
    const { network, nickname, role } = client;
    setText(find("[data-name]", card), nickname);
    writeFigure(
      find('[data-figure="network.link"]', card),
      network.link,
      network.paused ? "paused" : linkOf(client),
      network.paused || (network.link === null && role !== "local") ? "bad" : "",
    );
    for (const [name, , value, text] of FIGURES)
      writeFigure(find(`[data-figure="network.${name}"]`, card), value(client), text(client));
    find<SVGPolylineElement>("polyline", card).setAttribute("points", curve(trips));
    // One that the server plays itself goes over no network.
    find("label", card).hidden = presets.length === 0 || role === "local";
    const select = find<HTMLSelectElement>("select", card);
    const untouched = presets.includes("none") ? [] : [["", "untouched"] as const];
    setOptions(select, [...untouched, ...presets.map((preset) => [preset, preset] as const)]);
    const current = network.preset ?? (presets.includes("none") ? "none" : "");
    if (document.activeElement !== select && select.value !== current) select.value = current;
  }
}

/** Round trips as points of a picture of 120 × 30, the newest at the right; the top is 50 ms, or a third above the longest. */
export function curve(values: readonly (number | null)[]): string {
  const most = Math.max(50, ...values.map((value) => 1.33 * (value ?? 0)));
  const from = 120 - values.length;
  return values
    .flatMap((value, index) => (value === null ? [] : [`${from + index},${(29 - (27 * value) / most).toFixed(1)}`]))
    .join(" ");
}
