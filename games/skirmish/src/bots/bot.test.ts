import { describe, expect, it } from "vitest";
import { Battle } from "../rules/battle.ts";
import { FIRST_BUILDING, KIND } from "../rules/kinds.ts";
import { NO_SIDE, STEP_MS } from "../state.ts";
import { Terrain } from "../terrain/terrain.ts";
import { Bot } from "./bot.ts";
import { Eyes } from "./eyes.ts";
import type { Strength } from "./strengths.ts";

const minutes = (count: number) => (count * 60_000) / STEP_MS;

function matchOf(seed: number, strengths: readonly Strength[]): { battle: Battle; bots: Bot[] } {
  const battle = new Battle({ terrain: new Terrain({ seed, map: "small", sides: strengths.length }) });
  battle.begin();
  return { battle, bots: strengths.map((strength, side) => new Bot(battle, { side, strength, seed })) };
}

function play({ battle, bots }: { battle: Battle; bots: Bot[] }, mostSteps: number): void {
  while (battle.state.winner === NO_SIDE && battle.state.step < mostSteps) {
    battle.step();
    for (const bot of bots) bot.act();
  }
}

describe("bots", () => {
  it.each([1])("four play a match to its end within 40 minutes (seed %i)", (seed) => {
    const match = matchOf(seed, ["hard", "easy", "hard", "easy"]);
    const { state } = match.battle;
    play(match, minutes(40));
    console.log(`seed ${seed}: side ${state.winner} won after ${((state.step * STEP_MS) / 60_000).toFixed(1)} minutes`);
    expect(state.winner).not.toBe(NO_SIDE);
    expect([...state.standing].map((standing, side) => standing === 1 && side)).toContain(state.winner);
  });

  it.each([4, 5, 8])("a hard one beats an easy one (seed %i)", (seed) => {
    const match = matchOf(seed, ["easy", "hard"]);
    play(match, minutes(30));
    expect(match.battle.state.winner).toBe(1);
  });

  it("gather, expand, build, scout and train armies", () => {
    const match = matchOf(2, ["hard", "hard"]);
    const { state } = match.battle;
    const kinds = new Set<number>();
    let scouted = false;
    for (let minute = 1; minute <= 6; minute++) {
      play(match, minutes(minute));
      for (let slot = 0; slot < state.pieces.high; slot++) {
        if (state.pieces.alive[slot] === 1 && state.pieces.side[slot] === 0) kinds.add(state.pieces.kind[slot]!);
      }
      const { x, y } = state.terrain.starts[1]!;
      scouted ||= state.vision.hasSeen(0, x, y);
    }
    for (const kind of ["barracks", "factory", "refinery", "tower", "trooper", "scout"] as const) {
      expect(kinds, kind).toContain(KIND[kind]);
    }
    expect(scouted).toBe(true);
  });

  it("the same seed gives the same match, another seed another", () => {
    const checksums = [3, 3, 4].map((seed) => {
      const match = matchOf(seed, ["hard", "easy", "easy"]);
      const seen: number[] = [];
      for (let minute = 1; minute <= 3; minute++) {
        play(match, minutes(minute));
        seen.push(match.battle.checksum());
      }
      return seen.join();
    });
    expect(checksums[1]).toBe(checksums[0]);
    expect(checksums[2]).not.toBe(checksums[0]);
  });

  it("know of enemies only what their side may know", () => {
    const { battle } = matchOf(1, ["easy", "easy"]);
    const { state } = battle;
    const middle = state.terrain.size / 2;
    const tower = state.pieces.handleOf(state.add(KIND.tower, 1, middle, middle));
    const eyes = new Eyes(state, 0, battle.mayKnow);
    eyes.look();
    expect(eyes.enemies).toEqual([]);
    const guard = state.add(KIND.trooper, 0, middle - 60, middle);
    state.vision.refresh(state.pieces);
    eyes.look();
    expect(eyes.enemies.map(({ handle }) => handle)).toEqual([tower]);
    // It is remembered after the guard is gone, and forgotten when its place is seen without it.
    state.remove(guard);
    state.vision.refresh(state.pieces);
    eyes.look();
    expect(eyes.enemies).toEqual([]);
    expect([...eyes.remembered.keys()]).toEqual([tower]);
    state.remove(state.pieces.slotOf(tower));
    eyes.look();
    expect(eyes.remembered.size).toBe(1);
    state.add(KIND.trooper, 0, middle - 60, middle);
    state.vision.refresh(state.pieces);
    eyes.look();
    expect(eyes.remembered.size).toBe(0);
    expect(eyes.buildings.every(({ kind }) => kind >= FIRST_BUILDING)).toBe(true);
  });
});
