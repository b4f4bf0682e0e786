/** Mistakes around action spaces: of the game, which throw, and of members, who are told. */

export type SpaceErrorCode = "bad-option" | "full" | "closed" | "refused" | "ended";

export class SpaceError extends Error {
  readonly code: SpaceErrorCode;

  constructor(code: SpaceErrorCode, message: string) {
    super(message);
    this.name = "SpaceError";
    this.code = code;
  }
}

/**
 * Why the server did not do what a member asked. `unknown-space`: there is none of that number, or it has ended. `not-member`: the player has no seat in it.
 * `not-entered`: it has to enter first. `stranger`: nobody is there, or none of this member's business. `flood`: too much at once. `banned`: it was refused too
 * often and is out for good. `bad-result`: parts that do not fit together, or a second result.
 */
export type RefusalCode =
  | "unknown-space"
  | "not-member"
  | "not-entered"
  | "stranger"
  | "flood"
  | "banned"
  | "bad-result";
