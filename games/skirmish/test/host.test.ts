/** Skirmish on a server with clients, on virtual time: joining, orders, training, refusals, the end of a match, leaving and coming back. */

import { setPivots } from "@nearfield/client/views";
import { describe, expect, it } from "vitest";
import {
  BUILDINGS,
  Building,
  CancelTraining,
  COEFFICIENTS,
  canPlace,
  KIND,
  NO_SIDE,
  Ore,
  Rally,
  Rematch,
  START_BUILDERS,
  START_ORE,
  snapped,
  Train,
  UNITS,
  UnderAttack,
  Unit,
  Works,
} from "../src/index.ts";
import { begin, type Skirmish, setUp, TestPlayer } from "./skirmish-lab.ts";

/** A piece in the battle, beside a side's start. Gives its handle. */
function place({ host }: Skirmish, kind: keyof typeof KIND, side: number, dx = 60, dy = 60): number {
  const { state } = host.battle;
  const { x, y } = state.terrain.starts[side]!;
  return state.pieces.handleOf(state.add(KIND[kind], side, x + dx, y + dy));
}

/** Takes all buildings of a side away. */
function raze({ host }: Skirmish, side: number): void {
  const { state } = host.battle;
  for (let slot = 0; slot < state.pieces.high; slot++) {
    if (state.pieces.alive[slot] === 1 && state.pieces.side[slot] === side && state.pieces.isBuilding(slot)) {
      state.pieces.health[slot] = 0.5;
      state.pieces.hurt[slot] = 1;
      state.hurtSlots.push(slot);
    }
  }
}

/** Places around a building. */
function sites({ x, y }: { readonly x: number; readonly y: number }): { readonly x: number; readonly y: number }[] {
  const turns = Array.from({ length: 16 }, (_, turn) => (turn * Math.PI) / 8);
  return turns.map((turn) => snapped("barracks", x + 110 * Math.cos(turn), y + 110 * Math.sin(turn)));
}

