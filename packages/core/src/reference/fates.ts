/** The oracle's record of what became of sends: acknowledged, lost or withheld. A pair falls back to the newest send that still counts. */

import type { ObjectId } from "@nearfield/schema";
import { type Account, pairKey } from "../account.ts";
import { LARGEST_SAMPLE } from "../metrics.ts";
import { Cause } from "../model.ts";
import { groundOf, holds, noteWait, type Pair, type Send, type View } from "./pairs.ts";

export class Fates {
  readonly #account: Account;
  readonly #roundMs: number;

  constructor(account: Account, roundMs: number) {
    this.#account = account;
    this.#roundMs = roundMs;
  }

  acknowledge(view: View, id: ObjectId, round: number): void {
    const { pairs, removals, departed } = view;
    if (removals.get(id)?.round === round) {
      removals.delete(id);
      this.#account.caughtUp(pairKey(view.id, id), round);
      return;
    }
    const pair = pairs.get(id);
    const send = pair?.inFlight.find((candidate) => candidate.round === round);
    if (pair === undefined || send === undefined) return departed.acknowledge(id, round);
    const { base } = pair;
    const isNewest = base === undefined || base.round < round;
    const isOvertaking = pair.inFlight.some((older) => older.round < round && older.round > (base?.round ?? -1));
    if (isNewest && isOvertaking) this.#takeAgain(pair, base, send);
    pair.inFlight = pair.inFlight.filter((candidate) => candidate !== send);
    if (isNewest) pair.base = send;
    this.#account.caughtUp(pairKey(view.id, id), round);
  }

  lose(view: View, id: ObjectId, round: number): void {
    const { pairs, removals, departed } = view;
    const removal = removals.get(id);
    if (removal?.round === round) {
      removal.round = -1;
      removal.wasLost = true;
      removal.since = 0;
      this.#account.lost(pairKey(view.id, id), 0, Cause.removal, round);
      return;
    }
    const pair = pairs.get(id);
    const send = pair?.inFlight.find((candidate) => candidate.round === round);
    if (pair === undefined || send === undefined) return departed.lose(id, round, this.#account);
    const counting = pair.inFlight.filter((other) => other.round > (pair.base?.round ?? -1));
    const index = counting.indexOf(send);
    if (index >= 0 && index < counting.length - 1) {
      this.#takeAgain(pair, index === 0 ? pair.base : counting[index - 1], counting[index + 1]!);
    }
    pair.inFlight = pair.inFlight.filter((candidate) => candidate !== send);
    this.#account.lost(pairKey(view.id, id), send.zone, send.cause, round);
    if (pair.base !== undefined) this.#account.caughtUp(pairKey(view.id, id), pair.base.round);
    if (pair.lastSend === round) this.#fallBack(pair);
    if (send.cause === Cause.demand) this.#passDemand(pair, round);
  }

  /** A demand lives until a send that meets it has arrived. A later send says all that the lost one said, so it meets the demand as well. */
  #passDemand(pair: Pair, round: number): void {
    if (pair.base !== undefined && pair.base.round > round) return;
    const later = pair.inFlight.find((candidate) => candidate.round > round);
    if (later === undefined) pair.demanded = true;
    else later.cause = Cause.demand;
  }

  /** `first` follows `before` after all, or nothing: its sample, and those of all newer sends, are taken again where they build on the one before. */
  #takeAgain(pair: Pair, before: Send | undefined, first: Send): void {
    let last = before;
    for (const send of pair.inFlight.filter(({ round }) => round >= first.round)) {
      const ground = last?.metric === send.metric ? last : undefined;
      const sinceMs = ground === undefined ? 0 : (send.round - ground.round) * this.#roundMs;
      const sample = send.sample.slice();
      send.metric.again?.(sample, 0, ground?.sample ?? new Float64Array(LARGEST_SAMPLE), sinceMs, send.settles);
      send.sample = sample;
      last = send;
    }
    if (pair.lastSend === last!.round && pair.sentVersion === last!.version) pair.sample = last!.sample.slice();
  }

  withhold(view: View, id: ObjectId, round: number): void {
    const removal = view.removals.get(id);
    if (removal?.round === round) {
      removal.round = -1;
      removal.since ||= round;
      view.shortIn = round;
      view.decisions.withhold();
      this.#account.short(pairKey(view.id, id), 0, Cause.removal, round);
      return;
    }
    const pair = view.pairs.get(id);
    if (pair?.inFlight.at(-1)?.round !== round) return;
    const { zone, cause } = pair.inFlight.pop()!;
    view.shortIn = round;
    view.decisions.withhold();
    this.#fallBack(pair);
    pair.demanded = cause === Cause.demand;
    if (view.fresh.has(id)) view.pairs.delete(id);
    // What was to ride along is not over its bound, so it does not wait.
    if (cause === Cause.ripe) return;
    this.#account.short(pairKey(view.id, id), zone, cause, round);
    noteWait(view, id, round);
  }

  /** The newest send no longer counts: the pair stands on the newest that does. */
  #fallBack(pair: Pair): void {
    const ground = groundOf(pair);
    if (ground === undefined) pair.sentVersion = 0;
    else holds(pair, ground);
  }
}
