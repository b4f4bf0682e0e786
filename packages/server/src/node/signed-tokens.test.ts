/** Signed tokens: which are let in, which are refused with which reason, and which keys cannot work. */

import { createSecretKey, generateKeyPairSync } from "node:crypto";
import { refuse } from "@nearfield/server";
import type { Identity, Refused, Visitor } from "@nearfield/server/internal";
import { type JWTPayload, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { type SignedTokensOptions, signedTokens } from "./index.ts";

const SECRET = "a secret of at least thirty-two bytes";
const BYTES = new TextEncoder().encode(SECRET);
const ED = generateKeyPairSync("ed25519");
const OTHER = generateKeyPairSync("ed25519");

function token(claims: JWTPayload = {}, alg = "HS256", key: Parameters<SignJWT["sign"]>[0] = BYTES): Promise<string> {
  return new SignJWT({ sub: "ann", aud: "game", iss: "login", ...claims })
    .setProtectedHeader({ alg })
    .setExpirationTime(claims.exp ?? "1h")
    .sign(key);
}

async function ask(credentials: string, options: Partial<SignedTokensOptions> = {}): Promise<Identity | Refused> {
  const visitor: Visitor = {
    credentials,
    nickname: "ann",
    room: "main",
    role: "player",
    address: "127.0.0.1:1",
    origin: undefined,
  };
  return signedTokens({ key: SECRET, algorithm: "HS256", audience: "game", issuer: "login", ...options })(visitor);
}

describe("a token that is in order", () => {
  it("names the account and the role, and its claims are the attributes", async () => {
    expect(await ask(await token({ level: 7 }))).toMatchObject({
      account: "ann",
      attributes: { level: 7, sub: "ann" },
    });
    expect(await ask(await token())).not.toHaveProperty("role");
    expect(await ask(await token({ role: "spectator" }))).toMatchObject({ role: "spectator" });
    expect(await ask(await token({ role: "god" }))).not.toHaveProperty("role");
  });

  it("may be signed with either algorithm, and its secret be bytes or a key", async () => {
    expect(await ask(await token(), { key: BYTES })).toMatchObject({ account: "ann" });
    expect(await ask(await token(), { key: createSecretKey(BYTES) })).toMatchObject({ account: "ann" });
    const signed = await token({}, "EdDSA", ED.privateKey);
    expect(await ask(signed, { key: ED.publicKey, algorithm: "EdDSA" })).toMatchObject({ account: "ann" });
  });

  it("means what the game says", async () => {
    const identify: SignedTokensOptions["identify"] = ({ sub }, { nickname }) =>
      sub === "ann" ? { account: `${sub} as ${nickname}` } : refuse("denied", "banned");
    expect(await ask(await token(), { identify })).toEqual({ account: "ann as ann" });
    expect(await ask(await token({ sub: "eve" }), { identify })).toEqual({ refused: "denied", detail: "banned" });
  });
});

describe("a token that is not", () => {
  const past = Math.floor(Date.now() / 1000) - 3600;

  it("is refused with the reason", async () => {
    expect(await ask("")).toMatchObject({ refused: "credentials" });
    expect(await ask("nonsense")).toMatchObject({ refused: "credentials" });
    expect(await ask(await token({ exp: past }))).toMatchObject({ refused: "expired" });
    expect(await ask(await token({ aud: "another game" }))).toMatchObject({ refused: "credentials" });
    expect(await ask(await token({ iss: "somebody" }))).toMatchObject({ refused: "credentials" });
    const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${Buffer.from('{"sub":"ann"}').toString("base64url")}.`;
    expect(await ask(unsigned)).toMatchObject({ refused: "credentials" });
    expect(await ask(await token({}, "HS256", new Uint8Array(32)))).toMatchObject({ refused: "credentials" });
    const eddsa: Partial<SignedTokensOptions> = { key: ED.publicKey, algorithm: "EdDSA" };
    expect(await ask(await token({}, "EdDSA", OTHER.privateKey), eddsa)).toMatchObject({ refused: "credentials" });
  });

  it("has no account or no end", async () => {
    const endless = await new SignJWT({ sub: "ann", aud: "game", iss: "login" })
      .setProtectedHeader({ alg: "HS256" })
      .sign(BYTES);
    const nobody = await new SignJWT({ aud: "game", iss: "login" })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(BYTES);
    expect(await ask(endless)).toMatchObject({ refused: "credentials" });
    expect(await ask(nobody)).toMatchObject({ refused: "credentials" });
  });

  it("is signed with the public key as if that were a secret", async () => {
    const publicBytes = ED.publicKey.export({ type: "spki", format: "der" });
    const forged = await token({}, "HS256", new Uint8Array(publicBytes));
    expect(await ask(forged, { key: ED.publicKey, algorithm: "EdDSA" })).toMatchObject({ refused: "credentials" });
  });
});

describe("a key that cannot work", () => {
  it("is refused at start", () => {
    expect(() => signedTokens({ key: "short", algorithm: "HS256" })).toThrow(/at least 32 bytes, this one has 5/);
    expect(() => signedTokens({ key: SECRET, algorithm: "EdDSA" })).toThrow(/ed25519/);
    expect(() => signedTokens({ key: ED.publicKey, algorithm: "HS256" })).toThrow(/at least 32 bytes/);
    expect(() => signedTokens({ key: SECRET, algorithm: "none" as "HS256" })).toThrow(/"HS256" or "EdDSA"/);
  });
});
