/**
 * The auditor by hand: one client, a few objects, and what it says when a send is missing. No model has a part in it: the tests say what was
 * sent and when. Rounds are 50 ms; ships are quantised to halves.
 */

import type { ObjectId } from "@nearfield/schema";
import { describe, expect, test } from "vitest";
import type { Entity, Metric, ViewSettings, World } from "../src/index.ts";
import {
  type AuditedView,
  Auditor,
  type AuditSubject,
  NEVER_SENT,
  type SentLog,
  type SentWindow,
} from "../src/internal/index.ts";
import { Comet, Crate, Drone, ROUND_MS, Score, type SetSettings, Ship, smallWorld, viewOf } from "./small-world.ts";

/** Sends by hand. */
class Sent implements SentLog {
  readonly #sends: { readonly id: ObjectId; readonly round: number; readonly removes: boolean }[] = [];
  #settled: { readonly id: ObjectId; readonly arrived: number; readonly lost: number } | undefined;

  add(id: ObjectId, round: number, removes = false): void {
    this.#sends.push({ id, round, removes });
  }

  /** From now on the send of one round is known to have arrived, that of the other to be lost. */
  settle(id: ObjectId, arrived: number, lost: number): void {
    this.#settled = { id, arrived, lost };
    this.#sends.splice(0, this.#sends.length, ...this.#sends.filter(({ round }) => round !== lost));
  }

