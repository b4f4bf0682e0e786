/**
 * The two timelines, as the debug key shows them. For each player one line over the last steps: what is final (the conservative tail), whose inputs are known, and
 * what is guessed up to the head, which is now. Below: steps by why they were simulated, rollbacks, corrections that are under way, and who waits for whom.
 */

import { find, make, setText } from "@nearfield/kit/browser";
import type { Space } from "@nearfield/social/peer";

/** Steps that the picture shows. */
const SHOWN = 40;
/** How often the figures are written, ms. */
const EVERY_MS = 200;

interface Line {
  readonly name: string;
  readonly colour: string;
  /** The first step whose input is not known. */
  readonly through: number;
  readonly words: string;
  readonly isWaitedFor: boolean;
}

export class NetPanel {
  readonly #canvas: HTMLCanvasElement;
  readonly #context: CanvasRenderingContext2D;
  readonly #figures: HTMLElement;
  readonly #words: HTMLElement;
  readonly #link: HTMLElement;
  #writtenMs = 0;
  #rollbacks = 0;
  /** When the last rollback was seen. */
  #rolledMs = Number.NEGATIVE_INFINITY;

  constructor(root: HTMLElement) {
    this.#canvas = find<HTMLCanvasElement>("#net-lines", root);
    this.#context = this.#canvas.getContext("2d")!;
    this.#figures = find("#net-figures", root);
    this.#words = find("#net-words", root);
    this.#link = find("#net-link", root);
  }

  /** In the town there is one timeline: the server's. */
  showTown(linkKind: string, roundTripMs: number, people: number, nowMs: number): void {
    if (nowMs - this.#writtenMs < EVERY_MS) return;
    this.#writtenMs = nowMs;
    setText(this.#link, "social space");
    this.#canvas.hidden = true;
    this.#write([
      ["carried by", linkKind || "–"],
      ["round trip", roundTripMs < 0 ? "–" : `${Math.round(roundTripMs)} ms`],
      ["seen", String(people)],
    ]);
    setText(
      this.#words,
      "The town runs on the server, and you are sent what is near. In a dungeon this panel shows both timelines of the fight.",
    );
  }

  showFight(space: Space, colourOf: (slot: number) => string, ownName: string, nowMs: number): void {
    const { timeline } = space;
    if (timeline === undefined || nowMs - this.#writtenMs < EVERY_MS) return;
    this.#writtenMs = nowMs;
    this.#canvas.hidden = false;
    const { counts } = timeline;
    if (counts.rollbacks + counts.patches > this.#rollbacks) this.#rolledMs = nowMs;
    this.#rollbacks = counts.rollbacks + counts.patches;
    const peers = space.peers.filter(({ state }) => state !== "gone");
    const lines: Line[] = [
      {
        name: ownName,
        colour: colourOf(space.own),
        through: timeline.throughOf(space.own),
        words: "you",
        isWaitedFor: false,
      },
      ...peers.map(({ address, name, state, rttMs, isWaitedFor }) => ({
        name,
        colour: colourOf(address),
        through: timeline.throughOf(address),
        words: Number.isNaN(rttMs) ? state : `${state} ${Math.round(rttMs)} ms`,
        isWaitedFor,
      })),
    ];
    this.#draw(lines, timeline.tail, timeline.head, timeline.isCorrecting, nowMs);
    const waits = peers.filter(({ isWaitedFor }) => isWaitedFor).map(({ name }) => name);
    const steps = counts.optimistic + counts.conservative + counts.corrective;
    setText(
      this.#link,
      `${peers.filter(({ state }) => state === "direct").length} direct · ${peers.filter(({ state }) => state === "relayed").length} relayed`,
    );
    this.#write([
      ["head, now", String(timeline.head)],
      ["tail, final", String(timeline.tail)],
      ["behind", `${timeline.head - timeline.tail} steps`],
      ["rollbacks", String(counts.rollbacks)],
      ["alone", String(counts.patches)],
      ["correcting", timeline.isCorrecting ? "yes" : "no"],
      ["corrective steps", String(counts.corrective)],
      ["conservative", String(counts.conservative)],
      ["steps per step", timeline.head > 0 ? (steps / timeline.head).toFixed(2) : "–"],
    ]);
    setText(this.#words, waits.length === 0 ? "Nobody is waited for." : `What is final waits for ${waits.join(", ")}.`);
  }

  get figures(): Readonly<Record<string, string>> {
    const figures: Record<string, string> = {};
    for (const term of this.#figures.querySelectorAll("div"))
      figures[term.querySelector("dt")?.textContent ?? ""] = term.querySelector("dd")?.textContent ?? "";
    return figures;
  }

  #write(figures: readonly (readonly [string, string])[]): void {
    this.#figures.replaceChildren(
      ...figures.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value))),
    );
  }

  #draw(lines: readonly Line[], tail: number, head: number, isCorrecting: boolean, nowMs: number): void {
    const context = this.#context;
    const { width } = this.#canvas;
    const row = Math.min(26, 280 / lines.length);
    const height = Math.ceil(lines.length * row) + 20;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    context.clearRect(0, 0, width, height);
    const left = 150;
    const first = head - SHOWN;
    const at = (step: number): number => left + ((Math.max(first, step) - first) / (SHOWN + 3)) * (width - left - 130);
    lines.forEach(({ name, colour, through, words, isWaitedFor }, index) => {
      const y = index * row;
      context.font = `${Math.min(15, row - 6)}px ui-sans-serif, system-ui, sans-serif`;
      context.textBaseline = "middle";
      context.textAlign = "left";
      context.fillStyle = isWaitedFor ? "#ff6f91" : "#dfe5ff";
      context.fillText(name.slice(0, 16), 8, y + row / 2);
      context.fillStyle = "#9aa6c8";
      context.fillText(words, width - 124, y + row / 2);
      context.fillStyle = "rgb(255 255 255 / 0.06)";
      context.fillRect(at(first), y + 3, at(head) - at(first), row - 6);
      context.fillStyle = colour;
      context.globalAlpha = 0.45;
      context.fillRect(at(first), y + 4, Math.max(0, at(Math.min(through, head)) - at(first)), row - 8);
      context.globalAlpha = 1;
      context.fillRect(at(first), y + 4, Math.max(0, at(tail) - at(first)), row - 8);
      if (through < head) {
        context.fillStyle = "rgb(255 111 145 / 0.5)";
        context.fillRect(at(through), y + 4, at(head) - at(through), row - 8);
      }
    });
    const bottom = lines.length * row;
    context.fillStyle = nowMs - this.#rolledMs < 500 || isCorrecting ? "#ff6f91" : "#ffffff";
    context.fillRect(at(head) - 1, 0, 2, bottom + 4);
    context.fillStyle = "#7be0a0";
    context.fillRect(at(tail) - 1, 0, 2, bottom + 4);
    context.font = "13px ui-sans-serif, system-ui, sans-serif";
    context.textAlign = "center";
    context.fillText("final", at(tail), bottom + 13);
    context.fillStyle = "#ffffff";
    context.fillText("now", at(head), bottom + 13);
  }
}
