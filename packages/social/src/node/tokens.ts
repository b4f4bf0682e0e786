/**
 * Tokens of accounts: JWTs signed with the server's secret (HS256). A token names the account and its epoch, and ends by itself; a change of
 * password ends it earlier, because the account's epoch has moved on.
 */
import { errors, jwtVerify, SignJWT } from "jose";
import { SocialError, type TokenClaims, type Tokens } from "../internal/index.ts";

const ALGORITHM = "HS256";
const AUDIENCE = "nearfield-social";
const LEAST_SECRET_BYTES = 32;

/** @param secret at least 32 bytes that only the game's servers know. Whoever has it can be anybody. */
export function secretTokens(secret: string | Uint8Array, now: () => number): Tokens {
  const key = typeof secret === "string" ? new TextEncoder().encode(secret) : secret;
  if (key.length < LEAST_SECRET_BYTES)
    throw new RangeError(`secret: needs at least ${LEAST_SECRET_BYTES} bytes, this one has ${key.length}`);
  return {
    sign: ({ account, epoch }, lifeS) =>
      new SignJWT({ epoch })
        .setProtectedHeader({ alg: ALGORITHM })
        .setSubject(account)
        .setAudience(AUDIENCE)
        .setExpirationTime(Math.floor(now() / 1000) + lifeS)
        .sign(key),
    read: async (token) => {
      try {
        const rules = { algorithms: [ALGORITHM], audience: AUDIENCE, requiredClaims: ["sub", "exp", "epoch"] };
        const { payload } = await jwtVerify(token, key, { ...rules, currentDate: new Date(now()) });
        return { account: payload.sub!, epoch: payload["epoch"] } as TokenClaims;
      } catch (error) {
        if (error instanceof errors.JWTExpired) throw new SocialError("expired", "the token has expired; log in again");
        if (error instanceof errors.JOSEError) throw new SocialError("credentials", "the token is not accepted");
        throw error;
      }
    },
  };
}
