import { describe, expect, it } from "vitest";
import { Gaze } from "./gaze.ts";
import { JumpWatch } from "./jump-watch.ts";
import { LargeBattle } from "./large-battle.ts";
import { Lockstep, lockstepLatencyMs, serverLatencyMs } from "./lockstep.ts";
import { Match } from "./match.ts";
import { measureMatch } from "./measure-match.ts";
import { CAMERA_SIZE } from "./views.ts";

const small = { map: "small", players: 2, seed: 1 } as const;

describe("a match", () => {
  it("is the same for the same seed, orders included", () => {
    const [one, other] = [new Match(small), new Match(small)];
    for (const match of [one, other]) match.play(30);
    expect(one.battle.checksum()).toBe(other.battle.checksum());
    expect(one.battle.asked).toEqual(other.battle.asked);
  });

  it("has ten times as many fighting units when they are multiplied", () => {
    const match = new Match(small);
    match.play(120);
    const before = match.battle.state.units.reduce((sum, count) => sum + count, 0);
    match.multiply(10);
    const after = match.battle.state.units.reduce((sum, count) => sum + count, 0);
    expect(after).toBeGreaterThan(before * 2);
    match.play(5);
  });

  it("is looked at where one's own pieces are, and the camera stays on the map", () => {
    const match = new Match(small);
    const gaze = new Gaze(match, 1);
    const { size } = match.battle.state.terrain;
    for (let round = 0; round < 200; round++) {
      match.round();
      gaze.round();
      expect(gaze.x).toBeGreaterThanOrEqual(CAMERA_SIZE[0] / 2);
      expect(gaze.x).toBeLessThanOrEqual(size - CAMERA_SIZE[0] / 2);
    }
  });
});

describe("lockstep", () => {
  it("sends every player the orders of all, twice each, and a packet in every turn", () => {
    const lockstep = new Lockstep(2);
    lockstep.turn([]);
    // Turn 16 bits, and 2 × 2 counts of 6 bits: 5 bytes to each of two.
    expect(lockstep.down.bytes).toBe(10);
    lockstep.turn([{ kind: "rally", side: 0, building: 7, x: 10, y: 10 }]);
    const withOrder = lockstep.down.bytes - 10;
    lockstep.turn([]);
    expect(lockstep.down.bytes - 10 - withOrder).toBe(withOrder);
    lockstep.turn([]);
    expect(lockstep.down.bytes).toBe(20 + 2 * withOrder);
    expect(lockstep.down.wireBytes).toBeGreaterThan(8 * 93);
  });

  it("obeys orders when the slowest has them; a server when they arrive", () => {
    expect([lockstepLatencyMs(90, 5), lockstepLatencyMs(300, 5)]).toEqual([150, 450]);
    expect(serverLatencyMs(100)).toBe(150);
  });
});

describe("sudden movements", () => {
  /** A client with one unit that is shown where `places` say. */
  function watchOf(places: readonly number[]): JumpWatch {
    let frame = 0;
    const unit = {
      id: 1,
      get shown() {
        return { x: places[frame]!, y: 0 };
      },
    };
    const watch = new JumpWatch({ world: { all: () => [unit] } } as never, { x: 0, y: 0 } as never, 100);
    for (frame = 0; frame < places.length; frame++) watch.frame(frame * 50);
    return watch;
  }

  it("count once an object has been in the camera for a round trip and a round", () => {
    expect(watchOf([0, 20, 21, 22, 23, 24, 25]).jumps).toBe(0);
    expect(watchOf([0, 1, 2, 3, 4, 5, 25]).jumps).toBe(1);
    // Out of the camera in between.
    expect(watchOf([0, 1, 2, 3, 4, 900, 25, 26]).jumps).toBe(0);
  });
});

describe("rooms", () => {
  it("send less than broadcast, keep their bounds, and hide what is in the fog", async () => {
    const rooms = ["paper", "broadcast", "game", "fog", "whole", "played"] as const;
    const result = await measureMatch({ ...small, skipped: 60, counted: 3, rooms });
    const { paper, broadcast, fog, whole } = result.rooms;
    expect(broadcast!.updates).toBeGreaterThan(0);
    expect(paper!.updates).toBeLessThan(broadcast!.updates);
    expect(paper!.bytes).toBeLessThan(broadcast!.bytes);
    expect(paper!.ownUpdates + broadcast!.ownUpdates).toBe(0);
    expect(fog!.updates).toBeLessThan(whole!.updates);
    expect(fog!.ownUpdates).toBe(whole!.ownUpdates);
    for (const { overBound, jumps } of Object.values(result.rooms)) expect([overBound, jumps]).toEqual([0, 0]);
    expect(result.hidden!.ours).toBe(0);
    expect(result.hidden!.lockstep).toBeGreaterThan(0);
    expect(result.lockstep.turns).toBe(30);
  });

  it("with thousands of units keep their bounds", () => {
    const battle = new LargeBattle({ players: 2, units: 1000, marching: 500 }, { auditSample: 2048 });
    battle.begin();
    for (let round = 0; round < 40; round++) battle.round();
    const { audit, players } = battle.server.main;
    expect(audit.decided + audit.faults).toBe(0);
    expect([...battle.clients[0]!.world.objects()].length).toBeGreaterThanOrEqual(1000);
    expect([...players.values()].every(({ settingsWithUnits }) => settingsWithUnits.pivots.length > 1)).toBe(true);
    expect(battle.roundMs).toBeGreaterThan(0);
  });
});
