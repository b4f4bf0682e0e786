/** Writer and reader together. The test's own model decides by a script, so that every record and every order can be tried. */

import { type Entity, World } from "@nearfield/core";
import { DecisionKind, type Decisions, INNER_FIRST } from "@nearfield/core/internal";
import { angle, bool, type ObjectId, object, Protocol, quantized, text, uint } from "@nearfield/schema";
import { TrackedFields, type Wire } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PacketAck } from "./arrivals.ts";
import type { RecordFields } from "./decoded-frame.ts";
import { EncodeCache } from "./encode-cache.ts";
import { FrameReader, type Replica } from "./frame-reader.ts";
import { type FrameInput, FrameWriter, type SendModel } from "./frame-writer.ts";
import { decodeFromServer } from "./from-server.ts";

const Rock = object(
  "rock",
  { x: quantized(0, 100, 0.01), name: text(8), heading: angle(8), hull: uint(7), lit: bool() },
  { write: "owner" },
);
const protocol = new Protocol({ objects: [Rock] });
const fields = new TrackedFields(Rock);

const NIGHTLY = process.env["NEARFIELD_NIGHTLY"] === "1";

interface Decided {
  readonly id: ObjectId;
  readonly kind: DecisionKind;
  readonly urgency?: number;
  readonly waited?: number;
  readonly settled?: boolean;
}

/** Decides what it is told to. */
class Script {
  decided: Decided[] = [];
  readonly withheld: ObjectId[] = [];
  readonly lost: ObjectId[] = [];
  /** Each fate that was told, as `id of round`; and those sends that arrived. */
  readonly fates: string[] = [];
  readonly arrived: { id: ObjectId; round: number }[] = [];

  asModel(): SendModel {
    return {
      decisions: () => this.#decisions(),
      baseVersion: () => 1,
      acknowledgeAll: (_, ids, count, round) => {
        for (const id of ids.subarray(0, count)) {
          this.fates.push(`${id} of ${round}`);
          this.arrived.push({ id: id as ObjectId, round });
        }
      },
      lose: (_, id, round) => {
        this.fates.push(`${id} of ${round}`);
        this.lost.push(id);
      },
      withholdAll: (_, rows, count) => {
        for (const row of rows.subarray(0, count)) this.withheld.push(this.decided[row]!.id);
      },
    };
  }

  #decisions(): Decisions {
    const { decided } = this;
    return {
      count: decided.length,
      withheld: 0,
      ids: Uint32Array.from(decided, ({ id }) => id),
      kinds: Uint8Array.from(decided, ({ kind }) => kind),
      causes: new Uint8Array(decided.length),
      zones: new Uint8Array(decided.length),
      urgencies: Float64Array.from(decided, ({ urgency }) => urgency ?? 0),
      waits: Uint32Array.from(decided, ({ waited }) => waited ?? 0),
      settled: Uint8Array.from(decided, ({ settled }) => (settled === true ? 1 : 0)),
    };
  }
}

/** Whole states in wire form, by id. */
class Shelf implements Replica {
  readonly objects = new Map<ObjectId, Wire[]>();
  readonly settled = new Set<ObjectId>();
  readonly touched: ObjectId[] = [];
  round = 0;
  readonly rounds = new Map<ObjectId, number>();

  begin(round: number): void {
    this.round = round;
  }

  create(id: ObjectId, _type: number, _owner: number, fields: RecordFields): void {
    this.objects.set(id, []);
    this.update(id, fields);
  }

  update(id: ObjectId, { mask, numbers, numbersAt, wires, wiresAt, settled }: RecordFields): void {
    const object = this.objects.get(id)!;
    fields.tracked.forEach((index, i) => {
      if ((mask >>> index) & 1) object[index] = numbers[numbersAt + i]! + fields.least[i]!;
    });
    if ((mask >>> fields.plain[0]!) & 1) object[fields.plain[0]!] = wires[wiresAt]!;
    this.rounds.set(id, this.round);
    this.touched.push(id);
    if (settled) this.settled.add(id);
    else this.settled.delete(id);
  }

