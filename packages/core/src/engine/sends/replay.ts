/**
 * Takes samples again when an earlier send did not reach the client. Some metrics take a sample on top of the samples before it (`Metric.again`). If
 * one of those sends is lost, or overtaken by a later one, the client's model never saw it. Then the samples of all later sends are taken
 * again, each on the one before it that still counts.
 *
 * Invariant: each send newer than the base has the sample that the client will have if all sends still on their way arrive in order. The base has the
 * sample that the client had when the base arrived.
 */

import { LARGEST_SAMPLE } from "../../metrics.ts";
import type { EngineContext } from "../engine-context.ts";
import type { EngineView } from "../engine-view.ts";

const NONE = -1;

export class Replay {
  readonly #context: EngineContext;
  readonly #sent: Float64Array = new Float64Array(LARGEST_SAMPLE);
  readonly #before: Float64Array = new Float64Array(LARGEST_SAMPLE);

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** A flight of the pair is about to arrive; older ones that are still on their way will come too late. True if the pair stands on another sample. */
  arrive(view: EngineView, pair: number, flight: number): boolean {
    const flights = view.flights!;
    const base = view.pairs.baseOf(pair);
    if (base !== NONE && flights.roundOf(base) > flights.roundOf(flight)) return false;
    if (flights.firstAfterBase(pair) === flight) return false;
    return this.#run(view, pair, base, flight);
  }

  /** A flight of the pair is about to be lost. True if the pair stands on another sample. */
  lose(view: EngineView, pair: number, flight: number): boolean {
    const flights = view.flights!;
    const next = flights.nextOf(flight);
    let before = view.pairs.baseOf(pair);
    if (next === NONE || (before !== NONE && flights.roundOf(before) > flights.roundOf(flight))) return false;
    for (let at = flights.firstAfterBase(pair); at !== flight; at = flights.nextOf(at)) before = at;
    return this.#run(view, pair, before, next);
  }

  /** Takes the samples of a flight and of all newer ones again; `first` follows `before`, or is the first of all if that is −1. */
  #run(view: EngineView, pair: number, before: number, first: number): boolean {
    const flights = view.flights!;
    let newest = before;
    for (let flight = first; flight !== NONE; flight = flights.nextOf(flight)) {
      this.#take(view, flight, newest);
      newest = flight;
    }
    const { pairs } = view;
    // What the client wrote itself since then is no send.
    const standsOnIt =
      pairs.lastSendOf(pair) === flights.roundOf(newest) && pairs.heldOf(pair) === flights.versionOf(newest);
    if (standsOnIt) flights.giveSample(newest, pair);
    return standsOnIt;
  }

  #take(view: EngineView, flight: number, before: number): void {
    const flights = view.flights!;
    const metric = this.#context.metrics.of(flights.metricOf(flight));
    if (metric?.again === undefined) return;
    const builds = before !== NONE && flights.metricOf(before) === flights.metricOf(flight);
    if (builds) flights.readSample(before, this.#before);
    else this.#before.fill(0);
    const rounds = builds ? flights.roundOf(flight) - flights.roundOf(before) : 0;
    flights.readSample(flight, this.#sent);
    metric.again(this.#sent, 0, this.#before, this.#context.spans.of(rounds), flights.hasSettled(flight));
    flights.writeSample(flight, this.#sent);
  }
}
