/** The simulation is the same to the last bit wherever it runs; a change of these numbers is a change of how worlds move. */

import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { simulationBits } from "./bits.ts";
import { bundleBits } from "./bits-bundle.ts";
import { EXPECTED_BITS } from "./expected-bits.ts";

const WORKER = `import { parentPort } from "node:worker_threads";
import { simulationBits } from "./bits.mjs";
parentPort.postMessage([simulationBits(), simulationBits()]);
`;

test("in Node", () => {
  expect(simulationBits()).toEqual(EXPECTED_BITS);
});

test("in a worker thread, and again when everything is compiled", async () => {
  const folder = await mkdtemp(join(tmpdir(), "nearfield-bits-"));
  try {
    await writeFile(join(folder, "bits.mjs"), await bundleBits());
    await writeFile(join(folder, "worker.mjs"), WORKER);
    const worker = new Worker(join(folder, "worker.mjs"));
    const [message] = await once(worker, "message");
    await worker.terminate();
    expect(message).toEqual([EXPECTED_BITS, EXPECTED_BITS]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
