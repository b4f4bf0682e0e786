/**
 * Mistakes of the game's own code; what a client does wrong ends that client's connection instead (`ProtocolError`).
 */

export type ServerErrorCode =
  | "bad-option"
  | "bad-settings"
  | "closed"
  | "duplicate-handler"
  | "duplicate-room"
  | "left"
  | "nickname"
  | "suppressed"
  | "too-long"
  | "unknown-command";

export class ServerError extends Error {
  readonly code: ServerErrorCode;

  constructor(code: ServerErrorCode, message: string) {
    super(message);
    this.name = "ServerError";
    this.code = code;
  }
}
