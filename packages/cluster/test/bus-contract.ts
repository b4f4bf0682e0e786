/** What holds for every bus. Each implementation's test calls it with a way to open members and to let time pass. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer, Bus, KeyEntry, Written } from "../src/internal/index.ts";

export interface BusHarness {
  /** A member of a bus that is empty when the suite begins. */
  open(): Promise<Bus>;
  /** Lets time pass until the condition holds. */
  until(condition: () => boolean): Promise<void>;
  /** Everything that this member asked of the bus so far has reached it. */
  reached(bus: Bus): Promise<void>;
  end(): Promise<void>;
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (payload: Uint8Array): string => new TextDecoder().decode(payload);

export function busContract(name: string, start: () => Promise<BusHarness>): void {
  describe(`${name} as a bus`, () => {
    let harness: BusHarness;
    let ann: Bus;
    let bob: Bus;

    beforeAll(async () => {
      harness = await start();
      ann = await harness.open();
      bob = await harness.open();
    });
    afterAll(() => harness?.end());

    async function written(write: (done: (outcome: Written) => void) => void): Promise<Written> {
      let outcome: Written | undefined;
      write((given) => {
        outcome = given;
      });
      expect(outcome, "no callback before the call returns").toBeUndefined();
      await harness.until(() => outcome !== undefined);
      return outcome!;
    }

    async function put(bus: Bus, key: string, value: string, expected: number): Promise<number> {
      const outcome = await written((done) => bus.keys.put(key, bytes(value), expected, done));
      return outcome.kind === "written" ? outcome.at : -1;
    }

    async function append(bus: Bus, log: string, entry: string, expected: number): Promise<number> {
      const outcome = await written((done) => bus.logs.append(log, bytes(entry), expected, done));
      return outcome.kind === "written" ? outcome.at : -1;
    }

    async function read(bus: Bus, log: string, after: number): Promise<string[]> {
      const entries: string[] = [];
      let isWhole: boolean | undefined;
      bus.logs.read(
        log,
        after,
        (payload) => entries.push(text(payload)),
        (whole) => {
          isWhole = whole;
        },
      );
      await harness.until(() => isWhole !== undefined);
      expect(isWhole).toBe(true);
      return entries;
    }

    it("brings messages of one publisher in order, to all who subscribe, itself included", async () => {
      const heard: string[][] = [[], []];
      ann.subscribe("order", (payload) => heard[0]!.push(text(payload)));
      bob.subscribe("order", (payload) => heard[1]!.push(text(payload)));
      await harness.reached(ann);
      await harness.reached(bob);
      for (let i = 0; i < 50; i++) ann.publish("order", bytes(`${i}`));
      await harness.until(() => heard.every((list) => list.length === 50));
      const all = Array.from({ length: 50 }, (_, i) => `${i}`);
      expect(heard).toEqual([all, all]);
    });

    it("brings nothing of other subjects, and nothing after the subscription's end", async () => {
      const heard: string[] = [];
      const off = bob.subscribe("one.two", (payload) => heard.push(text(payload)));
      bob.subscribe("one", (payload) => heard.push(`marker ${text(payload)}`));
      await harness.reached(bob);
      ann.publish("one.two", bytes("a"));
      ann.publish("one.three", bytes("b"));
      ann.publish("one", bytes("c"));
      await harness.until(() => heard.includes("marker c"));
      off();
      await harness.reached(bob);
      ann.publish("one.two", bytes("d"));
      ann.publish("one", bytes("e"));
      await harness.until(() => heard.includes("marker e"));
      expect(heard).toEqual(["a", "marker c", "marker e"]);
    });

    it("keeps a message as it was when it was published", async () => {
      const heard: string[] = [];
      bob.subscribe("kept", (payload) => heard.push(text(payload)));
      await harness.reached(bob);
      const payload = bytes("before");
      ann.publish("kept", payload);
      await harness.reached(ann);
      payload.fill(0);
      await harness.until(() => heard.length > 0);
      expect(heard).toEqual(["before"]);
    });

    it("answers a request, and says so when nobody does", async () => {
      const answers: Answer[] = [];
      bob.answer("double", (payload) => bytes(`${2 * Number(text(payload))}`));
      await harness.reached(bob);
      ann.request("double", bytes("21"), (answer) => answers.push(answer));
      expect(answers).toEqual([]);
      await harness.until(() => answers.length === 1);
      ann.request("nobody", bytes("21"), (answer) => answers.push(answer));
      await harness.until(() => answers.length === 2);
      const [reply, none] = answers;
      expect(reply?.kind === "reply" && text(reply.payload)).toBe("42");
      expect(none?.kind).toBe("none");
    });

    it("writes a key only on top of the revision that the writer names", async () => {
      const first = await put(ann, "cas", "a", 0);
      expect(first).toBeGreaterThan(0);
      expect(await put(bob, "cas", "b", 0), "it exists").toBe(-1);
      const second = await put(bob, "cas", "b", first);
      expect(second).toBeGreaterThan(first);
      expect(await put(ann, "cas", "c", first), "there is a newer one").toBe(-1);
    });

    it.each([
      ["key", put],
      ["log", append],
    ] as const)("lets one of many writers of a %s win, who write at the same moment", async (kind, write) => {
      let last = 0;
      for (let round = 0; round < 5; round++) {
        const outcomes = await Promise.all(
          Array.from({ length: 10 }, (_, i) => write(i % 2 === 0 ? ann : bob, `race.${kind}`, `${i}`, last)),
        );
        const winners = outcomes.filter((at) => at > 0);
        expect(winners).toHaveLength(1);
        last = winners[0]!;
      }
    });

    it("does not let writers of different keys disturb each other", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, i) => put(i % 2 === 0 ? ann : bob, `beside.${i}`, "x", 0)),
      );
      expect(outcomes.every((at) => at > 0)).toBe(true);
    });

    it("shows a watcher the newest entries, and then every change, in the order of revisions", async () => {
      await put(ann, "seen.early", "1", 0);
      const seen: KeyEntry[] = [];
      const off = bob.keys.watch((entry) => seen.push(entry));
      const find = (key: string, value: string) =>
        seen.find((entry) => entry.key === key && text(entry.value) === value);
      await harness.until(() => find("seen.early", "1") !== undefined);
      const late = await put(ann, "seen.late", "2", 0);
      await put(ann, "seen.late", "3", late);
      await harness.until(() => find("seen.late", "3") !== undefined);
      const revisions = seen.map(({ revision }) => revision);
      expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
      expect(new Set(revisions).size).toBe(revisions.length);
      off();
      const count = seen.length;
      const marks: string[] = [];
      bob.keys.watch(({ key }) => marks.push(key));
      await put(ann, "seen.after", "4", 0);
      await harness.until(() => marks.includes("seen.after"));
      expect(seen).toHaveLength(count);
    });

    it("appends to a log only after the entry that the writer names", async () => {
      const first = await append(ann, "log.a", "one", 0);
      expect(await append(bob, "log.a", "lost", 0)).toBe(-1);
      const elsewhere = await append(bob, "log.b", "other", 0);
      expect(elsewhere).toBeGreaterThan(0);
      const second = await append(bob, "log.a", "two", first);
      expect(second).toBeGreaterThan(first);
      expect(await append(ann, "log.a", "lost", first)).toBe(-1);
      expect(await read(bob, "log.a", 0)).toEqual(["one", "two"]);
      expect(await read(ann, "log.a", first)).toEqual(["two"]);
      expect(await read(ann, "log.b", 0)).toEqual(["other"]);
      expect(await read(ann, "log.c", 0)).toEqual([]);
    });

    it("forgets entries before a sequence, and goes on after the last one", async () => {
      const sequences: number[] = [];
      for (const entry of ["one", "two", "three"])
        sequences.push(await append(ann, "trimmed.a", entry, sequences.at(-1) ?? 0));
      await append(ann, "trimmed.b", "other", 0);
      ann.logs.trim("trimmed.a", sequences[2]!);
      let left = await read(bob, "trimmed.a", 0);
      while (left.length > 1) left = await read(bob, "trimmed.a", 0);
      expect(left).toEqual(["three"]);
      expect(await append(bob, "trimmed.a", "lost", sequences[1]!)).toBe(-1);
      expect(await append(bob, "trimmed.a", "four", sequences[2]!)).toBeGreaterThan(sequences[2]!);
      expect(await read(ann, "trimmed.a", 0)).toEqual(["three", "four"]);
      expect(await read(ann, "trimmed.b", 0)).toEqual(["other"]);
    });

    it("refuses names and payloads that some bus would not take, at once", () => {
      for (const name of ["", "a..b", ".a", "a.", "a b", "a.*", "a.>", "ä", "x".repeat(201)]) {
        expect(() => ann.publish(name, bytes("")), name).toThrow(expect.objectContaining({ code: "bad-subject" }));
        expect(() => ann.keys.put(name, bytes(""), 0, () => {}), name).toThrow();
        expect(() => ann.logs.append(name, bytes(""), 0, () => {}), name).toThrow();
      }
      const large = new Uint8Array(1_000_001);
      expect(() => ann.publish("large", large)).toThrow(expect.objectContaining({ code: "too-large" }));
    });

    it("brings a payload of the largest size whole", async () => {
      const lengths: number[] = [];
      bob.subscribe("large", (payload) => lengths.push(payload.length));
      await harness.reached(bob);
      ann.publish("large", new Uint8Array(1_000_000));
      ann.publish("large", new Uint8Array(0));
      await harness.until(() => lengths.length === 2);
      expect(lengths).toEqual([1_000_000, 0]);
    });

    it("calls nobody back after it was closed", async () => {
      const eve = await harness.open();
      const heard: string[] = [];
      eve.subscribe("closed", (payload) => heard.push(`eve ${text(payload)}`));
      bob.subscribe("closed", (payload) => heard.push(`bob ${text(payload)}`));
      await harness.reached(eve);
      await harness.reached(bob);
      eve.keys.put("closed", bytes(""), 0, () => heard.push("put"));
      eve.close();
      ann.publish("closed", bytes("x"));
      await harness.until(() => heard.includes("bob x"));
      expect(heard).toEqual(["bob x"]);
      expect(() => eve.publish("closed", bytes(""))).toThrow(expect.objectContaining({ code: "closed" }));
    });
  });
}
