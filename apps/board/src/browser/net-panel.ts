/** The overlay's figures: what this page gets and sends, and what a broadcast of every change would have cost. */

import { find, setText } from "@nearfield/kit/browser";
import { PRESENCE_MS, THING_MS } from "../views.ts";
import type { NetFigures, Network } from "./network.ts";

/** How often figures are written; a reader cannot follow more. The server counts broadcasts once a second. */
const EVERY_MS = 2000;

export class NetPanel {
  readonly #root: HTMLElement;
  #before: NetFigures | undefined;
  #sinceMs = 0;
  #linkKind = "";

  constructor(root: HTMLElement) {
    this.#root = root;
    const rows = THING_MS.map((ms, zone) => {
      const words = ["on screen, by cursor", "just beside", "near by", "everywhere else"][zone];
      return `<tr data-zone="${zone}"><th>${words}</th><td>${late(ms)}</td><td>${late(PRESENCE_MS[zone]!)}</td></tr>`;
    });
    find("#net-zones tbody", root).innerHTML = rows.join("");
  }

  /** Call it in every frame while the overlay is open. */
  show(network: Network, nowMs: number): void {
    const seconds = (nowMs - this.#sinceMs) / 1000;
    if (seconds * 1000 < EVERY_MS) return;
    const now = network.figures;
    const before = this.#linkKind === network.linkKind && seconds < 3 * (EVERY_MS / 1000) ? this.#before : undefined;
    const rate = (of: (totals: NetFigures) => number): number =>
      before === undefined ? 0 : Math.max(0, of(now) - of(before)) / seconds;
    this.#text("net-state", `${kilo(rate(({ updateBytes }) => updateBytes))}/s`);
    this.#text("net-in", `${kilo(rate(({ bytesIn }) => bytesIn))}/s`);
    this.#text("net-wire", `${kilo(rate(({ wireBytesIn }) => wireBytesIn))}/s`);
    this.#text("net-out", `${kilo(rate(({ bytesOut }) => bytesOut))}/s`);
    this.#text("net-packets", `${Math.round(rate(({ packetsIn }) => packetsIn))}/s`);
    this.#text("net-broadcast", `${kilo(rate(({ broadcastBytes }) => broadcastBytes))}/s`);
    this.#text("net-broadcast-updates", `${Math.round(rate(({ broadcastUpdates }) => broadcastUpdates))}/s`);
    this.#text("net-updates", `${Math.round(rate(({ updates }) => updates))}/s`);
    this.#text("net-trip", network.roundTripMs < 0 ? "…" : `${Math.round(network.roundTripMs)} ms`);
    this.#text(
      "net-link",
      network.linkKind === "webrtc" ? "WebRTC" : network.linkKind === "websocket" ? "WebSocket" : "no link",
    );
    this.#before = now;
    this.#sinceMs = nowMs;
    this.#linkKind = network.linkKind;
  }

  #text(id: string, words: string): void {
    setText(find(`#${id}`, this.#root), words);
  }
}

function late(ms: number): string {
  return ms === 0 ? "live" : `≤ ${ms / 1000} s`;
}

function kilo(bytes: number): string {
  return bytes < 1000 ? `${Math.round(bytes)} B` : `${(bytes / 1000).toFixed(1)} kB`;
}
