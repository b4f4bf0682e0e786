/** Mistakes in how a game uses a timeline. */

export type RollbackErrorCode = "bad-option" | "bad-input" | "out-of-window";

export class RollbackError extends Error {
  readonly code: RollbackErrorCode;

  constructor(code: RollbackErrorCode, message: string) {
    super(message);
    this.name = "RollbackError";
    this.code = code;
  }
}
