/** The clock and the two timers that sockets need, as a parameter, so that tests turn time by hand. */

export interface Timers {
  /** Runs `task` every `ms` until the returned function is called. */
  every(ms: number, task: () => void): () => void;
  /** Runs `task` once after `ms` unless the returned function is called. */
  after(ms: number, task: () => void): () => void;
  /** Ms of a clock that never goes back. Default: the process's own. */
  now?(): number;
}

export function nowOf(timers: Timers): () => number {
  return () => timers.now?.() ?? performance.now();
}

/** Node's timers. They keep no process alive. */
export const nodeTimers: Timers = {
  every(ms, task) {
    const timer = setInterval(task, ms).unref();
    return () => clearInterval(timer);
  },
  after(ms, task) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};
