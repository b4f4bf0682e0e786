/**
 * The two timelines, as the debug key shows them: a picture, and below it steps by why they were simulated, rollbacks, the correction that is under way, and who
 * waits for whom in both directions. In the town there is one timeline, the server's, and only a few figures.
 */

import { linkWords } from "@nearfield/kit";
import { find, make, setText } from "@nearfield/kit/browser";
import type { Space } from "@nearfield/social/peer";
import { type Lane, TimelinePicture } from "./timeline-picture.ts";

/** How often figures are written, ms. */
const EVERY_MS = 200;
/** A peer that lacks more of the own inputs than the others do by so many steps is said to wait for them. */
const LATE_STEPS = 4;

export class NetPanel {
  readonly #picture: TimelinePicture;
  readonly #figures: HTMLElement;
  readonly #words: HTMLElement;
  readonly #link: HTMLElement;
  #writtenMs = 0;

  constructor(root: HTMLElement) {
    this.#picture = new TimelinePicture(find<HTMLCanvasElement>("#net-lines", root));
    this.#figures = find("#net-figures", root);
    this.#words = find("#net-words", root);
    this.#link = find("#net-link", root);
  }

  /** @param checks dungeons of others that this page was drawn to check */
  showTown(linkKind: string, roundTripMs: number, people: number, checks: number, nowMs: number): void {
    this.#picture.clear();
    if (nowMs - this.#writtenMs < EVERY_MS) return;
    this.#writtenMs = nowMs;
    setText(this.#link, "social space");
    this.#write([
      ["carried by", linkWords(linkKind).long],
      ["round trip", roundTripMs < 0 ? "–" : `${Math.round(roundTripMs)} ms`],
      ["seen", String(people)],
      ["dungeons checked", String(checks)],
    ]);
    setText(
      this.#words,
      "The town runs on the server, and you are sent what is near. In a dungeon this panel shows both timelines of the fight.",
    );
  }

  showFight(space: Space, colourOf: (slot: number) => string, ownName: string, nowMs: number): void {
    const { timeline } = space;
    if (timeline === undefined) return this.#showJoining(space, nowMs);
    const { counts, head, tail, correctedTo } = timeline;
    const peers = space.peers.filter(({ state }) => state !== "gone");
    const lanes: Lane[] = [
      { name: ownName, colour: colourOf(space.own), through: timeline.throughOf(space.own), words: "you" },
      ...peers.map(({ address, name, state, rttMs, isWaitedFor, ackedTo }) => ({
        name,
        colour: colourOf(address),
        through: timeline.throughOf(address),
        words: Number.isNaN(rttMs) ? state : `${state} ${Math.round(rttMs)} ms`,
        isWaitedFor,
        ackedTo,
      })),
    ];
    this.#picture.draw({ lanes, head, tail, correctedTo, rollbacks: counts.rollbacks, patches: counts.patches });
    if (nowMs - this.#writtenMs < EVERY_MS) return;
    this.#writtenMs = nowMs;
    const of = (wanted: string): number => peers.filter(({ state }) => state === wanted).length;
    setText(this.#link, `${of("direct")} direct · ${of("relayed")} relayed`);
    const steps = counts.optimistic + counts.conservative + counts.corrective;
    this.#write([
      ["head, now", String(head)],
      ["tail, final", String(tail)],
      ["behind", `${head - tail} ${head - tail === 1 ? "step" : "steps"}`],
      ["rollbacks", String(counts.rollbacks)],
      ["of one alone", String(counts.patches)],
      ["correcting", correctedTo === undefined ? "no" : `${head - correctedTo} to go`],
      ["corrective steps", String(counts.corrective)],
      ["conservative", String(counts.conservative)],
      ["steps per step", head > 0 ? (steps / head).toFixed(2) : "–"],
    ]);
    setText(this.#words, waitingWords(peers, head));
  }

  #showJoining({ status }: Space, nowMs: number): void {
    this.#picture.clear();
    if (nowMs - this.#writtenMs < EVERY_MS) return;
    this.#writtenMs = nowMs;
    setText(this.#link, status);
    this.#write([]);
    setText(this.#words, "Another player lets this one in: no timeline runs here yet.");
  }

  #write(figures: readonly (readonly [string, string])[]): void {
    this.#figures.replaceChildren(
      ...figures.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value))),
    );
  }
}

/** Whom this player waits for, and who waits for this player: it lacks inputs that most others have. */
function waitingWords(peers: Space["peers"], head: number): string {
  const names = (waiting: Space["peers"]): string => waiting.map(({ name }) => name).join(", ");
  const awaited = peers.filter(({ isWaitedFor }) => isWaitedFor);
  const usual = Math.max(0, ...peers.map(({ ackedTo }) => ackedTo));
  const waiting = peers.filter(({ ackedTo }) => ackedTo < Math.min(head, usual) - LATE_STEPS);
  const ours = awaited.length === 0 ? "You wait for nobody." : `What is final here waits for ${names(awaited)}.`;
  const theirs = waiting.length === 0 ? "Nobody waits for you." : `${names(waiting)} waits for your inputs.`;
  return `${ours} ${theirs}`;
}
