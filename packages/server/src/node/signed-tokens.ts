/**
 * An `authenticate` for `serve` that checks signed tokens (JWT, RFC 7519). A login service signs a token with the player's account; the
 * game server only needs the key to check it. jose checks signature, time, issuer and audience. A token without an account is refused, and
 * so is one that never expires.
 */

import type { KeyObject } from "node:crypto";
import { refuse, ServerError } from "@nearfield/server";
import type { Authenticate, Identity, Visitor } from "@nearfield/server/internal";
import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";

/** HS256: the same secret signs and checks. EdDSA: a private key signs, and the server only has the public one. */
export type TokenAlgorithm = "HS256" | "EdDSA";

export interface SignedTokensOptions {
  /** For HS256 the secret, at least 32 bytes (text counts in UTF-8); for EdDSA the public key, as `createPublicKey` of node:crypto reads it. */
  readonly key: string | Uint8Array | KeyObject;
  /** Which algorithm the tokens are signed with. It is never taken from the token itself. */
  readonly algorithm: TokenAlgorithm;
  /** Audience (`aud`) and issuer (`iss`) that a token must have. Default: any. */
  readonly audience?: string;
  readonly issuer?: string;
  /** How far clocks may differ, s. Default 5. */
  readonly clockToleranceS?: number;
  /**
   * Turns the claims of a valid token into an identity. Default: the account is `sub`, the role is `role` if present ("player" or
   * "spectator"), and the attributes are all claims. Throw, or return `refuse(…)`, to keep somebody out.
   */
  readonly identify?: (claims: JWTPayload, visitor: Visitor) => ReturnType<Authenticate>;
}

const LEAST_SECRET_BYTES = 32;

/** Makes an `authenticate` that takes a client's `credentials` for a signed token. */
export function signedTokens(options: SignedTokensOptions): Authenticate {
  const { algorithm, audience, issuer, clockToleranceS = 5, identify = identityOf } = options;
  const key = checkKey(options);
  const rules: JWTVerifyOptions = {
    algorithms: [algorithm],
    clockTolerance: clockToleranceS,
    requiredClaims: ["sub", "exp"],
    ...(audience !== undefined && { audience }),
    ...(issuer !== undefined && { issuer }),
  };
  return async (visitor) => {
    if (visitor.credentials === "") return refuse("credentials", "a signed token is needed to join");
    try {
      const { payload } = await jwtVerify(visitor.credentials, key, rules);
      return await identify(payload, visitor);
    } catch (error) {
      if (error instanceof errors.JWTExpired) return refuse("expired", "the token has expired; fetch a new one");
      if (error instanceof errors.JOSEError)
        return refuse("credentials", `the token is not accepted: ${error.message}`);
      throw error;
    }
  };
}

function identityOf(claims: JWTPayload): Identity {
  const role = claims["role"];
  const account = claims.sub!;
  return role === "player" || role === "spectator"
    ? { account, role, attributes: claims }
    : { account, attributes: claims };
}

/** Throws if the key cannot work, so that a mistake shows at start. */
function checkKey({ key, algorithm }: SignedTokensOptions): Uint8Array | KeyObject {
  if (algorithm !== "HS256" && algorithm !== "EdDSA")
    throw new ServerError("bad-option", `algorithm is ${JSON.stringify(algorithm)}, but must be "HS256" or "EdDSA"`);
  if (algorithm === "HS256") {
    const secret = typeof key === "string" ? new TextEncoder().encode(key) : key;
    const bytes = secret instanceof Uint8Array ? secret.length : (secret?.symmetricKeySize ?? 0);
    if (bytes >= LEAST_SECRET_BYTES) return secret;
    throw new ServerError(
      "bad-option",
      `key: HS256 needs a secret of at least ${LEAST_SECRET_BYTES} bytes, this one has ${bytes}`,
    );
  }
  if (typeof key === "object" && "asymmetricKeyType" in key && key.asymmetricKeyType === "ed25519") return key;
  throw new ServerError(
    "bad-option",
    "key: EdDSA needs a public key of type ed25519: createPublicKey(pem) of node:crypto",
  );
}
