/** A mistake in how the test kit is used: names the setting, its value and what it must be. */

export type LabErrorCode =
  | "bad-condition"
  | "bad-dice"
  | "bad-mesh"
  | "bad-trace"
  | "past"
  | "runaway"
  | "reentrant"
  | "no-link"
  | "timeout";

export class LabError extends Error {
  readonly code: LabErrorCode;

  constructor(code: LabErrorCode, message: string) {
    super(message);
    this.name = "LabError";
    this.code = code;
  }
}
