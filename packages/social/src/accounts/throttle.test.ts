/** Attempts are counted by key, come back evenly, and the keys that are remembered are bounded. */
import { expect, it } from "vitest";
import { refusal } from "../../test/stand-ins.ts";
import { Throttle } from "./throttle.ts";

it("pays, refunds, and refills evenly", async () => {
  let nowMs = 0;
  const throttle = new Throttle({ attempts: 2, refillMs: 1000 }, () => nowMs);
  const pay = (): Promise<string> => refusal(() => throttle.pay("ann"));
  expect([await pay(), await pay(), await pay()]).toEqual(["done", "done", "throttled"]);
  throttle.refund("ann");
  expect([await pay(), await pay()]).toEqual(["done", "throttled"]);
  nowMs = 499;
  expect(await pay()).toBe("throttled");
  nowMs = 501;
  expect([await pay(), await pay()]).toEqual(["done", "throttled"]);
});

it("remembers so many keys at most, and forgets those first that have nothing to remember", async () => {
  let nowMs = 0;
  const throttle = new Throttle({ attempts: 1, refillMs: 1000, most: 3 }, () => nowMs);
  for (const key of ["a", "b"]) throttle.pay(key);
  nowMs = 900;
  throttle.pay("eve");
  nowMs = 1000;
  throttle.pay("c");
  expect(throttle.size).toBe(2);
  expect(await refusal(() => throttle.pay("eve"))).toBe("throttled");
  for (let key = 0; key < 100; key++) throttle.pay(`flood${key}`);
  expect(throttle.size).toBe(3);
});
