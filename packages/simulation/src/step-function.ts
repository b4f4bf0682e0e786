/** Step functions: how a game says what a command does, once for the server and for every client that predicts. */

import type { Fields, Values } from "@nearfield/schema";

/**
 * What a command does to its object within so many milliseconds. The client runs it at once, the server later, so it may use nothing that only
 * one side has: it reads and writes the fields of `state`, and knows the command and the time.
 */
export type StepFunction<F extends Fields, C extends Fields> = (
  state: Values<F>,
  command: Values<C>,
  dtMs: number,
) => void;
