/** Sends of one pair beside a plain list of them: whatever arrives or is lost, and in which order, the pair stands on the same send. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cause } from "../../model.ts";
import { NOTHING_HELD } from "../memory/layout.ts";
import { heap } from "../memory/memory.ts";
import { PairPages } from "../pairs/pair-pages.ts";
import { PairTable } from "../pairs/pair-table.ts";
import { Flights } from "./flights.ts";

interface Send {
  readonly round: number;
  readonly version: number;
  readonly x: number;
  firstMiss: number;
  arrived: boolean;
}

class Twin {
  readonly #table: PairTable;
  readonly #flights: Flights;
  readonly #pair: number;
  #sends: Send[] = [];
  #stands: Send | undefined;
  #round = 0;

  constructor(table: PairTable, flights: Flights, pair: number) {
    this.#table = table;
    this.#flights = flights;
    this.#pair = pair;
  }

  depart(passed: number): void {
    this.#round += 1 + passed;
    const ground = this.#ground();
    if (ground !== undefined && ground.firstMiss === 0) ground.firstMiss = this.#round;
    this.#flights.missSince(this.#pair, this.#round);
    const send = { round: this.#round, version: this.#round * 3, x: this.#round / 4, firstMiss: 0, arrived: false };
    this.#table.setHeld(this.#pair, send.version);
    this.#table.setLastSend(this.#pair, send.round);
    this.#table.writeSample(this.#pair, 1 + (send.round % 5), Float64Array.of(send.x, 1, 2, 3, 4, 5), 0);
    this.#flights.depart(this.#pair, send.round % 3, (send.round % 4) as Cause);
    this.#sends.push(send);
    this.#stands = send;
  }

  arrive(which: number): void {
    const send = this.#inFlight[which];
    if (send === undefined) return;
    this.#flights.arrive(this.#pair, this.#flights.find(this.#pair, send.round));
    send.arrived = true;
  }

  lose(which: number): void {
    const send = this.#inFlight[which];
    if (send === undefined) return;
    const stoodOnIt = this.#stands === send;
    this.#sends = this.#sends.filter((other) => other !== send);
    expect(this.#flights.lose(this.#pair, this.#flights.find(this.#pair, send.round))).toBe(stoodOnIt);
    if (stoodOnIt) this.#stands = this.#ground();
  }

  forget(): void {
    this.#flights.forget(this.#pair);
    this.#table.forgetSends(this.#pair);
    this.#sends = [];
    this.#stands = undefined;
  }

  check(): void {
    const told: [number, number, number][] = [];
    this.#flights.eachInFlight(this.#pair, (round, zone, cause) => told.push([round, zone, cause]));
    expect(told).toEqual(this.#inFlight.map(({ round }) => [round, round % 3, round % 4]));
    const base = this.#table.baseOf(this.#pair);
    const arrived = this.#sends.filter((send) => send.arrived).at(-1);
    expect(base < 0 ? undefined : this.#flights.roundOf(base)).toBe(arrived?.round);
    expect(base < 0 ? undefined : this.#flights.versionOf(base)).toBe(arrived?.version);
    if (this.#stands === undefined) {
      expect(this.#table.heldOf(this.#pair)).toBeLessThanOrEqual(0);
      return;
    }
    const sample = new Float64Array(6);
    this.#table.readSample(this.#pair, sample, 0);
    const { round, version, x, firstMiss } = this.#stands;
    expect([this.#table.lastSendOf(this.#pair), this.#table.heldOf(this.#pair)]).toEqual([round, version]);
    expect([...sample, this.#table.metricOf(this.#pair)]).toEqual([x, 1, 2, 3, 4, 5, 1 + (round % 5)]);
    if (firstMiss > 0) expect(this.#table.firstMissOf(this.#pair)).toBe(firstMiss);
  }

  get #inFlight(): Send[] {
    return this.#sends.filter(({ arrived }) => !arrived);
  }

  /** The newest that counts; what arrived before a later one that arrived counts no longer. */
  #ground(): Send | undefined {
    return this.#sends.at(-1);
  }
}

function fresh(): { table: PairTable; flights: Flights } {
  const table = new PairTable(new PairPages(heap), true);
  table.deepen();
  return { table, flights: new Flights(heap, table) };
}

describe("flights", () => {
  test("a pair stands on the newest send that is not known to be lost", () => {
    const step = fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 9 }), fc.nat({ max: 4 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200, size: "max" }), (steps) => {
        const { table, flights } = fresh();
        const twins = [7, 8, 9].map((slot) => new Twin(table, flights, table.take(slot, 0)));
        for (const [which, kind, number] of steps) {
          const twin = twins[which]!;
          if (kind < 4) twin.depart(number);
          else if (kind < 7) twin.arrive(number);
          else if (kind < 9) twin.lose(number);
          else if (number === 0) twin.forget();
          for (const other of twins) other.check();
        }
      }),
    );
  });

  test("when all is lost, nothing is held", () => {
    const { table, flights } = fresh();
    const pair = table.take(0, 0);
    table.setHeld(pair, 1);
    table.setLastSend(pair, 1);
    flights.depart(pair, 0, Cause.creation);
    expect(flights.find(pair, 2)).toBe(-1);
    expect(flights.lose(pair, flights.find(pair, 1))).toBe(true);
    expect([table.heldOf(pair), table.baseOf(pair)]).toEqual([NOTHING_HELD, -1]);
  });

  test("numbers are used again: many sends need no more room than are on their way at once", () => {
    const { table, flights } = fresh();
    const pair = table.take(0, 0);
    for (let round = 1; round <= 1000; round++) {
      table.setHeld(pair, round);
      table.setLastSend(pair, round);
      flights.depart(pair, 0, Cause.time);
      if (round > 4) flights.arrive(pair, flights.find(pair, round - 4));
    }
    expect(flights.capacity).toBeLessThanOrEqual(16);
  });

  test("room is made before the last of it is used, and no earlier", () => {
    const { table, flights } = fresh();
    const before = flights.capacity;
    const pair = table.take(0, 0);
    let round = 0;
    const departUpTo = (share: number): void => {
      while (round < share * before) {
        round += 1;
        table.setHeld(pair, round);
        table.setLastSend(pair, round);
        flights.depart(pair, 0, Cause.time);
      }
      flights.makeRoom();
    };
    departUpTo(7 / 8);
    expect(flights.capacity).toBe(before);
    departUpTo(1);
    expect(flights.capacity).toBe(2 * before);
  });
});