describe("joining", () => {
  it("gives a newcomer the match, the list of sides, a base, builders and a purse of its own", () => {
    const skirmish = setUp();
    const ann = new TestPlayer(skirmish, "ann");
    skirmish.lab.until(() => ann.side !== undefined && ann.units.length > 0);
    expect(ann.match).toMatchObject({ map: "small", sides: 2, phase: "waiting", winner: NO_SIDE });
    expect(ann.sides).toMatchObject([
      { side: 0, name: "ann", bot: false, standing: true },
      { side: 1, name: "Brahe", bot: true, standing: true },
    ]);
    expect(ann.purses).toMatchObject([{ side: 0, ore: START_ORE, units: START_BUILDERS }]);
    expect(ann.ownUnits("builder")).toHaveLength(START_BUILDERS);
    expect(ann.ownBuilding("base")).toMatchObject({ side: 0, built: 100, health: 100 });
    expect(ann.ownUnits().every((unit) => ann.lab.world.isMine(unit))).toBe(true);
    const { x, y } = ann.ownBuilding("base")!;
    expect([...ann.lab.world.all(Works)]).toMatchObject([{ side: 0, x, y, training: "none", waiting: [] }]);
    expect([...ann.lab.world.all(Ore)].length).toBeGreaterThan(0);
    expect(skirmish.host).toMatchObject({ people: 1, bots: 1, phase: "waiting" });
  });

  it("shows the own base before the page has told of a camera, and obeys the camera then", () => {
    const skirmish = setUp();
    const [ann] = begin(skirmish, "ann");
    const [player] = [...skirmish.host.room.players.values()];
    const { x, y } = skirmish.host.battle.state.terrain.starts[0]!;
    expect(player!.settings.pivots).toMatchObject([{ camera: [x, y] }]);
    setPivots(ann!.lab.client, [{ camera: [300, 200], size: [400, 300], rotation: 1, coefficients: COEFFICIENTS }]);
    skirmish.lab.run(1000);
    expect(player!.settings.pivots).toMatchObject([{ camera: [300, 200], size: [400, 300], rotation: 1 }]);
    // Units are pivots, too; a camera that is too large is made smaller; other pivots are not granted.
    expect(player!.settingsWithUnits.pivots.length).toBeGreaterThan(1);
    setPivots(ann!.lab.client, [{ camera: [300, 200], size: [4000, 2000], coefficients: COEFFICIENTS }]);
    skirmish.lab.run(1000);
    expect(player!.settings.pivots).toMatchObject([{ size: [2000, 1000] }]);
    setPivots(ann!.lab.client, [{ point: [1, 1] }]);
    skirmish.lab.run(1000);
    expect(player!.settings.pivots).toEqual([]);
  });

  it("starts when all people are ready, or when they have been waited for long enough", () => {
    const skirmish = setUp({ waitMs: 5000 });
    const [ann, ben] = ["ann", "ben"].map((name) => new TestPlayer(skirmish, name)) as [TestPlayer, TestPlayer];
    skirmish.lab.until(() => ben.side !== undefined);
    ann.ready();
    skirmish.lab.run(1000);
    expect(ben.match.phase).toBe("waiting");
    expect(ben.sides.map(({ ready }) => ready)).toEqual([true, false]);
    ann.order(ann.ownUnits(), { what: "stop" });
    skirmish.lab.run(300);
    expect(ann.refusals).toEqual(["notPlaying"]);
    skirmish.lab.until(() => ben.match.phase === "play");
    expect(skirmish.lab.clock.nowMs).toBeGreaterThanOrEqual(5000);
  });

  it("of one who is alone begins a new match, whatever the bots are at", () => {
    const skirmish = setUp({ seed: 9 });
    skirmish.lab.run(5000);
    expect(skirmish.host).toMatchObject({ phase: "play", bots: 2, people: 0 });
    const bots = skirmish.host.battle;
    const ann = new TestPlayer(skirmish, "ann");
    skirmish.lab.until(() => ann.side !== undefined);
    expect(skirmish.host.battle).not.toBe(bots);
    expect(ann.match.phase).toBe("waiting");
    expect(ann.match.seed).not.toBe(9);
  });

  it("while others play gives a bot's side; without one, the newcomer looks on until a side is free", () => {
    const skirmish = setUp();
    const [ann] = begin(skirmish, "ann");
    skirmish.lab.run(2000);
    const ben = new TestPlayer(skirmish, "ben");
    skirmish.lab.until(() => ben.side !== undefined);
    expect([ben.side, ben.match.phase, ben.ownUnits().length > 0]).toEqual([1, "play", true]);
    const cay = new TestPlayer(skirmish, "cay");
    skirmish.lab.until(() => cay.sides.length === 2);
    skirmish.lab.run(500);
    expect([cay.side, cay.units.length, cay.buildings.length]).toEqual([undefined, 0, 0]);
    cay.order(ann!.ownUnits(), { what: "stop" });
    skirmish.lab.run(500);
    expect(cay.refusals).toEqual(["notPlaying"]);
    ann!.lab.leave();
    skirmish.lab.until(() => cay.side === 0 && cay.ownUnits().length > 0);
    expect(cay.sides[0]).toMatchObject({ name: "cay", bot: false });
  });
});