  setOwner(): void {}

  remove(id: ObjectId): void {
    this.objects.delete(id);
  }
}

class Pair {
  readonly world = new World({ protocol });
  readonly script = new Script();
  readonly shelf = new Shelf();
  readonly reader = new FrameReader(protocol, this.shelf, 0);
  readonly cache = new EncodeCache(this.world);
  readonly writer = new FrameWriter({
    world: this.world,
    model: this.script.asModel(),
    view: 0,
    session: 1,
    cache: this.cache,
    ownerVersion: () => 0,
  });
  round = 0;

  send(
    decided: Decided[],
    input: Partial<FrameInput> = {},
    take: (bytes: Uint8Array) => boolean = () => true,
  ): Uint8Array[] {
    this.round += 1;
    this.cache.beginRound();
    this.script.decided = decided;
    const packets: Uint8Array[] = [];
    this.writer.writeTo(
      { round: this.round, heard: 0, pivots: 0, events: [], maxBytes: 1200, ...input },
      { packet: (bytes) => packets.push(bytes.slice()) > 0 && take(packets.at(-1)!) },
    );
    return packets;
  }

  receive(bytes: Uint8Array): string {
    const { message } = decodeFromServer(bytes, "unsequenced", protocol);
    return message.kind === "frame" ? this.reader.apply(message.frame) : message.kind;
  }

  ack(): void {
    this.writer.acknowledge(this.reader.arrivals.ack(), this.round + 1);
  }

  stateOf(id: ObjectId): Wire[] {
    const slot = this.world.store.liveSlot(id);
    return Rock.fields.map(({ index }) => this.world.wireAt(slot, index));
  }
}

describe("a delta", () => {
  it("is what follows an acknowledged state, and costs a few bits where the object goes straight on", () => {
    const pair = new Pair();
    const rocks = Array.from({ length: 50 }, (_, i) => pair.world.spawn(Rock, { x: i, name: "rock" }));
    const created = pair.send(rocks.map(({ id }) => ({ id, kind: DecisionKind.create })));
    for (const bytes of created) expect(pair.receive(bytes)).toBe("applied");
    for (let round = 0; round < 10; round++) {
      pair.ack();
      for (const rock of rocks) rock.x += 0.5;
      pair.world.commit();
      for (const bytes of pair.send(rocks.map(({ id }) => ({ id, kind: DecisionKind.update })))) pair.receive(bytes);
    }
    expect(pair.writer.written).toEqual({ changed: 500, whole: 50, removed: 0, silent: 0 });
    expect((pair.writer.frameBytes * 8 - 40) / rocks.length).toBeLessThan(4);
    for (const { id } of rocks) expect(pair.shelf.objects.get(id)).toEqual(pair.stateOf(id));
  });

  it("can put the object to rest; what follows begins anew", () => {
    const pair = new Pair();
    const rock = pair.world.spawn(Rock, { x: 1 });
    const { id } = rock;
    for (const bytes of pair.send([{ id, kind: DecisionKind.create }])) pair.receive(bytes);
    for (const settled of [false, false, true, false]) {
      pair.ack();
      rock.x += 1;
      pair.world.commit();
      for (const bytes of pair.send([{ id, kind: DecisionKind.update, settled }])) pair.receive(bytes);
      expect([pair.shelf.settled.has(id), pair.shelf.objects.get(id)]).toEqual([settled, pair.stateOf(id)]);
    }
    expect(pair.writer.written.whole).toBe(1);
  });

  it("is not written for what the client wrote itself: then some fields are, and only those", () => {
    const pair = new Pair();
    const rock = pair.world.spawn(Rock, { x: 1 }, { owner: 1 });
    for (const bytes of pair.send([{ id: rock.id, kind: DecisionKind.create }])) pair.receive(bytes);
    pair.ack();
    rock.x = 2;
    pair.world.commit(1);
    expect(pair.send([{ id: rock.id, kind: DecisionKind.update }])[0]!.length).toBe(5);
    rock.hull = 3;
    pair.world.commit(0);
    for (const bytes of pair.send([{ id: rock.id, kind: DecisionKind.update }])) pair.receive(bytes);
    expect(pair.shelf.objects.get(rock.id)).toEqual([100, "", 0, 3, 0]);
    expect(pair.writer.written).toEqual({ changed: 1, whole: 1, removed: 0, silent: 1 });
  });
});

