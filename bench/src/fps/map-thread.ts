/**
 * Maps measured side by side, each in a thread of its own. This file is both ends: `measureMaps` for the benchmark, and, run as a thread,
 * the measuring of one map. Counts and bytes do not depend on what runs beside; CPU is a ratio of two that run in turn.
 */

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { arenaOn } from "./arena-match.ts";
import { type MapResult, type MapTask, measureMap } from "./measure-map.ts";

type Message = { readonly line: string } | { readonly result: MapResult };

/** Takes the tasks in order, as many at once as there are threads. */
export async function measureMaps(
  tasks: readonly MapTask[],
  threads: number,
  progress: (line: string) => void,
): Promise<MapResult[]> {
  const results: MapResult[] = [];
  const waiting = [...tasks.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      results[next[0]] = await inThread(next[1], progress);
    }
  };
  await Promise.all(Array.from({ length: threads }, work));
  return results;
}

function inThread(task: MapTask, progress: (line: string) => void): Promise<MapResult> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task });
  return new Promise((resolve, reject) => {
    worker.on("message", (message: Message) => {
      if ("line" in message) progress(message.line);
      else resolve(message.result);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`a thread of the benchmark ended with code ${code}`)));
  });
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  const task = workerData as MapTask;
  const result = measureMap(task, arenaOn(task.map), (line) => port.postMessage({ line }));
  port.postMessage({ result });
}