describe("orders", () => {
  it("move units, and work: a builder digs what it is shown, or what the map has in the fog", () => {
    const skirmish = setUp();
    const [ann] = begin(skirmish, "ann");
    const [unit, other, third] = ann!.ownUnits("builder");
    const { x, y } = unit!;
    const aside = x > 512 ? -60 : 60;
    ann!.order([unit!], { what: "move", x: x + aside, y });
    const [ore] = [...ann!.lab.world.all(Ore)];
    ann!.order([other!], { what: "gather", target: ore!.id, x: ore!.x, y: ore!.y });
    const { terrain } = skirmish.host.battle.state;
    const hidden = terrain.ore.findIndex((patch) => !skirmish.host.battle.state.vision.sees(0, patch.x, patch.y));
    ann!.order([third!], { what: "gather", x: terrain.ore[hidden]!.x + 3, y: terrain.ore[hidden]!.y });
    skirmish.lab.run(4000);
    expect(Math.hypot(unit!.x - (x + aside), unit!.y - y)).toBeLessThan(20);
    expect(["moving", "gathering"]).toContain(other!.doing);
    expect(third!.doing).toBe("moving");
    const { faceX, faceY, kind, high } = skirmish.host.battle.state.pieces;
    for (let slot = 0; slot < high; slot++) {
      if (kind[slot] !== KIND.builder) continue;
      const { heading } = skirmish.lab.world.get(Unit, skirmish.host.objectAt(slot)!.id)!;
      expect(heading).toBeCloseTo(Math.atan2(faceY[slot]!, faceX[slot]!), 9);
    }
    expect(ann!.refusals).toEqual([]);
    const { pieces, queues } = skirmish.host.battle.state;
    // The replica of an own unit that marches may be some rounds old.
    const apart = (slot: number): number => Math.hypot(pieces.x[slot]! - third!.x, pieces.y[slot]! - third!.y);
    const builders = Array.from({ length: high }, (_, slot) => slot).filter((slot) => kind[slot] === KIND.builder);
    const digger = builders.reduce((best, slot) => (apart(slot) < apart(best) ? slot : best));
    expect(queues.target(digger)).toBe(hidden);
  });

  it("build and train; the ore is paid, the units come out, and what is cancelled is paid back", () => {
    const skirmish = setUp();
    const [ann] = begin(skirmish, "ann");
    const base = ann!.ownBuilding("base")!;
    const client = ann!.lab.client;
    client.send(Rally, { building: base.id, x: base.x, y: base.y + 100 });
    client.send(Train, { building: base.id, kind: "builder", count: 3 });
    client.send(CancelTraining, { building: base.id });
    skirmish.lab.run(1000);
    const [works] = [...ann!.lab.world.all(Works)];
    expect(works).toMatchObject({ training: "builder", waiting: ["builder"], rallyY: base.y + 100 });
    expect(works!.progress).toBeGreaterThan(3);
    const { ore } = ann!.purses[0]!;
    expect(ore).toBeLessThan(START_ORE - 2 * UNITS.builder.cost + 20);
    expect(ore).toBeGreaterThanOrEqual(START_ORE - 2 * UNITS.builder.cost);
    skirmish.lab.run(2 * UNITS.builder.makeMs + 500);
    expect(ann!.ownUnits("builder")).toHaveLength(START_BUILDERS + 2);
    expect(ann!.purses[0]!.units).toBe(START_BUILDERS + 2);

    skirmish.host.battle.state.ore[0] = 1000;
    const site = sites(base).find(({ x, y }) => canPlace(skirmish.host.battle.state, "barracks", x, y, () => true))!;
    ann!.order(ann!.ownUnits("builder").slice(0, 1), { what: "build", building: "barracks", ...site });
    skirmish.lab.until(() => ann!.ownBuilding("barracks") !== undefined, 20_000);
    expect(ann!.ownBuilding("barracks")!.built).toBeLessThan(10);
    skirmish.lab.until(() => ann!.ownBuilding("barracks")!.built === 100, BUILDINGS.barracks.makeMs + 2000);
    expect(ann!.ownBuilding("barracks")!.health).toBe(100);
    expect(ann!.refusals).toEqual([]);
  });

  it("are refused, with the reason, and change nothing", () => {
    const skirmish = setUp();
    const [ann, ben] = begin(skirmish, "ann", "ben");
    const { host, lab } = skirmish;
    const guard = place(skirmish, "trooper", 1 - ann!.side!, 60, 60);
    const spy = host.battle.state.pieces.slotOf(place(skirmish, "scout", ann!.side!, 0, 90));
    host.battle.state.pieces.x[spy] = host.battle.state.terrain.starts[ben!.side!]!.x + 150;
    host.battle.state.pieces.y[spy] = host.battle.state.terrain.starts[ben!.side!]!.y;
    lab.run(400);
    const [players, pieces] = [[...host.room.players.values()], host.battle.state.pieces];
    const annPlayer = players.find(({ nickname }) => nickname === "ann")!;
    const seen = annPlayer.idOf(host.objectAt(pieces.slotOf(guard))!)!;
    const own = ann!.ownUnits("builder");
    const base = ann!.ownBuilding("base")!;
    const enemyBase = ann!.buildings.find(({ side }) => side === ben!.side)!;
    const checksum = () => [...host.battle.state.queues.count].join();
    const before = checksum();
    const refusalOf = (act: () => void): string | undefined => {
      ann!.refusals.length = 0;
      act();
      lab.run(200);
      return ann!.refusals[0];
    };
    const send = ann!.lab.client.send.bind(ann!.lab.client);
    // The units of others, things that are no units, ids that name nothing, and nothing at all.
    expect(refusalOf(() => ann!.order([seen], { what: "move", x: 9, y: 9 }))).toBe("notYours");
    expect(refusalOf(() => ann!.order([own[0]!.id, seen], { what: "move", x: 9, y: 9 }))).toBe("notYours");
    expect(refusalOf(() => ann!.order([base.id], { what: "move", x: 9, y: 9 }))).toBe("notYours");
    expect(refusalOf(() => ann!.order([4_000_000_000, 77_777], { what: "move", x: 9, y: 9 }))).toBe("notYours");
    expect(refusalOf(() => ann!.order([], { what: "stop" }))).toBe("notYours");
    // Places outside, targets that are none.
    expect(refusalOf(() => ann!.order([own[0]!], { what: "move", x: 2000, y: 9 }))).toBe("outside");
    expect(refusalOf(() => ann!.order([own[0]!], { what: "patrol", x: 9, y: 1024 }))).toBe("outside");
    expect(refusalOf(() => ann!.order([own[0]!], { what: "build", building: "pad", x: 4000, y: 9 }))).toBe("outside");
    expect(refusalOf(() => ann!.order([own[0]!], { what: "repair", target: seen }))).toBe("noTarget");
    expect(refusalOf(() => ann!.order([own[0]!], { what: "repair", target: 123_456 }))).toBe("noTarget");
    expect(refusalOf(() => ann!.order([own[0]!], { what: "gather", x: 512, y: 3 }))).toBe("noTarget");
    expect(refusalOf(() => ann!.order([own[0]!], { what: "build", building: "base", x: base.x, y: base.y }))).toBe(
      "noRoom",
    );
    expect(refusalOf(() => ann!.order([own[0]!], { what: "build", building: "base", x: 500, y: 500 }))).toMatch(
      /noOre|noRoom/,
    );
    // Buildings of others, kinds that it does not train, ore that is not there.
    expect(refusalOf(() => send(Train, { building: enemyBase.id, kind: "builder", count: 1 }))).toBe("notYours");
    expect(refusalOf(() => send(Train, { building: own[0]!.id, kind: "builder", count: 1 }))).toBe("notYours");
    expect(refusalOf(() => send(Train, { building: base.id, kind: "tank", count: 1 }))).toBe("wrongKind");
    expect(refusalOf(() => send(CancelTraining, { building: base.id }))).toBe("noTarget");
    expect(refusalOf(() => send(CancelTraining, { building: enemyBase.id }))).toBe("notYours");
    expect(refusalOf(() => send(Rally, { building: enemyBase.id, x: 5, y: 5 }))).toBe("notYours");
    expect(refusalOf(() => send(Rally, { building: base.id, x: 1500, y: 5 }))).toBe("outside");
    expect(checksum()).toBe(before);
    host.battle.state.ore[ann!.side!] = 0;
    expect(refusalOf(() => send(Train, { building: base.id, kind: "builder", count: 1 }))).toBe("noOre");
    expect(ann!.lab.client.state).toBe("active");
    expect(ben!.refusals).toEqual([]);
  });

  it("tell nothing of what is hidden: ids of hidden objects count like ids that name nothing", () => {
    const skirmish = setUp();
    const [ann] = begin(skirmish, "ann", "ben");
    const { host, lab } = skirmish;
    // Every id of the world, each beside an own unit: the order is taken whatever the id names in the world.
    const [unit] = ann!.ownUnits("builder");
    const known = new Set<number>([...ann!.lab.world.objects()].map(({ id }) => id));
    const ids = [...lab.world.all(Unit), ...lab.world.all(Building)].map(({ id }) => id as number);
    const guesses = ids.filter((id) => !known.has(id));
    expect(guesses.length).toBeGreaterThan(3);
    for (const guess of guesses) {
      ann!.order([unit!.id, guess], { what: "move", x: unit!.x, y: unit!.y });
      ann!.order([unit!.id], { what: "repair", target: guess });
    }
    lab.run(1000);
    expect(ann!.refusals).toEqual(guesses.map(() => "noTarget"));
    expect(host.battle.state.units[1]).toBe(START_BUILDERS);
  });
});

