/** What the court found, as what is paid. */
import { expect, it } from "vitest";
import { verdictFor } from "./verdict-for.ts";

const outcome = { state: 60, digest: new Uint8Array(32), result: Uint8Array.of(3, 0, 5) };
/** A byte of gold for each player. */
const worth = ({ result }: { readonly result: Uint8Array }) =>
  Array.from(result, (count) => (count === 0 ? undefined : [{ good: "gold", count }]));
const accounts = ["ann", "ben", "cid"];

it("pays what the outcome is worth, and denies whose fault is proven", () => {
  const faults = [
    { by: 1, why: "withheld", isProven: false },
    { by: 2, why: "forged-state", isProven: true },
  ] as const;
  expect(verdictFor({ outcome, denied: [2], faults }, accounts, worth)).toEqual({
    accepted: [
      { account: "ann", goods: [{ good: "gold", count: 3 }] },
      { account: "ben", goods: [] },
    ],
    denied: [{ account: "cid", reason: "forged-state" }],
  });
});

it("pays nobody where nothing is signed by all", () => {
  const { accepted, denied } = verdictFor({ outcome: undefined, denied: [0], faults: [] }, accounts, worth);
  expect(accepted).toEqual([]);
  expect(denied!.map(({ reason }) => reason)).toEqual([
    "a proven fault",
    "no result is signed by all",
    "no result is signed by all",
  ]);
});
