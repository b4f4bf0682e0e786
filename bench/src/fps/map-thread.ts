/**
 * Measures several maps at once in threads. This file is both ends: `measureMaps` for the benchmark, and, run as a thread, the code that measures one
 * map after another. Counts and bytes do not depend on other threads; CPU is a ratio of two servers that take turns.
 */

import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { arenaOn } from "./arena-match.ts";
import { type MapResult, type MapTask, measureMap } from "./measure-map.ts";

type Answer = { readonly line: string } | { readonly result: MapResult };

/** Takes the tasks in order, as many at once as there are threads. */
export async function measureMaps(
  tasks: readonly MapTask[],
  threads: number,
  progress: (line: string) => void,
): Promise<MapResult[]> {
  const results: MapResult[] = [];
  const waiting = [...tasks.entries()];
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL(import.meta.url));
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results[next[0]] = await measureIn(worker, next[1], progress);
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: threads }, work));
  return results;
}

/** One listener for all answers: two may come at once. An error in the thread is thrown here. */
function measureIn(worker: Worker, task: MapTask, progress: (line: string) => void): Promise<MapResult> {
  return new Promise((resolve, reject) => {
    worker.removeAllListeners();
    worker.on("message", (answer: Answer) => {
      if ("result" in answer) resolve(answer.result);
      else progress(answer.line);
    });
    worker.on("error", reject);
    worker.postMessage(task);
  });
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const answer = (message: Answer): void => port.postMessage(message);
  port.on("message", (task: MapTask) => {
    answer({ result: measureMap(task, arenaOn(task.map, task.seed), (line) => answer({ line })) });
  });
}
