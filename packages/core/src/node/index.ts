// What of the engine needs Node: threads.

export { WorkerCrew } from "./worker-crew.ts";
