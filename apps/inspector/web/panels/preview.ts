/** What an edited view would cost: objects in each zone, what they would be sent, and the sum beside what is sent now. */

import { find, make, setText } from "../dom.ts";
import type { PreviewFigures, PreviewTell } from "../feed-types.ts";
import { setFigure } from "../figures.ts";
import { bytesPerSecond, count, milliseconds, percent } from "../format.ts";
import { zoneColour } from "../map/colours.ts";

export class PreviewBox {
  /** Always in sight, above the buttons. */
  readonly summary: HTMLElement;
  readonly place: HTMLElement;

  constructor() {
    const figure = (name: string): HTMLElement => make("b", { "data-figure": `preview.${name}` });
    this.summary = make(
      "p",
      { class: "preview-sum" },
      "Would send ",
      figure("candidate.bytes"),
      " in ",
      figure("candidate.sends"),
      ", now ",
      figure("current.bytes"),
      ": ",
      figure("change"),
    );
    this.place = make(
      "section",
      { class: "preview", "aria-label": "Preview" },
      make("p", { class: "sub" }, "Objects in each zone, and sends to them"),
      make("ul", { class: "bars", id: "preview-zones" }),
      make("p", { class: "hint", id: "preview-note" }),
    );
  }

  /** @param isComing nothing is wrong with the view, so figures will come */
  show(preview: PreviewTell | undefined, isComing: boolean): void {
    const { candidate, current } = preview ?? {};
    const figure = (name: string, value: number | null, text: string): void =>
      setFigure(this.summary, `preview.${name}`, value, text);
    const [would, does] = [candidate?.bytesPerSecond, current?.bytesPerSecond];
    figure("candidate.bytes", would ?? null, bytesPerSecond(would));
    figure("current.bytes", does ?? null, bytesPerSecond(does));
    const sends = candidate?.sendsPerSecond;
    figure("candidate.sends", sends ?? null, sends === undefined ? "–" : `${count(Math.round(sends))} updates/s`);
    const change = would === undefined || !does ? null : would / does - 1;
    figure("change", change, change === null ? "–" : `${change < 0 ? "−" : "+"}${percent(Math.abs(change))}`);
    this.#showZones(candidate);
    setText(
      find("#preview-note", this.place),
      preview === undefined ? (isComing ? "Counting …" : "") : noteOf(preview),
    );
  }

  #showZones(figures: PreviewFigures | undefined): void {
    const list = find("#preview-zones", this.place);
    const pairs = (figures?.pairs ?? []).map((row) => row.reduce((sum, one) => sum + one, 0));
    const all = Math.max(
      1,
      pairs.reduce((sum, one) => sum + one, 0),
    );
    if (list.childElementCount !== pairs.length) list.replaceChildren(...pairs.map((_, zone) => zoneRow(zone)));
    for (const [zone, here] of pairs.entries()) {
      find(`[data-zone="${zone}"] i`, list).style.width = `${(100 * here) / all}%`;
      setFigure(list, `preview.pairs.${zone}`, here, count(here));
      const sends = figures?.sendsByZone[zone] ?? 0;
      setFigure(list, `preview.sends.${zone}`, sends, `${count(Math.round(sends))}/s`);
    }
  }
}

function zoneRow(zone: number): HTMLElement {
  return make(
    "li",
    { "data-zone": String(zone) },
    `zone ${zone}`,
    make("div", {}, make("i", { style: `--c: ${zoneColour(zone)}` })),
    make("b", { "data-figure": `preview.pairs.${zone}` }),
    make("span", { "data-figure": `preview.sends.${zone}` }),
  );
}

function noteOf({ clamped, countedMs, settlesMs }: PreviewTell): string {
  const loosened = clamped.length > 0 ? ` The server would loosen it: ${clamped.slice(0, 2).join("; ")}.` : "";
  const settled = countedMs < settlesMs ? `, settled after ${milliseconds(settlesMs)}` : "";
  return `Run beside the real view for ${milliseconds(countedMs)}${settled}; nothing of it is sent.${loosened}`;
}
