/**
 * Where a test may strike inside a commit. Databases call `reach` at each point; without a hook that costs one comparison. The hook is set through
 * `injectFaults`, which only the entry point `/internal` has.
 */

/**
 * - `write`: before each record is written; nothing of the transaction is durable.
 * - `commit`: everything is ready, nothing is committed.
 * - `committing`: the commit is on its way, and nobody knows how far. Only for hooks that end the process: what a hook throws here changes nothing.
 * - `committed`: the transaction is durable, and nobody was told so.
 */
export type FaultPoint = "write" | "commit" | "committing" | "committed";

export type FaultHook = (point: FaultPoint) => void;

export class Faults {
  hook: FaultHook | undefined = undefined;

  reach(point: FaultPoint): void {
    this.hook?.(point);
  }
}
