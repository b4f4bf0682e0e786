/** A map that cannot be read, and what is allowed of one. */

/**
 * "not-a-map": something else altogether. "malformed": broken, or not what the format says. "unsupported": a feature that is not read.
 * "too-large": over a limit. "missing": another file is needed.
 */
export type LevelErrorCode = "not-a-map" | "malformed" | "unsupported" | "too-large" | "missing";

export class LevelError extends Error {
  readonly code: LevelErrorCode;
  /** Where in the file. */
  readonly at: string;

  constructor(code: LevelErrorCode, at: string, text: string) {
    super(`${at} ${text}`);
    this.name = "LevelError";
    this.code = code;
    this.at = at;
  }
}

/** The largest map that is read. */
export interface LevelLimits {
  /** Characters of the file, if it comes as a text. Default 32 Mi. */
  readonly characters: number;
  /** Tiles of a layer. Default 1,048,576: a map of 1,024 × 1,024. */
  readonly tiles: number;
  /** Layers, those in groups included. Default 64. */
  readonly layers: number;
  /** Objects of all layers. Default 65,536. */
  readonly objects: number;
}

export const DEFAULT_LEVEL_LIMITS: LevelLimits = Object.freeze({
  characters: 32 * 2 ** 20,
  tiles: 2 ** 20,
  layers: 64,
  objects: 65_536,
});
