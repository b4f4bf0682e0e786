/** What a page asks of the board, as plain data: it can be kept, repeated and taken back. */

import type { Values } from "@nearfield/schema";
import type { Draw, Put } from "../shared.ts";

export type Drawn = Readonly<Values<typeof Draw.shape>>;
export type Placed = Readonly<Values<typeof Put.shape>>;

export type Request =
  | ({ readonly kind: "draw" } & Drawn)
  | ({ readonly kind: "put" } & Placed)
  | { readonly kind: "move"; readonly keys: readonly number[]; readonly dx: number; readonly dy: number }
  | { readonly kind: "paint"; readonly keys: readonly number[]; readonly colour: number }
  | { readonly kind: "raise"; readonly keys: readonly number[] }
  | { readonly kind: "erase"; readonly keys: readonly number[] };
