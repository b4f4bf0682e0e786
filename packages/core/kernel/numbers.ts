/** Numbers as the grid counts them. */

/** The next integer below; of one that is too large, what remains of it in 32 bits, as the torus of cells wants it. */
export function whole(value: f64): i32 {
  return <i32>(<i64>floor(value));
}
