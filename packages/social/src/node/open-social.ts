/**
 * A social space on Node: passwords by argon2id, tokens by jose, ids from the system's random source, the system's clock.
 */
import { randomBytes, webcrypto } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ed25519 } from "@nearfield/rollback/trust";
import { Social, type SocialMachine, type SocialOptions } from "../internal/index.ts";
import { type AccountRequestsOptions, accountRequests } from "./account-requests.ts";
import { argonPasswords } from "./passwords.ts";
import { secretTokens } from "./tokens.ts";

export interface OpenSocialOptions extends SocialOptions {
  /** Signs tokens: at least 32 bytes that only the game's servers know. Tokens of another secret are refused. */
  readonly secret: string | Uint8Array;
  /** Where pages log in. */
  readonly http?: AccountRequestsOptions;
  /** Default: ms since 1970, by the system's clock. */
  readonly now?: () => number;
  /** Default: argon2id at OWASP's least cost. */
  readonly passwords?: SocialMachine["passwords"];
}

/** A social space with its HTTP requests. */
export class NodeSocial extends Social {
  /** Answers requests below `/accounts`; returns false for any other. */
  readonly answerAccounts: (request: IncomingMessage, response: ServerResponse) => boolean;

  constructor(options: SocialOptions, machine: SocialMachine, http: AccountRequestsOptions = {}) {
    super(options, machine);
    this.answerAccounts = accountRequests(this.accounts, http, options.onError);
  }
}

const ID_BYTES = 16;

export function openSocial(options: OpenSocialOptions): NodeSocial {
  const { secret, http, now = Date.now, passwords = argonPasswords(), ...rest } = options;
  const onError = (error: unknown, where: string): void => console.error(`${where}:`, error);
  const randomId = (): string => randomBytes(ID_BYTES).toString("hex");
  const machine: SocialMachine = {
    passwords,
    tokens: secretTokens(secret, now),
    now,
    randomId,
    dice: Math.random,
    verifier: ed25519(webcrypto.subtle),
  };
  return new NodeSocial({ onError, ...rest }, machine, http);
}
