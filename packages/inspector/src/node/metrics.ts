/**
 * A server's metrics for Prometheus, written by prom-client. Each server has a registry of its own, which is filled when it is scraped.
 * Only the durations of rounds are kept here, in a histogram, since they are gone when the next round begins.
 */

import { type MetricLabels, type MetricSink, MetricSource, type MetricsOptions } from "@nearfield/inspector/internal";
import type { Server } from "@nearfield/server";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Seconds. */
const ROUND_EDGES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1];

type Family = Counter | Gauge;

export class Metrics {
  readonly #registry = new Registry();
  readonly #families = new Map<string, Family>();
  readonly #server: Server;
  readonly #source: MetricSource;
  /** Rooms that have a row in the histogram. */
  readonly #timed = new Set<string>();
  readonly #rounds: Histogram | undefined;

  constructor(server: Server, options: MetricsOptions = {}) {
    this.#server = server;
    this.#source = new MetricSource(server, options);
    if (options.now === undefined) return;
    this.#rounds = new Histogram({
      name: "nearfield_round_seconds",
      help: "Length of a round.",
      labelNames: ["room"],
      buckets: ROUND_EDGES,
      registers: [this.#registry],
    });
    const rounds = this.#rounds;
    this.#source.onRound = (room, seconds) => {
      this.#timed.add(room);
      rounds.observe({ room }, seconds);
    };
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics in Prometheus's text format. */
  async text(): Promise<string> {
    // Drops rows that no longer exist: of closed rooms, and of zones without a known shortfall.
    for (const family of this.#families.values()) family.reset();
    this.#matchRooms();
    this.#source.read(this.#sink);
    return this.#registry.metrics();
  }

  /** Gives a row to every room and removes the rows of closed ones, since rooms may come and go without end. */
  #matchRooms(): void {
    const rounds = this.#rounds;
    if (rounds === undefined) return;
    for (const room of this.#server.rooms.keys()) {
      if (this.#timed.has(room)) continue;
      this.#timed.add(room);
      rounds.zero({ room });
    }
    for (const room of this.#timed) {
      if (this.#server.rooms.has(room)) continue;
      this.#timed.delete(room);
      rounds.remove({ room });
    }
  }

  /** Stops timing rounds. What was counted stays. */
  dispose(): void {
    this.#source.dispose();
  }

  readonly #sink: MetricSink = {
    counter: (name, help, value, labels = {}) => {
      (this.#family(Counter, name, help, labels) as Counter).inc(labels, value);
    },
    gauge: (name, help, value, labels = {}) => {
      (this.#family(Gauge, name, help, labels) as Gauge).set(labels, value);
    },
  };

  #family(Kind: typeof Counter | typeof Gauge, name: string, help: string, labels: MetricLabels): Family {
    let family = this.#families.get(name);
    if (family === undefined) {
      family = new Kind({ name, help, labelNames: Object.keys(labels), registers: [this.#registry] });
      this.#families.set(name, family);
    }
    return family;
  }
}
