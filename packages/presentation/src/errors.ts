/** A setting that breaks its rule, named at the start. */
export class PresentationError extends Error {
  readonly code = "bad-setting";

  constructor(setting: string, value: unknown, requirement: string) {
    super(`${setting} is ${String(value)}, but ${requirement}`);
    this.name = "PresentationError";
  }
}