describe("a match", () => {
  it("ends with the last building of the others; all read who won, and the next one begins when all want it", () => {
    const skirmish = setUp({ overMs: 60_000 });
    const [ann, ben] = begin(skirmish, "ann", "ben");
    const { seed } = ann!.match;
    raze(skirmish, ben!.side!);
    skirmish.lab.until(() => ben!.match.phase === "over");
    expect(ann!.match.winner).toBe(ann!.side);
    expect(ben!.sides.map(({ standing }) => standing)).toEqual([true, false]);
    expect(ben!.ownUnits()).toEqual([]);
    ann!.lab.client.send(Rematch, {});
    skirmish.lab.run(1000);
    expect(ann!.match.phase).toBe("over");
    ben!.lab.client.send(Rematch, {});
    skirmish.lab.until(() => ben!.match.phase === "play");
    skirmish.lab.run(300);
    expect(ann!.match.seed).not.toBe(seed);
    expect(ann!.match.winner).toBe(NO_SIDE);
    expect(ben!.sides.map(({ standing }) => standing)).toEqual([true, true]);
    for (const player of [ann!, ben!]) {
      expect(player.ownUnits()).toHaveLength(START_BUILDERS);
      expect(player.purses).toMatchObject([{ ore: START_ORE }]);
      const { x, y } = skirmish.host.battle.state.terrain.starts[player.side!]!;
      expect(Math.hypot(player.ownBuilding("base")!.x - x, player.ownBuilding("base")!.y - y)).toBeLessThan(20);
    }
    expect(skirmish.lab.server.main.audit.faults).toBe(0);
  });

  it("whose time is up goes to the side that is worth most; then people are waited for again", () => {
    const skirmish = setUp({ playMs: 3000, overMs: 2000 });
    const [ann] = begin(skirmish, "ann", "ben");
    place(skirmish, "tank", 1);
    skirmish.lab.until(() => ann!.match.phase === "over");
    expect(ann!.match.winner).toBe(1);
    skirmish.lab.until(() => ann!.match.phase === "waiting");
    expect(ann!.match.winner).toBe(NO_SIDE);
  });

  it("of bots alone is played to its end, and then another, without a client", () => {
    const skirmish = setUp({ playMs: 20_000, overMs: 1000 });
    const seeds = new Set<unknown>();
    for (let turn = 0; turn < 5; turn++) {
      seeds.add(skirmish.host.battle);
      skirmish.lab.run(11_000);
    }
    expect(seeds.size).toBe(3);
    expect(skirmish.host).toMatchObject({ people: 0, bots: 2 });
  });
});