  tell(into: SentWindow): void {
    for (const { id, round, removes } of this.#sends) if (into.has(id % 2 ** 20)) into.sent(id, round, removes);
    if (this.#settled !== undefined) into.settled(this.#settled.id, this.#settled.arrived, false, this.#settled.lost);
  }

  tellRound(ofRound: number, into: SentWindow): void {
    for (const { id, round, removes } of this.#sends) {
      if (round === ofRound && into.has(id % 2 ** 20)) into.sent(id, round, removes);
    }
  }
}

class Scene {
  readonly world: World = smallWorld();
  readonly auditor: Auditor;
  readonly sent = new Sent();
  readonly view: AuditedView;
  round = 0;
  isPaused = false;
  outer = 1;
  hidden: ObjectId | undefined;
  isOut = false;
  heldBack: ObjectId | undefined;
  isCounted = true;
  settings: ViewSettings;

  constructor(set: SetSettings, options: { sample?: number; metrics?: readonly Metric[]; session?: number } = {}) {
    const { sample = 100, metrics = [], session = 7 } = options;
    this.settings = viewOf(set);
    this.auditor = new Auditor(this.world, { sample, metrics, roundMs: ROUND_MS });
    this.view = this.auditor.add(this.#subject(session));
  }

  #subject(session: number): AuditSubject {
    const scene = this;
    return {
      session,
      get settings() {
        return scene.settings;
      },
      get isPaused() {
        return scene.isPaused;
      },
      get isOut() {
        return scene.isOut;
      },
      get outer() {
        return scene.outer;
      },
      inner: 1,
      sent: this.sent,
      isVisible: (entity: Entity) => entity.id !== this.hidden,
      beginRound: () => {},
      endRound: () => {},
      isHeldBack: (id) => id === this.heldBack,
      isCounted: () => this.isCounted,
    };
  }

  /** Plays a round in which these are sent, and those are removed; what is found in it, in words. */
  play(
    sends: readonly { readonly id: ObjectId }[] = [],
    removals: readonly { readonly id: ObjectId }[] = [],
  ): string[] {
    const before = this.auditor.findings.faults;
    this.world.commit(0);
    this.round += 1;
    this.auditor.examine(this.round);
    for (const { id } of sends) this.sent.add(id, this.round);
    for (const { id } of removals) this.sent.add(id, this.round, true);
    this.auditor.conclude(this.round);
    const found = this.auditor.findings.newest.slice(
      -(this.auditor.findings.faults - before) || Number.POSITIVE_INFINITY,
    );
    return found.map(({ kind, id, zone, cause }) => `${kind} ${id} in ${zone} by ${cause}`).sort();
  }

  rest(rounds: number): void {
    for (let i = 0; i < rounds; i++) expect(this.play()).toEqual([]);
  }
}

const ALWAYS: SetSettings = { bounds: [{ sequence: 1 }] };

describe("existence", () => {
  test("an object that should be there and was never sent is missing, whoever follows it or not", () => {
    const scene = new Scene({ ...ALWAYS, range: 100 });
    const ship = scene.world.spawn(Ship, { x: 10 });
    expect(scene.play()).toEqual([`missing ${ship.id} in 0 by creation`]);
    expect(scene.play()).toEqual([`missing ${ship.id} in 0 by creation`]);
    expect(scene.play([ship])).toEqual([]);
    scene.rest(3);
  });

  test("it enters at its range, and leaves past 1.1 times that; between the two both are right", () => {
    const scene = new Scene({ ...ALWAYS, range: 100 });
    const ship = scene.world.spawn(Ship, { x: 105 });
    scene.rest(2);
    ship.x = 100;
    expect(scene.play([ship])).toEqual([]);
    ship.x = 110;
    expect(scene.play([ship])).toEqual([]);
    ship.x = 108;
    expect(scene.play([], [ship])).toEqual([]);
    scene.rest(2);
    ship.x = 99;
    expect(scene.play([ship])).toEqual([]);
    ship.x = 111;
    expect(scene.play()).toEqual([`lingering ${ship.id} in 0 by removal`]);
    expect(scene.play([], [ship])).toEqual([]);
    scene.rest(2);
  });

  test("what is destroyed lingers until it is removed, also where another object has its slot", () => {
    const scene = new Scene(ALWAYS);
    const ship = scene.world.spawn(Ship, { x: 10 });
    scene.play([ship]);
    scene.world.destroy(ship);
    expect(scene.play()).toEqual([`lingering ${ship.id} in 0 by removal`]);
    expect(scene.play([], [ship])).toEqual([]);
    scene.rest(2);
  });

  test("what may not be known: not to be sent, and to be removed when it is hidden", () => {
    const scene = new Scene(ALWAYS);
    const ship = scene.world.spawn(Ship, { x: 10 });
    scene.hidden = ship.id;
    scene.rest(2);
    expect(scene.play([ship])).toEqual([`leaked ${ship.id} in 0 by removal`]);
    expect(scene.play()).toEqual([`lingering ${ship.id} in 0 by removal`]);
    expect(scene.play([], [ship])).toEqual([]);
  });
});

describe("bounds", () => {
  test("time, by both clocks", () => {
    for (const clock of ["refresh", "firstMiss"] as const) {
      const scene = new Scene({ clock, bounds: [{ time: 200 }] });
      const ship = scene.world.spawn(Ship, { x: 10 });
      scene.play([ship]);
      scene.rest(1);
      ship.hull = 1;
      scene.rest(clock === "refresh" ? 2 : 4);
      expect(scene.play()).toEqual([`late ${ship.id} in 0 by time`]);
      expect(scene.play([ship])).toEqual([]);
      scene.rest(10);
    }
  });

  test("sequence, and value by displacement, path and percent", () => {
    const cases: readonly (readonly [SetSettings, "sequence" | "value"])[] = [
      [{ bounds: [{ sequence: 3 }] }, "sequence"],
      [{ bounds: [{ value: 6 }] }, "value"],
      [{ bounds: [{ value: 6 }], metric: "path" }, "value"],
      [{ bounds: [{ value: 300 }], metric: "relative:hull" }, "value"],
    ];
    for (const [set, cause] of cases) {
      const scene = new Scene(set);
      const ship = scene.world.spawn(Ship, { x: 10, hull: 1 });
      scene.play([ship]);
      for (const step of [1, 2, 3]) {
        ship.x += 2;
        ship.hull += 1;
        const found = scene.play();
        expect(found, `${set.metric} ${step}`).toEqual(step < 3 ? [] : [`late ${ship.id} in 0 by ${cause}`]);
      }
      ship.x += 2;
      expect(scene.play([ship])).toEqual([]);
      scene.rest(2);
    }
  });

  test("a path grows also by moves that do not show in wire form", () => {
    const scene = new Scene({ bounds: [{ value: 3 }], metric: "path" });
    const ship = scene.world.spawn(Ship, { x: 10 });
    scene.play([ship]);
    const shake = (): void => {
      for (const step of [0.2, -0.2, 0.2, -0.2]) {
        ship.x += step;
        scene.rest(1);
      }
    };
    shake();
    ship.x += 2.5;
    expect(scene.play()).toEqual([`late ${ship.id} in 0 by value`]);
    expect(scene.play([ship])).toEqual([]);
    shake();
    // How far it had come when it was sent is not known: it did not change in wire form in that round, and yet it moved.
    ship.x += 0.2;
    expect(scene.play([ship])).toEqual([]);
    ship.x += 20;
    scene.rest(1);
  });

  test("predicted: the picture is judged, whether the object moves or the model does", () => {
    const scene = new Scene({ bounds: [{ value: 3 }], metric: "predicted" });
    const comet = scene.world.spawn(Comet, { x: 0, vx: 20 });
    scene.play([comet]);
    for (let i = 0; i < 10; i++) {
      comet.x += 1;
      expect(scene.play()).toEqual([]);
    }
    // It stops; its picture goes on at a unit a round.
    scene.rest(2);
    expect(scene.play()).toEqual([`late ${comet.id} in 0 by value`]);
    expect(scene.play([comet])).toEqual([]);
    // Sent while it stood still, it is put to rest.
    scene.rest(20);
  });

  test("the cell of this round: a pivot that moved, and zones as loosened", () => {
    const scene = new Scene({ radii: [20], bounds: [{ sequence: 1 }, { sequence: 4 }] });
    const ship = scene.world.spawn(Ship, { x: 50 });
    scene.play([ship]);
    ship.hull = 1;
    scene.rest(2);
    scene.settings = { ...scene.settings, pivots: [{ point: [45, 0] }] };
    expect(scene.play()).toEqual([`late ${ship.id} in 0 by sequence`]);
    scene.settings = { ...scene.settings, pivots: [{ point: [0, 0] }] };
    for (const hull of [2, 3]) {
      ship.hull = hull;
      scene.rest(1);
    }
    scene.outer = 2;
    ship.hull = 4;
    scene.rest(1);
    expect(scene.auditor.findings.shortCounts()).toEqual([{ of: "loosened", zone: 1, cause: "sequence", pairs: 1 }]);
    scene.isCounted = false;
    expect(scene.play()).toEqual([`uncounted ${ship.id} in 1 by sequence`]);
    for (const hull of [5, 6, 7]) {
      ship.hull = hull;
      expect(scene.play()).toEqual([`uncounted ${ship.id} in 1 by sequence`]);
    }
    ship.hull = 8;
    expect(scene.play()).toEqual([`late ${ship.id} in 1 by sequence`]);
  });

  test("due on every change: what has no place, and the client's own", () => {
    const scene = new Scene({ bounds: [{}] });
    const score = scene.world.spawn(Score);
    const [own, other] = [7, 8].map((owner) => scene.world.spawn(Ship, { x: 5 }, { owner }));
    scene.play([score, own!, other!]);
    score.points = 1;
    own!.hull = 1;
    other!.hull = 1;
    expect(scene.play()).toEqual([`late ${score.id} in 0 by change`, `late ${own!.id} in 0 by change`]);
  });

  test("a client's own write leaves it exact; the server's does not", () => {
    const scene = new Scene(ALWAYS);
    const drone = scene.world.spawn(Drone, { x: 5 }, { owner: 7 });
    scene.play([drone]);
    drone.x = 6;
    scene.world.commit(7);
    scene.rest(2);
    drone.x = 7;
    scene.world.commit(7);
    drone.yaw = 1;
    expect(scene.play()).toEqual([`late ${drone.id} in 0 by change`]);
  });

  test("held back for want of bytes is a shortfall, and a fault where the account does not have it", () => {
    const scene = new Scene(ALWAYS);
    const ship = scene.world.spawn(Ship, { x: 10 });
    scene.heldBack = ship.id;
    scene.rest(1);
    scene.isCounted = false;
    expect(scene.play()).toEqual([`uncounted ${ship.id} in 0 by creation`]);
    expect(scene.auditor.findings.shortCounts()).toEqual([{ of: "heldBack", zone: 0, cause: "creation", pairs: 2 }]);
  });
});

describe("what it does not know speaks for the server", () => {
  test("a state older than its memory: the value is not judged, time and a count of updates are", () => {
    const scene = new Scene({ bounds: [{ value: 5, sequence: 60 }] });
    const ship = scene.world.spawn(Ship, { x: 10 });
    scene.play([ship]);
    for (let i = 1; i <= 31; i++) {
      ship.hull = i % 2;
      expect(scene.play()).toEqual([]);
    }
    ship.y = 100;
    // The state that was sent is the oldest of 32 and then goes.
    expect(scene.play()).toEqual([]);
    for (let i = 0; i < 40; i++) {
      ship.hull = i % 2;
      expect(scene.play()).toEqual([]);
    }
  });

  test("a metric that remembers more than one send, and one that throws", () => {
    const broken: Metric = {
      name: "broken",
      memoryless: true,
      sample: () => {
        throw new Error("no sample");
      },
      divergence: () => Number.POSITIVE_INFINITY,
      growth: () => Number.POSITIVE_INFINITY,
    };
    for (const metric of ["predicted:historyLine", "broken"]) {
      const scene = new Scene({ bounds: [{ value: 5, time: 500 }], metric }, { metrics: [broken] });
      const ship = scene.world.spawn(Ship, { x: 10 });
      scene.play([ship]);
      ship.x = 100;
      scene.rest(9);
      expect(scene.play()).toEqual([`late ${ship.id} in 0 by time`]);
    }
  });

  test("a pivot whose object went while the client was away", () => {
    const scene = new Scene({ radii: [20], bounds: [{ sequence: 1 }, {}] });
    const [pivot, ship] = [0, 5].map((x) => scene.world.spawn(Ship, { x }));
    scene.settings = { ...scene.settings, pivots: [{ object: pivot!.id }] };
    scene.play([pivot!, ship!]);
    // While it is followed, its last place is known.
    scene.world.destroy(pivot!);
    scene.play([], [pivot!]);
    ship!.hull = 1;
    expect(scene.play()).toEqual([`late ${ship!.id} in 0 by sequence`]);
    scene.isPaused = true;
    scene.rest(1);
    scene.isPaused = false;
    scene.rest(2);
    scene.settings = { ...scene.settings, pivots: [{ point: [0, 0] }] };
    expect(scene.play()).toEqual([`late ${ship!.id} in 0 by sequence`]);
  });
});

describe("a client that sits out", () => {
  test("is not judged meanwhile, and is as soon as it is served", () => {
    const scene = new Scene(ALWAYS);
    const ship = scene.world.spawn(Ship, { x: 5 });
    scene.play([ship]);
    ship.hull = 1;
    scene.isOut = true;
    scene.rest(7);
    expect(scene.auditor.outViewRounds).toBe(7);
    scene.isOut = false;
    expect(scene.play()).toEqual([`late ${ship.id} in 0 by sequence`]);
  });

  test("is found if it sits out for longer than is allowed", () => {
    const scene = new Scene(ALWAYS);
    const ship = scene.world.spawn(Ship, { x: 5 });
    scene.play([ship]);
    ship.hull = 1;
    scene.isOut = true;
    scene.rest(7);
    expect(scene.play()).toEqual([`late ${ship.id} in 0 by sequence`]);
  });
});

describe("turns", () => {
  test("every pair is looked at once in ⌈pairs ÷ sample⌉ rounds, empty slots and all", () => {
    const scene = new Scene(ALWAYS, { sample: 8 });
    const crates = Array.from({ length: 50 }, () => scene.world.spawn(Crate));
    for (const crate of crates.slice(0, 20)) scene.world.destroy(crate);
    const left = crates.slice(20);
    for (let pass = 0; pass < 5; pass++) {
      const found = new Set<string>();
      const before = scene.auditor.passes;
      let rounds = 0;
      for (; scene.auditor.passes === before; rounds++) for (const fault of scene.play()) found.add(fault);
      expect(rounds).toBe(Math.ceil(left.length / 8));
      expect(found.size).toBe(left.length);
    }
    expect(scene.auditor.examined).toBe(5 * left.length);
  });

  test("a paused client is counted once a round, and nothing is looked at", () => {
    const scene = new Scene(ALWAYS);
    scene.world.spawn(Ship);
    scene.isPaused = true;
    scene.rest(10);
    expect([scene.auditor.pausedViewRounds, scene.auditor.examined]).toEqual([10, 0]);
  });

  test("a client that left between the two looks is not looked at", () => {
    const scene = new Scene(ALWAYS);
    scene.world.spawn(Ship);
    scene.world.commit(0);
    scene.auditor.examine(1);
    scene.auditor.remove(scene.view);
    scene.auditor.conclude(1);
    scene.auditor.examine(2);
    expect([scene.auditor.findings.faults, scene.auditor.examined]).toEqual([0, 1]);
  });
});

describe("what is said of it", () => {
  test("promised pairs over their bound, as decided and as delivered; each once in a look", () => {
    const scene = new Scene({ bounds: [{ sequence: 1 }], range: 100 });
    const { auditor, world } = scene;
    const [near] = [world.spawn(Ship, { x: 10 }), world.spawn(Ship, { x: 500 })];
    const figures = (): number[] => [auditor.promised, auditor.overDecided, auditor.overDelivered];
    scene.play([near]);
    expect(figures()).toEqual([1, 0, 0]);
    near.x += 5;
    scene.play();
    expect(figures()).toEqual([2, 1, 1]);
    scene.heldBack = near.id;
    scene.play();
    expect(figures()).toEqual([3, 2, 2]);
    scene.heldBack = undefined;
    scene.play([near]);
    // That send is lost: as decided it is sent again, as delivered the client is behind until that is known to have arrived.
    scene.sent.settle(near.id, 1, 4);
    scene.play([near]);
    scene.play();
    expect(figures()).toEqual([6, 2, 4]);
    scene.sent.settle(near.id, 5, 4);
    scene.play();
    expect(figures()).toEqual([7, 2, 4]);
  });

  test("a creation that was lost leaves the client behind", () => {
    const scene = new Scene(ALWAYS);
    const ship = scene.world.spawn(Ship, { x: 10 });
    scene.play([ship]);
    scene.sent.settle(ship.id, NEVER_SENT, 1);
    scene.play([ship]);
    expect(scene.auditor.overDelivered).toBe(1);
    expect(scene.auditor.findings.shortCounts()).toEqual([{ of: "lost", zone: 0, cause: "creation", pairs: 1 }]);
  });

  test("a faulty pair is one entry while it is found in every look; then it is over, and the next fault begins another", () => {
    const scene = new Scene(ALWAYS);
    const ship = scene.world.spawn(Ship, { x: 10 });
    const { findings } = scene.auditor;
    scene.play();
    scene.play();
    const missing = {
      kind: "missing",
      session: 7,
      id: ship.id,
      zone: 0,
      cause: "creation",
      since: 1,
      last: 2,
      looks: 2,
    };
    expect(findings.faultyPairs).toEqual([{ ...missing, isOver: false }]);
    scene.play([ship]);
    expect(findings.faultyPairs).toEqual([{ ...missing, isOver: true }]);
    ship.x += 5;
    scene.play();
    const late = { ...missing, kind: "late", cause: "sequence", since: 4, last: 4, looks: 1 };
    expect(findings.faultyPairs).toEqual([
      { ...missing, isOver: true },
      { ...late, isOver: false },
    ]);
    expect(findings.faultsByKind()).toEqual([
      { kind: "missing", looks: 2, first: 1, last: 2 },
      { kind: "late", looks: 1, first: 4, last: 4 },
    ]);
  });

  test("the newest 64 faulty pairs are kept", () => {
    const scene = new Scene(ALWAYS);
    const ships = Array.from({ length: 70 }, (_, x) => scene.world.spawn(Ship, { x }));
    scene.play();
    expect(scene.auditor.findings.faultyPairs.map(({ id }) => id)).toEqual(ships.slice(6).map(({ id }) => id));
    scene.play(ships);
    expect(scene.auditor.findings.faultyPairs.every(({ isOver }) => isOver)).toBe(true);
  });
});
