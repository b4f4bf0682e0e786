/**
 * The recorded network's part of the form: opens a file, chosen or dropped anywhere on the page, shows what it measures and where in it the
 * replay is, and says what is wrong with a file that is not a recording. A click on the curve replays from there.
 */

import { find, make, setText } from "@nearfield/kit/browser";
import { factsOf, momentOf, type OpenTrace, openTrace, type Profile, problemOf, profileOf } from "./network-trace.ts";

const STRIP_HEIGHT = 44;
/** A share lost that is drawn in full colour. */
const DARKEST_LOSS = 0.2;
const STRIP_WORDS = { delay: "Round trip", bandwidth: "Bandwidth", loss: "Loss" } as const;

export interface TraceHandlers {
  /** Undefined: there is none any more. */
  use(open: OpenTrace | undefined): void;
  seek(seconds: number): void;
}

export class TracePanel {
  readonly #root: HTMLElement;
  readonly #chooser: HTMLInputElement;
  readonly #problem: HTMLElement;
  readonly #strip: HTMLCanvasElement;
  readonly #handlers: TraceHandlers;
  #open: OpenTrace | undefined;
  #profile: Profile | undefined;
  /** Counts what was asked for, so that a slow file does not take the place of one chosen after it. */
  #asked = 0;

  constructor(after: Element, handlers: TraceHandlers) {
    this.#handlers = handlers;
    this.#root = makePanel();
    after.after(this.#root);
    this.#chooser = find("#trace-file", this.#root);
    this.#problem = find("#trace-problem", this.#root);
    this.#strip = find("#trace-strip", this.#root);
    this.#chooser.addEventListener("change", () => {
      const [file] = this.#chooser.files ?? [];
      if (file !== undefined) void this.#read(file);
      // So that the same file can be chosen again once it was changed.
      this.#chooser.value = "";
    });
    find("#trace-choose", this.#root).addEventListener("click", () => this.#chooser.click());
    find("#trace-close", this.#root).addEventListener("click", () => {
      this.#use(undefined);
      find("#trace-choose", this.#root).focus();
    });
    this.#strip.addEventListener("pointerdown", ({ offsetX }) => this.#seek(offsetX / this.#strip.clientWidth));
    new ResizeObserver(() => this.#measure()).observe(this.#strip);
    this.#takeDrops();
  }

  /** Marks where the replay is. */
  show(replayMs: number): void {
    if (this.#open === undefined) return;
    setText(find("#trace-now", this.#root), momentOf(this.#open, replayMs));
    this.#draw(replayMs / this.#open.trace.durationMs);
  }

  async #read(file: File): Promise<void> {
    this.#asked += 1;
    const asked = this.#asked;
    this.#root.dataset["state"] = "reading";
    setText(this.#problem, "");
    try {
      const open = await openTrace(file);
      if (asked === this.#asked) this.#use(open);
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      if (asked !== this.#asked) return;
      this.#root.dataset["state"] = this.#open === undefined ? "none" : "open";
      setText(this.#problem, problem);
    }
  }

  #use(open: OpenTrace | undefined): void {
    this.#asked += 1;
    this.#open = open;
    this.#root.dataset["state"] = open === undefined ? "none" : "open";
    setText(this.#problem, "");
    setText(find("#trace-choose", this.#root), open === undefined ? "Replay a real network …" : "Replay another …");
    if (open !== undefined) {
      const title = find("#trace-name", this.#root);
      setText(title, open.name);
      title.title = open.name;
      const facts = factsOf(open).map(([name, value]) =>
        make("div", {}, make("dt", {}, name), make("dd", { "data-fact": name }, value)),
      );
      find("#trace-facts", this.#root).replaceChildren(...facts);
      this.#measure();
    }
    this.#handlers.use(open);
  }

  /** The curve, a column for each pixel of its width. */
  #measure(): void {
    const width = this.#strip.clientWidth;
    if (this.#open === undefined || width === 0) return;
    this.#profile = profileOf(this.#open, width);
    const { of } = this.#profile;
    this.#strip.setAttribute("aria-label", `${STRIP_WORDS[of]} over the whole recording`);
    this.#strip.width = width * devicePixelRatio;
    this.#strip.height = STRIP_HEIGHT * devicePixelRatio;
    this.#draw(0);
  }

  #draw(at: number): void {
    if (this.#profile === undefined) return;
    const { means, peaks, losses } = this.#profile;
    const columns = means.length;
    const paint = this.#strip.getContext("2d")!;
    const style = getComputedStyle(this.#strip);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    paint.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    paint.clearRect(0, 0, columns, STRIP_HEIGHT);
    paint.fillStyle = colour("--zone1");
    for (const [heights, opacity] of [
      [peaks, 0.35],
      [means, 1],
    ] as const) {
      paint.globalAlpha = opacity;
      for (const [column, height] of heights.entries()) {
        const tall = Math.max(1, height * (STRIP_HEIGHT - 7));
        paint.fillRect(column, STRIP_HEIGHT - tall, 1, tall);
      }
    }
    paint.fillStyle = colour("--past");
    for (const [column, loss] of losses.entries()) {
      paint.globalAlpha = Math.min(1, loss / DARKEST_LOSS);
      paint.fillRect(column, 0, 1, 4);
    }
    paint.globalAlpha = 1;
    paint.fillStyle = colour("--remote");
    paint.fillRect(Math.min(columns - 2, at * columns), 0, 2, STRIP_HEIGHT);
  }

  #seek(share: number): void {
    if (this.#open === undefined) return;
    const seconds = (Math.min(1, Math.max(0, share)) * this.#open.trace.durationMs) / 1000;
    this.#handlers.seek(Math.floor(seconds));
  }

  /** A file that is let go anywhere on the page is opened here; without this the browser would leave the page for it. */
  #takeDrops(): void {
    const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false;
    const mark = (isOver: boolean): void => void this.#root.toggleAttribute("data-over", isOver);
    document.addEventListener("dragover", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      mark(true);
    });
    document.addEventListener("dragleave", (event) => void (event.relatedTarget === null && mark(false)));
    document.addEventListener("drop", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      mark(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      this.#root.scrollIntoView({ block: "nearest" });
      void this.#read(file);
    });
  }
}

function makePanel(): HTMLElement {
  return make(
    "div",
    { class: "trace", id: "trace", "data-state": "none" },
    make(
      "div",
      { class: "trace-card" },
      make(
        "p",
        { class: "trace-title" },
        make("b", { id: "trace-name" }),
        make("button", { type: "button", id: "trace-close", "aria-label": "Close the file" }, "✕"),
      ),
      make("canvas", { id: "trace-strip", role: "img", height: String(STRIP_HEIGHT) }),
      make("p", { id: "trace-now" }),
      make("dl", { id: "trace-facts" }),
      make("small", { class: "hint" }, "Stays on this computer: a link carries the settings, not the file."),
    ),
    make("input", { type: "file", id: "trace-file", accept: ".csv,.gz,text/csv,application/gzip", hidden: "" }),
    make("button", { type: "button", id: "trace-choose" }, "Replay a real network …"),
    make(
      "small",
      { class: "hint trace-format" },
      "From a csv or csv.gz: t_ms with rtt_ms, loss or bw_mbps. Or drop the file on the page.",
    ),
    make("small", { class: "problem", id: "trace-problem", role: "alert" }),
  );
}
