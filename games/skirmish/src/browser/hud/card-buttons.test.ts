import { describe, expect, it } from "vitest";
import { KIND, KINDS } from "../../rules/kinds.ts";
import { Squad } from "../select/squad.ts";
import { buttonsOf, type CardState } from "./card-buttons.ts";

function stateOf(kinds: readonly number[], change: Partial<CardState> = {}): CardState {
  const squad = new Squad();
  squad.isOwn = true;
  for (const kind of kinds) squad.counts[kind]! += 1;
  squad.total = kinds.length;
  squad.focus = kinds[0] ?? -1;
  return {
    squad,
    menu: "orders",
    aim: undefined,
    placing: undefined,
    canPay: () => true,
    trainingRefusal: () => undefined,
    queued: 0,
    ...change,
  };
}

const names = (state: CardState): string[] => buttonsOf(state).map(({ name }) => name);

describe("the command card", () => {
  it("has fighters attack and builders build", () => {
    expect(names(stateOf([KIND.tank]))).toEqual(["Go", "Attack", "Patrol", "Hold", "Stop"]);
    expect(names(stateOf([KIND.builder]))).toEqual(["Go", "Stop", "Repair", "Build"]);
    expect(names(stateOf([]))).toEqual([]);
  });

  it("says why something cannot be had", () => {
    const poor = buttonsOf(stateOf([KIND.builder], { menu: "build", canPay: (cost) => cost <= 200 }));
    expect(poor.filter(({ disabled }) => disabled === "").map(({ name }) => name)).toEqual([
      "Refinery",
      "Barracks",
      "Tower",
      "Back",
    ]);
    expect(poor.find(({ name }) => name === "Factory")!.disabled).toBe("Not enough ore");
    const full = buttonsOf(stateOf([KIND.barracks], { trainingRefusal: () => "queueFull", queued: 5 }));
    expect(full.map(({ name, disabled }) => [name, disabled])).toEqual([
      ["Trooper", "The queue is full"],
      ["Lancer", "The queue is full"],
      ["Rally", ""],
      ["Cancel", ""],
    ]);
  });

  it("never has two buttons with the same key", () => {
    for (const kind of KINDS.keys())
      for (const menu of ["orders", "build"] as const) {
        const keys = buttonsOf(stateOf([kind, KIND.tank, KIND.builder], { menu })).map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
      }
  });
});
