/** Passwords by argon2id: what fits, what does not, and what a flood of logins costs. */
import { expect, it } from "vitest";
import { refusal } from "../../test/stand-ins.ts";
import { argonPasswords } from "./passwords.ts";
import { secretTokens } from "./tokens.ts";

const cheap = { algorithm: 2, memoryCost: 1024, timeCost: 1, parallelism: 1 };

it("hashes are argon2id with a salt of their own, and only the password fits", async () => {
  const passwords = argonPasswords();
  const [first, second] = [await passwords.hash("correct horse"), await passwords.hash("correct horse")];
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(second).not.toBe(first);
  expect(await passwords.verify(first, "correct horse")).toBe(true);
  expect(await passwords.verify(first, "correct hors")).toBe(false);
  expect(await passwords.verify(await passwords.decoy, "correct horse")).toBe(false);
});

it("a flood of logins is refused, and those in the queue are served", async () => {
  const passwords = argonPasswords(cheap);
  const stored = await passwords.hash("correct horse");
  const codes = await Promise.all(
    Array.from({ length: 100 }, () => refusal(passwords.verify(stored, "correct horse"))),
  );
  expect(codes.filter((code) => code === "done")).toHaveLength(66);
  expect(codes.filter((code) => code === "busy")).toHaveLength(34);
  expect(await refusal(passwords.hash("another one"))).toBe("done");
});

it("tokens need a long secret, and end", async () => {
  expect(() => secretTokens("short", () => 0)).toThrow("32 bytes");
  let nowMs = 1_000_000;
  const tokens = secretTokens("only for tests: thirty-two bytes or more", () => nowMs);
  const token = await tokens.sign({ account: "a", epoch: 3 }, 60);
  expect(await tokens.read(token)).toEqual({ account: "a", epoch: 3 });
  nowMs += 61_000;
  expect(await refusal(tokens.read(token))).toBe("expired");
  const others = secretTokens("another secret, also of thirty-two bytes", () => nowMs);
  expect(await refusal(others.read(token))).toBe("credentials");
  expect(await refusal(tokens.read("nonsense"))).toBe("credentials");
});
