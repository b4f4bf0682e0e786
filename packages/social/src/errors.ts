/**
 * Refusals of the social space. Every refusal has a code, which a page can act on, and a sentence for people. A refusal changes nothing: no goods
 * have moved and no record was written.
 */

export const REFUSALS = [
  // who asks
  "credentials", // name or password is wrong; the same for an unknown name
  "expired", // the token is too old, or the password was changed since
  "throttled", // too many attempts; try again later
  "busy", // too much of this is under way; try again soon
  "too-fast", // more requests than the rate allows
  // accounts
  "bad-name",
  "bad-password",
  "name-taken",
  "not-a-guest",
  "unknown-account",
  // goods
  "unknown-good",
  "not-enough",
  "full",
  "key-reused", // the idempotency key belongs to a movement with other contents
  "no-trade",
  "offer-changed",
  "in-trade",
  // people
  "blocked",
  "muted",
  "no-channel",
  "nothing-said",
  "not-here",
  "already",
  "no-invitation",
  "not-leader",
  "in-party",
  "no-party",
  // playing
  "no-board",
  "in-queue",
  "no-room",
  "bad-room",
  "too-many",
  // the request itself
  "bad-request",
  "failed", // the server could not do it; what was asked for may be asked again
] as const;

export type RefusalCode = (typeof REFUSALS)[number];

export class SocialError extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = "SocialError";
    this.code = code;
  }
}

export function isRefusalCode(text: string): text is RefusalCode {
  return (REFUSALS as readonly string[]).includes(text);
}
