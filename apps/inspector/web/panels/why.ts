/** "Why?": one client and one object — its cell, its bound, how far it has diverged, when and why it was sent, when it is next due. Live, or of a recorded moment. */

import { find, make, setText } from "../dom.ts";
import type { WhyShown } from "../feed-types.ts";
import { setFigure, writeFigure } from "../figures.ts";
import { short } from "../format.ts";
import { zoneColour } from "../map/colours.ts";
import type { Shown } from "../shown.ts";
import { isLocal } from "./clients.ts";
import { dimensionText, lastSendText, nextDueText, usedShare, verdictOf } from "./why-words.ts";

const DIMENSIONS = ["time", "sequence", "value"] as const;
const NO_REPLICA =
  "This player has no replica: it is played in the server's own process and reads the originals. Nothing is sent to it.";
const TONES = { calm: "var(--zone1)", due: "var(--past)", off: "var(--quiet)" } as const;

export class WhyPanel {
  readonly #place = find("#side-why");
  readonly #answer = find("#why-answer");
  readonly #empty = find("#why-empty");
  #isBuilt = false;

  show(shown: Shown): void {
    const { why, facts } = shown;
    const words = this.#emptyWords(shown);
    const hasAnswer = words === undefined && why !== undefined && facts !== undefined;
    this.#answer.hidden = !hasAnswer;
    this.#empty.hidden = hasAnswer;
    if (!hasAnswer) {
      setText(this.#empty, words ?? "Asking …");
      return;
    }
    if (!this.#isBuilt) this.#build();
    this.#place.dataset["round"] = String(why.round);
    this.#showCell(why, facts.types[why.type]?.name ?? "object");
    this.#showMeters(why);
    this.#showTimes(why);
    this.#showHistory(why);
  }

  #emptyWords({ report, client, player, object, isPlayback, lacksWhy }: Shown): string | undefined {
    if (!isPlayback && (report?.clients.length ?? 0) === 0) return "No clients yet: there is nobody to ask for.";
    if (player === undefined) return "Choose a client above, or hold Shift and click its avatar on the map.";
    if (client !== undefined && isLocal(client)) return NO_REPLICA;
    if (object === undefined) return "Now click an object on the map, or choose one above.";
    return lacksWhy;
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

  #showCell(why: WhyShown, type: string): void {
    this.#figure("zone", why.zone, String(why.zone));
    this.#figure("sector", why.sector, String(why.sector));
    this.#figure("distance", why.distance, why.distance === null ? "–" : short(why.distance));
    find("#why-zone").style.setProperty("--c", zoneColour(why.zone));
    const { text, tone } = verdictOf(why);
    this.#figure("verdict", tone, text);
    find(".why-verdict", this.#answer).style.setProperty("--c", TONES[tone]);
    this.#figure("set", why.set, `${why.match}, ${why.metric}`);
    const [sent, acked] = [
      why.lastSend === null ? "–" : why.sentVersion,
      why.recorded === undefined ? why.ackedVersion : "–",
    ];
    this.#figure("versions", why.version, `${why.version}, ${sent}, ${acked}`);
    this.#figure("object", why.object, `${type} #${why.object}`);
  }

  #showMeters({ divergence, judgedBy, bound, recorded, everyChange, equal }: WhyShown): void {
    const owesNothing = everyChange !== null && equal;
    for (const dimension of DIMENSIONS) {
      const place = find(`[data-dimension="${dimension}"]`, this.#answer);
      const [now, limit] = [divergence[dimension], judgedBy[dimension]];
      const used = usedShare(now, limit, owesNothing);
      const isLoosened = limit !== bound[dimension];
      const isUnknown = now === null && recorded !== undefined;
      const nowText = isUnknown ? (dimension === "value" ? "not recorded" : "?") : dimensionText(dimension, now ?? 0);
      writeFigure(find(`[data-figure="why.divergence.${dimension}"]`, place), now, nowText);
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

  #showTimes(why: WhyShown): void {
    this.#figure("lastSend", why.lastSend?.round ?? null, lastSendText(why));
    this.#figure("nextDue", why.nextDue.round, nextDueText(why));
  }

  #showHistory({ history, recorded }: WhyShown): void {
    const cells = (values: readonly string[]): HTMLElement[] => values.map((value) => make("td", {}, value));
    const since = recorded === undefined ? "since it is watched" : "before this moment";
    const none = recorded === undefined ? `Not sent ${since}` : "";
    setText(find("#why-history-title"), history.length === 0 ? none : `Sends ${since}, newest first`);
    find("#why-history").hidden = history.length === 0;
    find("#why-history tbody").replaceChildren(
      ...history
        .slice(0, 12)
        .map(({ round, kind, cause, zone, fate }) =>
          make(
            "tr",
            { "data-round": String(round) },
            make("th", { scope: "row" }, String(round)),
            ...cells([kind, cause, zone < 0 ? "–" : String(zone), fate]),
          ),
        ),
    );
  }
}