/** Even numbers from 0 to 1 (mulberry32). */
function diceFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe("an early delta", () => {
  /** An object of which the client is told in each round, and nothing of which is acknowledged. */
  function begun(): { pair: Pair; rock: Entity<typeof Rock.shape>; next: (settled?: boolean) => Uint8Array } {
    const pair = new Pair();
    const rock = pair.world.spawn(Rock, { x: 10, name: "new" });
    let kind: DecisionKind = DecisionKind.create;
    const next = (settled = false): Uint8Array => {
      rock.x += 0.1;
      pair.world.commit();
      const [bytes] = pair.send([{ id: rock.id, kind, settled }]);
      kind = DecisionKind.update;
      return bytes!;
    };
    return { pair, rock, next };
  }

  it("follows the whole object at once, and is shorter", () => {
    const { pair, rock, next } = begun();
    const whole = next();
    expect(pair.receive(whole)).toBe("applied");
    for (let n = 0; n < 20; n++) {
      const bytes = next(n === 7);
      expect(pair.receive(bytes)).toBe("applied");
      expect(bytes.length).toBeLessThan(whole.length);
      expect(pair.shelf.objects.get(rock.id)).toEqual(pair.stateOf(rock.id));
      expect(pair.shelf.settled.has(rock.id)).toBe(n === 7);
    }
    pair.ack();
    expect(pair.writer.written).toMatchObject({ whole: 1, changed: 20 });
    expect(pair.script.arrived).toHaveLength(21);
    pair.receive(next());
    expect(pair.shelf.objects.get(rock.id)).toEqual(pair.stateOf(rock.id));
    expect(pair.writer.written.whole).toBe(1);
  });

  it("is left out where the whole object was lost, and lost with it as soon as that is known", () => {
    const { pair, rock, next } = begun();
    next();
    expect([pair.receive(next()), pair.receive(next()), pair.shelf.objects.size]).toEqual(["applied", "applied", 0]);
    next();
    pair.ack();
    expect(pair.script.fates.sort()).toEqual([1, 2, 3, 4].map((round) => `${rock.id} of ${round}`));
    expect(pair.script.arrived).toEqual([]);
    pair.receive(next());
    expect(pair.writer.written.whole).toBe(2);
    expect(pair.shelf.objects.get(rock.id)).toEqual(pair.stateOf(rock.id));
  });

  it("that comes before the whole object stays left out: neither of them is acknowledged as taken in", () => {
    const { pair, rock, next } = begun();
    const [whole, early] = [next(), next()];
    expect([pair.receive(early), pair.receive(whole)]).toEqual(["applied", "applied"]);
    expect(pair.shelf.rounds.get(rock.id)).toBe(1);
    pair.ack();
    expect(pair.script.arrived).toEqual([]);
    pair.receive(next());
    expect(pair.writer.written.whole).toBe(2);
    expect(pair.shelf.objects.get(rock.id)).toEqual(pair.stateOf(rock.id));
  });

  it("builds on no packet that was given up; if that arrived after all, nothing goes wrong", () => {
    const { pair, rock, next } = begun();
    for (const bytes of [next(), next()]) pair.receive(bytes);
    pair.writer.ledger.expire(50);
    expect(pair.script.lost).toHaveLength(2);
    const again = next();
    expect(pair.writer.written.whole).toBe(2);
    pair.ack();
    expect(pair.script.arrived).toEqual([]);
    for (const bytes of [again, next(), next()]) {
      pair.receive(bytes);
      pair.ack();
    }
    expect(pair.shelf.objects.get(rock.id)).toEqual(pair.stateOf(rock.id));
  });

  it("does not build on a packet that did not leave", () => {
    const { pair, rock, next } = begun();
    pair.send([{ id: rock.id, kind: DecisionKind.create }], {}, () => false);
    pair.receive(next());
    pair.receive(next());
    expect(pair.writer.written.whole).toBe(2);
    expect(pair.shelf.objects.get(rock.id)).toEqual(pair.stateOf(rock.id));
  });

  it("goes in blocks, one for each packet that they build on, in as many packets as it takes", () => {
    const pair = new Pair();
    const rocks = Array.from({ length: 300 }, (_, i) => pair.world.spawn(Rock, { x: i / 10, name: `r${i}` }));
    const first = rocks.filter((_, i) => i % 3 !== 0);
    const told = new Set<ObjectId>();
    const send = (some: typeof rocks): void => {
      for (const rock of some) rock.x = Math.min(100, rock.x + 0.25);
      pair.world.commit();
      const kindOf = (id: ObjectId): DecisionKind => (told.has(id) ? DecisionKind.update : DecisionKind.create);
      const packets = pair.send(some.map(({ id }) => ({ id, kind: kindOf(id), settled: id % 17 === 0 })));
      for (const bytes of packets) expect([pair.receive(bytes), bytes.length <= 1200]).toEqual(["applied", true]);
      for (const { id } of some) told.add(id);
    };
    send(first);
    for (let n = 0; n < 4; n++) send(rocks);
    for (const { id } of rocks) expect(pair.shelf.objects.get(id)).toEqual(pair.stateOf(id));
    expect(pair.writer.written.whole).toBe(300);
    pair.ack();
    expect(pair.script.arrived).toHaveLength(200 + 4 * 300);
  });
});

