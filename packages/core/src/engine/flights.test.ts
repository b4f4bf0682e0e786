import { describe, expect, test } from "vitest";
import { Cause } from "../model.ts";
import { Flights } from "./flights.ts";
import { PairPool } from "./pair-pool.ts";

/** One pair and its flights. */
function start() {
  const pairs = new PairPool();
  const flights = new Flights(pairs);
  const pair = pairs.take(0, 0);
  const send = (round: number, version: number): void => {
    pairs.lastSend[pair] = round;
    pairs.sentVersion[pair] = version;
    pairs.metric[pair] = 1;
    pairs.sample[pair * 3] = 10 * version;
    flights.depart(pair, 2, Cause.value);
  };
  const arrive = (round: number): void => flights.arrive(pair, flights.find(pair, round));
  const lose = (round: number): boolean => flights.lose(pair, flights.find(pair, round));
  const state = () => ({
    version: pairs.sentVersion[pair],
    round: pairs.lastSend[pair],
    sample: pairs.sample[pair * 3],
    base: pairs.base[pair]! < 0 ? 0 : flights.version[pairs.base[pair]!],
  });
  return { pairs, flights, pair, send, arrive, lose, state };
}

describe("flights", () => {
  test("a send is found by its round, with its zone and cause", () => {
    const { flights, pair, send } = start();
    send(5, 1);
    send(7, 2);
    const flight = flights.find(pair, 7);
    expect([flights.version[flight], flights.zone[flight], flights.cause[flight]]).toEqual([2, 2, Cause.value]);
    expect(flights.find(pair, 6)).toBe(-1);
  });

  test("an arrival becomes the base unless a later one is", () => {
    const { send, arrive, state } = start();
    send(5, 1);
    send(7, 2);
    send(9, 3);
    arrive(7);
    expect(state().base).toBe(2);
    arrive(5);
    expect(state().base).toBe(2);
    arrive(9);
    expect(state()).toEqual({ version: 3, round: 9, sample: 30, base: 3 });
  });

  test("a loss falls back to the newest send that still counts", () => {
    const { send, arrive, lose, state } = start();
    send(5, 1);
    arrive(5);
    send(7, 2);
    send(9, 3);
    expect(lose(9)).toBe(true);
    expect(state()).toEqual({ version: 2, round: 7, sample: 20, base: 1 });
    expect(lose(7)).toBe(true);
    expect(state()).toEqual({ version: 1, round: 5, sample: 10, base: 1 });
  });

  test("the loss of an older send changes nothing", () => {
    const { send, lose, state } = start();
    send(5, 1);
    send(7, 2);
    expect(lose(5)).toBe(false);
    expect(state()).toMatchObject({ version: 2, round: 7 });
  });

  test("with nothing left to fall back to, nothing was ever sent", () => {
    const { send, lose, state } = start();
    send(5, 1);
    expect(lose(5)).toBe(true);
    expect(state().version).toBe(0);
  });

  test("an older send in flight is no ground once a later one arrived", () => {
    const { send, arrive, lose, state } = start();
    send(5, 1);
    send(7, 2);
    arrive(7);
    send(9, 3);
    lose(9);
    expect(state()).toMatchObject({ version: 2, round: 7 });
  });

  test("the first miss after a send comes back with it", () => {
    const { pairs, flights, pair, send, lose } = start();
    send(5, 1);
    flights.missSince(pair, 6);
    flights.missSince(pair, 8);
    send(9, 3);
    lose(9);
    expect(pairs.firstMiss[pair]).toBe(6);
  });

  test("for a link that loses nothing, what was sent before the latest has arrived", () => {
    const { pairs, flights, pair, state } = start();
    flights.settle(pair);
    expect(state().base).toBe(0);
    pairs.sentVersion[pair] = 4;
    flights.settle(pair);
    pairs.sentVersion[pair] = 6;
    flights.settle(pair);
    expect(state().base).toBe(6);
  });

  test("what is forgotten is used again, and a thousand at once fit", () => {
    const { flights, pair, pairs, send } = start();
    for (let round = 1; round <= 1000; round++) send(round, round);
    expect(flights.version[flights.find(pair, 777)]).toBe(777);
    const length = flights.round.length;
    flights.forget(pair);
    expect([pairs.flightHead[pair], pairs.flightTail[pair], flights.find(pair, 777)]).toEqual([-1, -1, -1]);
    for (let round = 1; round <= 1000; round++) send(round, round);
    expect(flights.round.length).toBe(length);
  });
});
