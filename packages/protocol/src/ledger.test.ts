import { World } from "@nearfield/core";
import { SentWindow } from "@nearfield/core/internal";
import { type ObjectId, object, Protocol, uint } from "@nearfield/schema";
import { objectId } from "@nearfield/schema/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { ACK_WINDOW } from "./arrivals.ts";
import { NO_STATE, PacketLedger } from "./ledger.ts";

const id = (slot: number): ObjectId => objectId(slot, 0);

describe("the ledger of packets in flight", () => {
  let fates: string[];
  let orphans: string[];
  let known: string[];
  let ledger: PacketLedger;

  beforeEach(() => {
    fates = [];
    orphans = [];
    known = [];
    ledger = new PacketLedger(
      {
        acknowledge: (ids, count, round) => {
          for (const object of ids.subarray(0, count)) fates.push(`${object} of ${round} arrived`);
        },
        lose: (object, round) => fates.push(`${object} of ${round} lost`),
        orphan: (object, round, base) => orphans.push(`${object} of ${round} on ${base}`),
      },
      {
        has: (_row, object, packet, round, gaps) => known.push(`${object} in ${packet} of ${round}, ${gaps}`),
        unsure: (_row, object, packet) => known.push(`${object} in ${packet}?`),
      },
    );
  });

  /** One packet per round, speaking of the object with the round's number. */
  function send(...rounds: number[]): void {
    for (const round of rounds) {
      ledger.open(round, 0);
      ledger.add(id(round), round, round * 10);
    }
  }

  it("settles each send once: arrived, or lost when a later frame was acknowledged without it", () => {
    send(1, 2, 3);
    ledger.acknowledge({ newest: 2, runs: [1, 1, 1] }, 5);
    expect(fates).toEqual(["1 of 1 arrived", "2 of 2 lost", "3 of 3 arrived"]);
    ledger.acknowledge({ newest: 2, runs: [3] }, 6);
    expect(fates).toHaveLength(3);
  });

  it("does not take a packet for lost because another one of the same frame overtook it", () => {
    send(1, 7, 7);
    ledger.acknowledge({ newest: 2, runs: [1, 1, 1] }, 8);
    expect(fates).toEqual(["1 of 1 arrived", "7 of 7 arrived"]);
    ledger.acknowledge({ newest: 2, runs: [3] }, 9);
    expect(fates.at(-1)).toBe("7 of 7 arrived");
    expect(ledger.lost).toBe(0);
  });

  it("leaves what an ack does not reach to the probe time, which follows the round trip", () => {
    send(1, 2);
    ledger.acknowledge({ newest: 1, runs: [1] }, 12);
    expect(fates).toEqual(["2 of 2 arrived"]);
    expect(ledger.roundTripRounds).toBe(10);
    // The first sample's deviation is half of it: 10 + 4 × 5, and one round for the ack's delay.
    expect(ledger.probeRounds).toBe(31);
    ledger.expire(1 + 31);
    expect(fates).toHaveLength(1);
    ledger.expire(1 + 31 + 1);
    expect(fates.at(-1)).toBe("1 of 1 lost");
  });

  it("waits two rounds and the ack's delay longer than a round trip that never varies", () => {
    for (let round = 1; round <= 60; round++) {
      send(round);
      if (round > 10) ledger.acknowledge({ newest: round - 11, runs: [1] }, round);
    }
    expect([ledger.roundTripRounds, ledger.probeRounds]).toEqual([10, 13]);
    const before = fates.length;
    ledger.expire(51 + 13);
    expect(fates).toHaveLength(before);
    ledger.expire(51 + 13 + 1);
    expect(fates.at(-1)).toBe("51 of 51 lost");
  });

  it("waits a second and a half before a round trip was measured, however long the rounds are", () => {
    send(1);
    ledger.expire(1 + 30);
    expect(fates).toEqual([]);
    ledger.relink(false, 20);
    ledger.expire(1 + 75);
    expect(fates).toEqual([]);
    ledger.expire(1 + 76);
    expect(fates).toEqual(["1 of 1 lost"]);
  });

  it("forgets the round trip of a link that was replaced", () => {
    send(1);
    ledger.acknowledge({ newest: 0, runs: [1] }, 2);
    expect([ledger.roundTripRounds, ledger.probeRounds]).toEqual([1, 4]);
    ledger.relink(false, 50);
    expect([ledger.roundTripRounds, ledger.probeRounds]).toEqual([-1, 30]);
  });

  it("gives nothing up on a link that keeps order, until a later packet arrived without it or the link is gone", () => {
    ledger.relink(true, 50);
    send(1, 2);
    ledger.expire(10_000);
    expect(fates).toEqual([]);
    send(3, 4);
    ledger.acknowledge({ newest: 2, runs: [1, 2] }, 10_001);
    expect(fates).toEqual(["1 of 1 lost", "2 of 2 lost", "3 of 3 arrived"]);
    ledger.loseAll();
    expect(fates.at(-1)).toBe("4 of 4 lost");
  });

  it("trusts what has left over a link that keeps order, from the next frame on, and not what was dropped before it left", () => {
    ledger.relink(true, 50);
    send(1);
    ledger.left();
    send(2);
    send(3);
    ledger.left();
    expect([known, ledger.newestKnown]).toEqual([[], -1]);
    ledger.trust();
    expect([known, ledger.newestKnown]).toEqual([["1 in 0 of 1, 10", "3 in 2 of 3, 30"], 2]);
    ledger.acknowledge({ newest: 2, runs: [1, 1, 1] }, 4);
    expect(known).toHaveLength(2);
    expect(fates).toEqual(["1 of 1 arrived", "2 of 2 lost", "3 of 3 arrived"]);
  });

  it.each([
    ["breaks", () => ledger.loseAll()],
    ["no longer keeps order", () => ledger.relink(false, 50)],
  ])("is unsure of what it trusted and was not told of, when the link %s", (_, happens) => {
    ledger.relink(true, 50);
    for (const round of [1, 2, 3]) {
      send(round);
      ledger.left();
    }
    ledger.trust();
    ledger.acknowledge({ newest: 0, runs: [1] }, 4);
    known.length = 0;
    happens();
    expect([known, ledger.newestKnown]).toEqual([["2 in 1?", "3 in 2?"], 0]);
  });

  it("trusts a link that begins to keep order once acks have told of everything before it", () => {
    send(1, 2);
    ledger.relink(true, 50);
    send(3);
    ledger.left();
    ledger.trust();
    expect(ledger.newestKnown).toBe(-1);
    ledger.acknowledge({ newest: 1, runs: [1, 1] }, 4);
    ledger.trust();
    expect([known, ledger.newestKnown]).toEqual([["2 in 1 of 2, 20", "3 in 2 of 3, 30"], 2]);
  });

  it("settles each send of many packets of any size, in the order they were sent", () => {
    const sent: string[] = [];
    let acked = 0;
    for (let round = 0; round < 600; round++) {
      const packet = ledger.open(round, 0);
      for (let n = 0; n < (round * 7) % 23; n++) {
        ledger.add(objectId(n, round), n, n);
        sent.push(`${objectId(n, round)} of ${round} arrived`);
      }
      if (round % 90 !== 89) continue;
      ledger.acknowledge({ newest: packet, runs: [packet - acked + 1] }, round + 1);
      acked = packet;
    }
    expect(fates).toEqual(sent.slice(0, fates.length));
    expect([ledger.arrived, fates.length]).toEqual([540, sent.length - inPackets(540, 600)]);
    expect(known).toHaveLength(fates.length);
  });

  function inPackets(from: number, to: number): number {
    let count = 0;
    for (let round = from; round < to; round++) count += (round * 7) % 23;
    return count;
  }

  it("takes no more than the window, and again once the oldest is settled", () => {
    for (let round = 0; round < ACK_WINDOW; round++) ledger.open(round, 0);
    expect(ledger.isFull).toBe(true);
    ledger.acknowledge({ newest: ACK_WINDOW - 1, runs: [ACK_WINDOW] }, ACK_WINDOW);
    expect(ledger.isFull).toBe(false);
  });

  it("goes on past the wrap of packet numbers", () => {
    for (let round = 0; round < 70_000; round++) {
      const packet = ledger.open(round, 0);
      ledger.acknowledge({ newest: packet % 65_536, runs: [1] }, round + 1);
    }
    expect([ledger.arrived, ledger.lost, ledger.isFull]).toEqual([70_000, 0, false]);
  });

  it("loses everything with the link, and refuses acks of what was never sent", () => {
    send(1, 2);
    ledger.loseAll();
    expect(fates).toEqual(["1 of 1 lost", "2 of 2 lost"]);
    expect(() => ledger.acknowledge({ newest: 2, runs: [1] }, 3)).toThrow(/only 2 were sent/);
    ledger.acknowledge({ newest: 0, runs: [] }, 3);
    expect(ledger.arrived).toBe(0);
  });

  it("tells what the client has once an ack covers it, in order, whatever a timeout said before", () => {
    send(1, 2, 3);
    ledger.expire(50);
    expect([fates.length, known, ledger.newestKnown]).toEqual([3, [], -1]);
    ledger.acknowledge({ newest: 1, runs: [2] }, 51);
    ledger.acknowledge({ newest: 2, runs: [1, 1, 1] }, 51);
    expect([fates.length, known]).toEqual([3, ["1 in 0 of 1, 10", "2 in 1 of 2, 20", "3 in 2 of 3, 30"]]);
    expect(ledger.newestKnown).toBe(2);
  });

  it("is unsure of what an ack leaves unsaid, and of what nobody answered for too long", () => {
    send(1, 2, 3);
    ledger.acknowledge({ newest: 2, runs: [1, 1] }, 4);
    expect(known).toEqual(["1 in 0?", "3 in 2 of 3, 30"]);
    for (let round = 4; round < 4 + ACK_WINDOW; round++) {
      send(round);
      ledger.expire(round);
      expect(ledger.isFull).toBe(false);
    }
    expect(known.at(-1)).toMatch(/\?$/);
  });

  describe("early sends", () => {
    /** Packet 0 of round 1 brings object 1; packets 1 and 2 of rounds 2 and 3 build on it, and speak of another object. */
    beforeEach(() => {
      for (const round of [1, 2, 3]) {
        ledger.open(round, 0);
        if (round > 1) ledger.add(id(round), round, 0);
        if (round > 1) ledger.addEarly(id(1), 1, round - 1, 0);
        else ledger.add(id(1), 1, 0);
        ledger.left();
      }
    });

    it("arrive where both packets do", () => {
      expect([0, 1, 2, 3].map((packet) => ledger.roundOnItsWay(packet))).toEqual([1, 2, 3, -1]);
      ledger.acknowledge({ newest: 1, runs: [2] }, 5);
      expect(fates).toEqual(["1 of 1 arrived", "2 of 2 arrived", "1 of 2 arrived"]);
      expect(known).toEqual(["1 in 0 of 1, 0", "2 in 1 of 2, 0", "1 in 1 of 2, 1"]);
      expect([0, 1, 2].map((packet) => ledger.roundOnItsWay(packet))).toEqual([-1, -1, 3]);
    });

    it("are lost with the packet that they build on, those on their way included, and never known", () => {
      ledger.acknowledge({ newest: 1, runs: [1, 1] }, 5);
      expect(fates.sort()).toEqual(["1 of 1 lost", "1 of 2 lost", "1 of 3 lost", "2 of 2 arrived"]);
      expect(orphans).toEqual(["1 of 2 on 0", "1 of 3 on 0"]);
      expect(known).toEqual(["1 in 1?", "1 in 2?", "2 in 1 of 2, 0"]);
      ledger.acknowledge({ newest: 2, runs: [2, 1] }, 6);
      expect(fates.slice(4)).toEqual(["3 of 3 arrived"]);
      expect(known.slice(3)).toEqual(["3 in 2 of 3, 0"]);
    });

    it("are lost with a packet that is given up, even if it arrived", () => {
      ledger.expire(33);
      expect(fates.sort()).toEqual(["1 of 1 lost", "1 of 2 lost", "1 of 3 lost", "2 of 2 lost"]);
      ledger.acknowledge({ newest: 2, runs: [3] }, 33);
      expect(fates.slice(4)).toEqual(["3 of 3 arrived"]);
    });

    it("are lost where an ack does not reach as far as the packet that they build on", () => {
      ledger.acknowledge({ newest: 2, runs: [2] }, 6);
      expect(fates.sort()).toEqual(["1 of 2 lost", "1 of 3 lost", "2 of 2 arrived", "3 of 3 arrived"]);
    });

    it("are told to an auditor while they count", () => {
      const told: string[] = [];
      class Told extends SentWindow {
        override sent(sentId: ObjectId, round: number): void {
          told.push(`${sentId} of ${round}`);
        }
      }
      const window = new Told(new World({ protocol: new Protocol({ objects: [object("rock", { a: uint(8) })] }) }), 1);
      window.open(1, 2);
      ledger.tell(window);
      expect(told.splice(0)).toEqual(["1 of 1", "1 of 2", "1 of 3"]);
      ledger.acknowledge({ newest: 1, runs: [1, 1] }, 5);
      ledger.tell(window);
      expect(told).toEqual([]);
    });
  });

  it("says nothing of sends that bring no state", () => {
    ledger.open(1, 0);
    ledger.add(id(1), 1, NO_STATE);
    ledger.acknowledge({ newest: 0, runs: [1] }, 2);
    expect([fates, known]).toEqual([["1 of 1 arrived"], []]);
  });
});
