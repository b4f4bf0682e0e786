/** Mistakes in using the cluster. What goes wrong on the way (a lost message, a late answer) is an outcome, not an error. */

export type ClusterErrorCode =
  | "bad-subject"
  | "too-large"
  | "closed"
  | "bad-option"
  | "bad-map"
  | "no-range"
  | "no-number"
  | "no-bus";

export class ClusterError extends Error {
  readonly code: ClusterErrorCode;

  constructor(code: ClusterErrorCode, message: string) {
    super(message);
    this.name = "ClusterError";
    this.code = code;
  }
}