describe("a player who is attacked", () => {
  it("is told, and nobody else is", () => {
    const skirmish = setUp();
    const [ann, ben] = begin(skirmish, "ann", "ben");
    const alarms: string[] = [];
    for (const player of [ann!, ben!]) player.lab.client.onEvent(UnderAttack, () => alarms.push(player.lab.nickname));
    const { state } = skirmish.host.battle;
    const { x, y } = state.terrain.starts[ann!.side!]!;
    state.add(KIND.tank, ben!.side!, x + 100, y + 20);
    skirmish.lab.run(3000);
    expect(new Set(alarms)).toEqual(new Set(["ann"]));
    expect(ann!.units.some((unit) => unit.side === ben!.side && unit.doing === "fighting")).toBe(true);
  });
});

describe("a link that breaks", () => {
  it("leaves the side to its player, who goes on where he was", () => {
    const skirmish = setUp();
    const [ann] = begin(skirmish, "ann", "ben");
    ann!.lab.breakLink();
    skirmish.lab.run(4000);
    expect([ann!.lab.client.state, ann!.side, ann!.sides[0]!.bot]).toEqual(["active", 0, false]);
    const [unit] = ann!.ownUnits("builder");
    ann!.order([unit!], { what: "hold" });
    skirmish.lab.run(500);
    expect([ann!.refusals, unit!.doing]).toEqual([[], "idle"]);
  });

  it("for good leaves the side to a bot, after a while; one who comes back later takes it over again", () => {
    const skirmish = setUp();
    const [ann, ben] = begin(skirmish, "ann", "ben");
    ann!.lab.setReachable(false);
    ann!.lab.breakLink();
    skirmish.lab.run(10_000);
    expect(ben!.sides[0]).toMatchObject({ name: "ann", bot: false });
    skirmish.lab.run(15_000);
    expect(ben!.sides[0]).toMatchObject({ name: "Ada", bot: true });
    expect(skirmish.host.bots).toBe(1);
    const again = new TestPlayer(skirmish, "ann again");
    skirmish.lab.until(() => again.side === 0 && again.ownUnits().length >= START_BUILDERS);
    expect(ben!.sides[0]).toMatchObject({ name: "ann again", bot: false });
    const [unit] = again.ownUnits("builder");
    again.order([unit!], { what: "hold" });
    skirmish.lab.run(500);
    expect(again.refusals).toEqual([]);
    expect(skirmish.lab.server.main.audit.faults).toBe(0);
  });
});