describe("on a path that loses, doubles and reorders, whichever acks get through", () => {
  it("every record leaves its object as it was in that round, and what is told to have arrived is here", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = diceFrom(seed);
        const pair = new Pair();
        const history: Map<ObjectId, Wire[]>[] = [];
        const known = new Set<ObjectId>();
        const rocks: Entity<typeof Rock.shape>[] = [];
        const destroyed: ObjectId[] = [];
        let underWay: Uint8Array[] = [];
        const acks: PacketAck[] = [];
        const sent: string[] = [];
        const removed = new Map<ObjectId, number>();
        let checked = 0;
        for (let round = 1; round <= 60; round++) {
          const decided: Decided[] = destroyed.splice(0).map((id) => ({ id, kind: DecisionKind.destroy }));
          if (rocks.length < 12) rocks.push(pair.world.spawn(Rock, { x: dice() * 100, name: "new" }));
          for (const rock of rocks) {
            if (dice() < 0.7) rock.x = Math.min(100, rock.x + (dice() < 0.1 ? dice() * 50 : 0.3));
            if (dice() < 0.3) rock.heading += dice();
            if (dice() < 0.1) rock.lit = !rock.lit;
            if (dice() < 0.05) rock.name = dice() < 0.5 ? "a" : "b";
          }
          pair.world.commit();
          for (const { id } of rocks) {
            if (dice() < 0.3) continue;
            const isKnown = known.has(id);
            if (isKnown && dice() < 0.03) {
              known.delete(id);
              decided.push({ id, kind: DecisionKind.leave });
            } else {
              known.add(id);
              const kind = isKnown ? DecisionKind.update : DecisionKind.create;
              decided.push({ id, kind, settled: dice() < 0.1 });
            }
          }
          history[round] = new Map(rocks.map(({ id }) => [id, pair.stateOf(id)]));
          underWay.push(...pair.send(decided, { maxBytes: 60 }));
          for (const { id, kind } of decided) {
            sent.push(`${id} of ${round}`);
            if (kind === DecisionKind.leave || kind === DecisionKind.destroy) removed.set(id, round);
          }
          const later: Uint8Array[] = [];
          for (const bytes of underWay) {
            const fate = dice();
            if (fate < 0.15) continue;
            if (fate < 0.35) later.push(bytes);
            else pair.receive(bytes);
            if (fate > 0.9) later.push(bytes);
            if (dice() < 0.2) acks.push(pair.reader.arrivals.ack());
          }
          underWay = later;
          acks.push(pair.reader.arrivals.ack());
          while (acks.length > 0 && dice() < 0.6) {
            const ack = acks.shift()!;
            if (dice() < 0.7) pair.writer.acknowledge(ack, round + 1);
          }
          pair.writer.ledger.expire(round);
          for (const [id, state] of pair.shelf.objects) {
            expect(state).toEqual(history[pair.shelf.rounds.get(id)!]!.get(id));
          }
          for (; checked < pair.script.arrived.length; checked++) {
            const { id, round: of } = pair.script.arrived[checked]!;
            if ((removed.get(id) ?? 0) < of) expect(pair.shelf.rounds.get(id)).toBeGreaterThanOrEqual(of);
          }
          if (dice() < 0.1) {
            const [gone] = rocks.splice(0, 1);
            if (known.delete(gone!.id)) destroyed.push(gone!.id);
            pair.world.destroy(gone!);
          }
        }
        expect(pair.writer.written.changed).toBeGreaterThan(20);
        pair.writer.ledger.loseAll();
        expect(pair.script.fates.sort()).toEqual(sent.sort());
      }),
      { numRuns: NIGHTLY ? 2000 : 60 },
    );
  });
});

