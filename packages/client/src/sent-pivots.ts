/** Sends the pivots that the game asks for. They are part of a page that calls `setPivots`, and of no other. */

import type { Pivot } from "@nearfield/core";
import { type AckPart, type ClientPivotsSet, encodePivots, PIVOT_READERS } from "@nearfield/protocol/internal";
import type { Protocol } from "@nearfield/schema";
import type { Link } from "@nearfield/transport";
import { AskedPivots } from "./asked-pivots.ts";
import type { KnownView } from "./known-view.ts";
import type { Session } from "./session.ts";

export class SentPivots {
  readonly #session: Session;
  readonly #view: KnownView;
  readonly #protocol: Protocol;
  readonly #asked = new AskedPivots();
  /** The link over which the pivots were sent reliably. */
  #reliably: Link | undefined;

  constructor(session: Session, view: KnownView, protocol: Protocol) {
    this.#session = session;
    this.#view = view;
    this.#protocol = protocol;
    session.learn<ClientPivotsSet>(PIVOT_READERS, ({ rules }) => {
      this.#asked.rules = rules;
    });
  }

  ask(pivots: readonly Pivot[], nowMs: number): void {
    this.#view.askPivots();
    this.#asked.ask(pivots, nowMs);
  }

  /**
   * Sends pivots that the server does not know yet. Those that are too long for one packet are sent once over each link, reliably.
   *
   * @param confirmed number of the pivots that the server has confirmed.
   * @param takeAck the ack that leaves with the message.
   */
  send(link: Link, confirmed: number, nowMs: number, tripMs: number, takeAck: () => AckPart | undefined): void {
    const obeyed = this.#asked.confirm(confirmed);
    if (obeyed !== undefined) this.#view.obeyed(obeyed);
    const due = this.#asked.due(nowMs, tripMs, this.#session.roundMs);
    if (due === undefined) return;
    const number = this.#asked.number & 0xff;
    const bytes = encodePivots({ kind: "pivots", number, pivots: due.pivots, ack: takeAck() }, this.#protocol);
    if (due.isNew) this.#reliably = undefined;
    if (bytes.length <= link.maxUnreliableBytes) {
      link.send("sequenced", bytes);
    } else if (link !== this.#reliably) {
      this.#reliably = link;
      link.send("reliable", bytes);
    }
  }
}
