/** A crew of worker threads. They keep no process alive, and sleep between rounds. */

import { Worker } from "node:worker_threads";
import { type Crew, CrewError, type CrewTask } from "@nearfield/core/internal";

/** A worker needs nothing but the kernel, so its program is this. */
const PROGRAM = `
const { workerData: { memory, module, thread } } = require("node:worker_threads");
new WebAssembly.Instance(module, { env: { memory } }).exports.serve(thread);
`;

export class WorkerCrew implements Crew {
  readonly size: number;
  #workers: Worker[] | undefined;

  /** @param size threads besides the engine's own; more than there are other cores to run them only cost. */
  constructor(size: number) {
    this.size = size;
  }

  join({ memory, module, threads }: CrewTask): void {
    if (this.#workers !== undefined)
      throw new CrewError("taken", "a crew works for one engine: make another for this one");
    this.#workers = threads.map((thread) => {
      const worker = new Worker(PROGRAM, { eval: true, workerData: { memory, module, thread } });
      worker.unref();
      return worker;
    });
  }

  leave(): void {
    for (const worker of this.#workers ?? []) void worker.terminate();
    this.#workers = undefined;
  }
}