describe("a spectator", () => {
  it("sees everything if the server grants it, purses and works included, and gives no orders", () => {
    const skirmish = setUp({}, { spectators: "anybody" });
    begin(skirmish, "ann", "ben");
    const eye = new TestPlayer(skirmish, "eye", {}, { role: "spectator" });
    skirmish.lab.until(() => eye.buildings.length === 2 && eye.units.length === 2 * START_BUILDERS);
    expect([eye.lab.client.role, eye.purses.length, [...eye.lab.world.all(Works)].length]).toEqual(["spectator", 2, 2]);
    expect(skirmish.host).toMatchObject({ people: 3, bots: 0 });
    setPivots(eye.lab.client, [{ camera: [100, 100], size: [500, 500], coefficients: COEFFICIENTS }]);
    skirmish.lab.run(1000);
    const player = [...skirmish.host.room.players.values()].find(({ nickname }) => nickname === "eye");
    expect(player!.settings.pivots).toMatchObject([{ camera: [100, 100] }]);
    eye.order(eye.units, { what: "stop" });
    skirmish.lab.run(500);
    expect(eye.lab.client.reason?.code).toBe("unexpected");
  });

  it("is not let in where the server does not grant it", () => {
    const skirmish = setUp();
    begin(skirmish, "ann");
    const eve = new TestPlayer(skirmish, "eve", {}, { role: "spectator" });
    skirmish.lab.run(1000);
    expect([eve.lab.client.reason?.code, eve.lab.world.count]).toEqual(["denied", 0]);
    expect(skirmish.host.people).toBe(1);
  });
});
