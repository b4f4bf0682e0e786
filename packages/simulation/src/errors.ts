/** Mistakes in how a game uses the simulation. What is wrong in the file of a level is a `LevelError`. */

export type SimulationErrorCode = "bad-option";

export class SimulationError extends Error {
  readonly code: SimulationErrorCode;

  constructor(code: SimulationErrorCode, message: string) {
    super(message);
    this.name = "SimulationError";
    this.code = code;
  }
}
