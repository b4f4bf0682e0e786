/**
 * Threads that help an engine: they share its memory and judge views beside it. The decisions do not depend on them. The host starts the threads;
 * `@nearfield/core/node` has a crew of worker threads.
 */

import { CrewError } from "./errors.ts";

/** What a thread needs to work for an engine: `serve(threads[i])` of an instance of `module` on `memory`, for good. */
export interface CrewTask {
  readonly memory: object;
  readonly module: object;
  readonly threads: readonly number[];
}

export interface Crew {
  /** Threads besides the engine's own. */
  readonly size: number;
  /** Works for an engine from now on; a crew works for one. */
  join(task: CrewTask): void;
  /** The engine is gone. */
  leave(): void;
}

export function checkCrew({ size }: Crew, isShared: boolean): void {
  if (!Number.isInteger(size) || size < 1 || size > MOST_THREADS) {
    throw new CrewError("size", `a crew of ${size}: it must have 1 to ${MOST_THREADS} threads`);
  }
  if (!isShared) {
    const text =
      "threads need SharedArrayBuffer, which this host lacks; a page has it where it is cross-origin isolated";
    throw new CrewError("not-shared", text);
  }
}

const MOST_THREADS = 64;