describe("over links that keep order, drop what is stale before it leaves, break, and change to others that lose", () => {
  /** What is under way: over the ordered stream, and beside it. */
  class Way {
    readonly stream: Uint8Array[] = [];
    readonly #dice: () => number;
    #beside: Uint8Array[] = [];
    isOrdered = true;
    dropped = 0;

    constructor(dice: () => number) {
      this.#dice = dice;
    }

    /** False where the packet was dropped before it left. */
    take(bytes: Uint8Array): boolean {
      const hasLeft = !this.isOrdered || this.#dice() > 0.05;
      if (!hasLeft) this.dropped += 1;
      else (this.isOrdered ? this.stream : this.#beside).push(bytes);
      return hasLeft;
    }

    /** Some of what is under way arrives: from the stream in order, beside it by luck. */
    deliver(receive: (bytes: Uint8Array) => void): void {
      while (this.stream.length > 0 && this.#dice() < 0.8) receive(this.stream.shift()!);
      const later: Uint8Array[] = [];
      for (const bytes of this.#beside) {
        const fate = this.#dice();
        if (fate < 0.15) continue;
        if (fate < 0.35) later.push(bytes);
        else receive(bytes);
      }
      this.#beside = later;
    }

    cut(): void {
      this.stream.length = 0;
      this.#beside = [];
    }
  }

  it("every record leaves its object as it was in that round", () => {
    let wholes = 0;
    let dropped = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const dice = diceFrom(seed);
        const pair = new Pair();
        const { ledger } = pair.writer;
        const way = new Way(dice);
        const history: Map<ObjectId, Wire[]>[] = [];
        const known = new Set<ObjectId>();
        const acks: PacketAck[] = [];
        const rocks = Array.from({ length: 12 }, () => pair.world.spawn(Rock, { x: dice() * 100, name: "new" }));
        ledger.relink(true, 50);
        for (let round = 1; round <= 120; round++) {
          const decided: Decided[] = [];
          for (const rock of rocks) {
            if (dice() < 0.7) rock.x = Math.min(100, rock.x + (dice() < 0.1 ? dice() * 50 : 0.3));
            if (dice() < 0.1) rock.name = dice() < 0.5 ? "a" : "b";
          }
          pair.world.commit();
          for (const { id } of rocks) {
            if (dice() < 0.3) continue;
            const isKnown = known.has(id);
            const leaves = isKnown && dice() < 0.03;
            if (leaves) known.delete(id);
            else known.add(id);
            const kind = leaves ? DecisionKind.leave : isKnown ? DecisionKind.update : DecisionKind.create;
            decided.push({ id, kind, settled: dice() < 0.1 });
          }
          history[round] = new Map(rocks.map(({ id }) => [id, pair.stateOf(id)]));
          pair.send(decided, { maxBytes: 60 }, (bytes) => way.take(bytes));
          way.deliver((bytes) => pair.receive(bytes));
          acks.push(pair.reader.arrivals.ack());
          while (acks.length > 0 && dice() < 0.6) {
            const ack = acks.shift()!;
            if (way.isOrdered || dice() < 0.7) pair.writer.acknowledge(ack, round + 1);
          }
          ledger.expire(round);
          for (const [id, state] of pair.shelf.objects) {
            const truth = history[pair.shelf.rounds.get(id)!]!.get(id)!;
            if (!state.every((wire, index) => wire === truth[index])) expect(state).toEqual(truth);
          }
          if (dice() < 0.05) {
            way.isOrdered = !way.isOrdered;
            ledger.relink(way.isOrdered, 50);
          }
          if (dice() < 0.03) {
            way.cut();
            acks.length = 0;
            pair.writer.acknowledge(pair.reader.arrivals.ack(), round + 1);
            ledger.loseAll();
            ledger.relink(way.isOrdered, 50);
          }
        }
        wholes += pair.writer.written.whole;
        dropped += way.dropped;
        expect(pair.writer.written.changed).toBeGreaterThan(100);
      }),
      { numRuns: NIGHTLY ? 2000 : 200 },
    );
    expect([wholes > 0, dropped > 0]).toEqual([true, true]);
  });

  it("an object whose creation is not acknowledged yet is sent as a delta, since it cannot get lost alone", () => {
    const pair = new Pair();
    pair.writer.ledger.relink(true, 50);
    const rock = pair.world.spawn(Rock, { x: 1, name: "rock" });
    const underWay = pair.send([{ id: rock.id, kind: DecisionKind.create }]);
    for (let round = 0; round < 20; round++) {
      rock.x += 0.5;
      pair.world.commit();
      underWay.push(...pair.send([{ id: rock.id, kind: DecisionKind.update }]));
    }
    expect(pair.writer.written).toMatchObject({ changed: 20, whole: 1 });
    for (const bytes of underWay) expect(pair.receive(bytes)).toBe("applied");
    expect(pair.shelf.objects.get(rock.id)).toEqual(pair.stateOf(rock.id));
    pair.ack();
    expect(pair.writer.ledger.lost).toBe(0);
  });

  it("what was under way when the link broke is not built on any more", () => {
    const pair = new Pair();
    const { ledger } = pair.writer;
    ledger.relink(true, 50);
    const rock = pair.world.spawn(Rock, { x: 1, name: "rock" });
    for (const bytes of pair.send([{ id: rock.id, kind: DecisionKind.create }])) pair.receive(bytes);
    for (const x of [2, 2.5]) {
      rock.x = x;
      pair.world.commit();
      pair.send([{ id: rock.id, kind: DecisionKind.update }]);
    }
    pair.ack();
    ledger.loseAll();
    ledger.relink(true, 50);
    rock.x = 3;
    pair.world.commit();
    for (const bytes of pair.send([{ id: rock.id, kind: DecisionKind.update }])) pair.receive(bytes);
    expect(pair.shelf.objects.get(rock.id)).toEqual(pair.stateOf(rock.id));
    expect(pair.writer.written.whole).toBe(2);
  });

  it("a packet that claims what is not so is left alone: the one before it never came", () => {
    const pair = new Pair();
    pair.writer.ledger.relink(true, 50);
    const rock = pair.world.spawn(Rock, { x: 1, name: "rock" });
    for (const bytes of pair.send([{ id: rock.id, kind: DecisionKind.create }])) pair.receive(bytes);
    pair.send([{ id: rock.id, kind: DecisionKind.update }]);
    const [next] = pair.send([{ id: rock.id, kind: DecisionKind.update }]);
    expect(pair.receive(next!)).toBe("late");
  });
});

