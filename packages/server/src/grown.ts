/** A column with more room. */

type Column = Float64Array | Uint32Array | Int32Array | Uint8Array;

/** Copies a column into a larger one of its kind. */
export function grown<T extends Column>(larger: T, from: T): T {
  larger.set(from as never);
  return larger;
}
