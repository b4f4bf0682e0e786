/**
 * A clock that runs while this process works: from one reading to the next, by the processor time that the process used, and never faster than
 * time itself. So it stands still while the machine runs other processes, and other threads of this process do not make it faster.
 */

/** @param now ms of a clock that never goes back. @param processorMs that the process has used. */
export function busyClock(now: () => number, processorMs: () => number): () => number {
  let busyMs = 0;
  let [lastMs, lastUsedMs] = [now(), processorMs()];
  return () => {
    const [nowMs, usedMs] = [now(), processorMs()];
    busyMs += Math.min(nowMs - lastMs, usedMs - lastUsedMs);
    [lastMs, lastUsedMs] = [nowMs, usedMs];
    return busyMs;
  };
}

/** Processor time of this process, all its threads together, ms. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