describe("a frame with a budget", () => {
  it("holds the most pressing, removals before all, in the order of their slots; the model withholds the rest", () => {
    const pair = new Pair();
    const rocks = Array.from({ length: 40 }, (_, i) => pair.world.spawn(Rock, { x: i }));
    const decided = rocks.map(({ id }, i) => ({ id, kind: DecisionKind.create, urgency: (i * 7) % 40 }));
    decided[20] = { ...decided[20]!, urgency: INNER_FIRST + 1 };
    decided[39] = { id: rocks[39]!.id, kind: DecisionKind.destroy as never, urgency: Infinity };
    decided[38] = { ...decided[38]!, urgency: Infinity };
    const budgetBits = 8 * 80;
    for (const bytes of pair.send(decided, { budgetBits })) pair.receive(bytes);
    const most = decided.toSorted((a, b) => b.urgency - a.urgency || a.id - b.id).map(({ id }) => id);
    const gone = most.slice(0, 40 - pair.script.withheld.length).filter((id) => id !== rocks[39]!.id);
    expect(pair.shelf.touched).toEqual(gone.toSorted((a, b) => a - b));
    expect([...pair.script.withheld].sort((a, b) => a - b)).toEqual(
      most.slice(40 - pair.script.withheld.length).toSorted((a, b) => a - b),
    );
    expect(pair.writer.written.removed).toBe(1);
    expect(Math.abs(pair.writer.frameBytes - budgetBits / 8)).toBeLessThan(12);
  });

  it("goes beyond it for what must not wait, up to a limit of its own, and holds nothing where nothing is left", () => {
    const pair = new Pair();
    const rocks = Array.from({ length: 40 }, () => pair.world.spawn(Rock));
    const decided = rocks.map(({ id }, i) => ({
      id,
      kind: DecisionKind.create,
      urgency: i < 20 ? INNER_FIRST + i : i,
    }));
    pair.send(decided, { budgetBits: 0, urgentBits: 8 * 1000 });
    expect(pair.script.withheld).toHaveLength(20);
    pair.script.withheld.length = 0;
    expect(pair.send(decided, { budgetBits: 0 })).toHaveLength(1);
    expect([pair.script.withheld.length, pair.writer.frameBytes]).toEqual([40, 5]);
  });

  it("what never waits has a limit of its own, beyond that of zone 0", () => {
    const pair = new Pair();
    const rocks = Array.from({ length: 30 }, () => pair.world.spawn(Rock));
    const urgencies = [Infinity, INNER_FIRST + 1, 1];
    const decided = rocks.map(({ id }, i) => ({ id, kind: DecisionKind.create, urgency: urgencies[i % 3]! }));
    pair.send(decided, { budgetBits: 0, urgentBits: 0, firstBits: 8 * 1000 });
    expect(pair.script.withheld).toHaveLength(20);
    expect(pair.script.withheld).not.toContain(rocks[27]!.id);
  });

  it("of equals those go that have waited longest", () => {
    const pair = new Pair();
    const rocks = Array.from({ length: 20 }, () => pair.world.spawn(Rock));
    const decided = rocks.map(({ id }, i) => ({ id, kind: DecisionKind.create, urgency: 1, waited: i < 10 ? 0 : 3 }));
    for (const bytes of pair.send(decided, { budgetBits: 8 * 40 })) pair.receive(bytes);
    expect(pair.shelf.touched.length).toBeGreaterThan(2);
    expect(Math.min(...pair.shelf.touched)).toBe(rocks[10]!.id);
  });
});
