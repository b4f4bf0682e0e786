/** "Why?": one client and one object — its cell, its bound, how far it has diverged, when and why it was sent, when it is next due. Live. */

import { find, make, setText } from "../dom.ts";
import type { WhyTell } from "../feed-types.ts";
import { setFigure, writeFigure } from "../figures.ts";
import { short } from "../format.ts";
import { zoneColour } from "../map/colours.ts";
import type { State } from "../state.ts";
import { dimensionText, lastSendText, nextDueText, usedShare, verdictOf } from "./why-words.ts";

const DIMENSIONS = ["time", "sequence", "value"] as const;
const TONES = { calm: "var(--zone1)", due: "var(--past)", off: "var(--quiet)" } as const;

export class WhyPanel {
  readonly #place = find("#side-why");
  readonly #answer = find("#why-answer");
  readonly #empty = find("#why-empty");
  #isBuilt = false;

  show({ why, player, object, report, welcome }: State, isPlayback: boolean): void {
    const words = this.#emptyWords(report?.clients.length ?? 0, player, object, isPlayback);
    const hasAnswer = words === undefined && why !== undefined && welcome !== undefined;
    this.#answer.hidden = !hasAnswer;
    this.#empty.hidden = hasAnswer;
    if (!hasAnswer) {
      setText(this.#empty, words ?? "Asking …");
      return;
    }
    if (!this.#isBuilt) this.#build();
    this.#place.dataset["round"] = String(why.round);
    this.#showCell(why, welcome.types[why.type]?.name ?? "object");
    this.#showMeters(why);
    this.#showTimes(why);
    this.#showHistory(why);
  }

  #emptyWords(
    clients: number,
    player: number | undefined,
    object: number | undefined,
    isPlayback: boolean,
  ): string | undefined {
    if (isPlayback) return "“Why?” is answered live. Go back to live to ask.";
    if (clients === 0) return "No clients yet: there is nobody to ask for.";
    if (player === undefined) return "Choose a client above, or hold Shift and click its avatar on the map.";
    if (object === undefined) return "Now click an object on the map, or choose one above.";
    return undefined;
  }

  #build(): void {
    this.#isBuilt = true;
    const figure = (name: string): HTMLElement => make("b", { "data-figure": `why.${name}` });
    const meter = (dimension: string): HTMLElement =>
      make(
        "div",
        { "data-dimension": dimension },
        make(
          "div",
          { class: "meter-head" },
          make("b", {}, dimension),
          make(
            "span",
            {},
            make("b", { "data-figure": `why.divergence.${dimension}` }),
            " of ",
            make("b", { "data-figure": `why.bound.${dimension}` }),
          ),
        ),
        make("div", { class: "meter" }, make("i")),
      );
    this.#answer.replaceChildren(
      make(
        "div",
        { class: "why-cell" },
        make("div", { id: "why-zone" }, "zone", figure("zone")),
        make("div", {}, "sector", figure("sector")),
        make("div", {}, "distance", figure("distance")),
      ),
      make("p", { class: "why-verdict", "data-figure": "why.verdict" }),
      make("p", { class: "sub" }, "Divergence now, against the bound"),
      make("div", { class: "meters" }, ...DIMENSIONS.map(meter)),
      make(
        "dl",
        { class: "pairs" },
        ...(
          [
            ["Last sent", "lastSend"],
            ["Next due", "nextDue"],
            ["Set and metric", "set"],
            ["Version, sent, acknowledged", "versions"],
            ["Object", "object"],
          ] as const
        ).flatMap(([title, name]) => [make("dt", {}, title), make("dd", { "data-figure": `why.${name}` })]),
      ),
      make("p", { class: "sub", id: "why-history-title" }),
      make(
        "table",
        { class: "plain", id: "why-history" },
        make(
          "thead",
          {},
          make(
            "tr",
            {},
            ...["Round", "What", "Cause", "Zone", "Fate"].map((title) => make("th", { scope: "col" }, title)),
          ),
        ),
        make("tbody"),
      ),
    );
  }

  #figure(name: string, value: number | string | null, text: string): void {
    setFigure(this.#answer, `why.${name}`, value, text);
  }

  #showCell(why: WhyTell, type: string): void {
    this.#figure("zone", why.zone, String(why.zone));
    this.#figure("sector", why.sector, String(why.sector));
    this.#figure("distance", why.distance, why.distance === null ? "–" : short(why.distance));
    find("#why-zone").style.setProperty("--c", zoneColour(why.zone));
    const { text, tone } = verdictOf(why);
    this.#figure("verdict", tone, text);
    find(".why-verdict", this.#answer).style.setProperty("--c", TONES[tone]);
    this.#figure("set", why.set, `${why.match}, ${why.metric}`);
    this.#figure("versions", why.version, `${why.version}, ${why.sentVersion}, ${why.ackedVersion}`);
    this.#figure("object", why.object, `${type} #${why.object}`);
  }

  #showMeters({ divergence, judgedBy, bound }: WhyTell): void {
    for (const dimension of DIMENSIONS) {
      const place = find(`[data-dimension="${dimension}"]`, this.#answer);
      const [now, limit] = [divergence[dimension], judgedBy[dimension]];
      const used = usedShare(now, limit);
      const isLoosened = limit !== bound[dimension];
      writeFigure(find(`[data-figure="why.divergence.${dimension}"]`, place), now, dimensionText(dimension, now ?? 0));
      const text = `${dimensionText(dimension, limit)}${isLoosened ? ` (stated ${dimensionText(dimension, bound[dimension])})` : ""}`;
      writeFigure(
        find(`[data-figure="why.bound.${dimension}"]`, place),
        bound[dimension],
        limit === null ? "no bound" : text,
      );
      find(".meter", place).toggleAttribute("data-none", used === null);
      const bar = find(".meter i", place);
      bar.style.width = `${100 * Math.min(1, used ?? 0)}%`;
      bar.style.setProperty(
        "--c",
        (used ?? 0) >= 1 ? "var(--past)" : (used ?? 0) > 0.75 ? "var(--warm)" : "var(--zone0)",
      );
    }
  }

  #showTimes(why: WhyTell): void {
    this.#figure("lastSend", why.lastSend?.round ?? null, lastSendText(why));
    this.#figure("nextDue", why.nextDue.round, nextDueText(why));
  }

  #showHistory({ history }: WhyTell): void {
    const cells = (values: readonly string[]): HTMLElement[] => values.map((value) => make("td", {}, value));
    const title = history.length === 0 ? "Not sent since it is watched" : "Sends since it is watched, newest first";
    setText(find("#why-history-title"), title);
    find("#why-history").hidden = history.length === 0;
    find("#why-history tbody").replaceChildren(
      ...history
        .slice(0, 12)
        .map(({ round, kind, cause, zone, fate }) =>
          make(
            "tr",
            { "data-round": String(round) },
            make("th", { scope: "row" }, String(round)),
            ...cells([kind, cause, String(zone), fate]),
          ),
        ),
    );
  }
}
