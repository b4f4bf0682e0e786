/** Errors of this package: each names what was wrong, what was given and what is required, and carries a code. */

export type WorldErrorCode =
  | "destroyed"
  | "duplicate-name"
  | "full"
  | "not-numeric"
  | "not-writable"
  | "too-many"
  | "unknown-object"
  | "unknown-type";

export class WorldError extends Error {
  readonly code: WorldErrorCode;
  /** @param message false in a production build (`IS_DEVELOPMENT`). */
  constructor(code: WorldErrorCode, message: string | false) {
    super(message === false ? code : message);
    this.name = "WorldError";
    this.code = code;
  }
}

export type CrewErrorCode = "not-shared" | "size" | "taken";

export class CrewError extends Error {
  readonly code: CrewErrorCode;
  constructor(code: CrewErrorCode, message: string) {
    super(message);
    this.name = "CrewError";
    this.code = code;
  }
}

export type ViewErrorCode =
  | "bad-bound"
  | "bad-number"
  | "bad-option"
  | "bad-pivot"
  | "bad-radii"
  | "bad-sectors"
  | "no-last-set"
  | "shape-mismatch"
  | "tightens-outward"
  | "too-many"
  | "unfit-metric"
  | "unknown-key"
  | "unknown-match"
  | "unknown-metric"
  | "unknown-view";

export class ViewError extends Error {
  readonly code: ViewErrorCode;
  /** Where in the settings, e.g. `sets[0].bounds[2][1].time`. */
  readonly at: string;
  constructor(code: ViewErrorCode, at: string, requirement: string) {
    super(`view.${at}: ${requirement}`);
    this.name = "ViewError";
    this.code = code;
    this.at = at;
  }
}
