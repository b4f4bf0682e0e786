/**
 * The compiled kernel: the engine's hot loops, written in AssemblyScript (`packages/core/kernel`) and compiled to WebAssembly. It works on the engine's own
 * memory. It does exactly what the engine would do in TypeScript, only faster.
 */

import { FIXED, SHARED } from "./kernel-binary.ts";
import type { LinearMemory, Memory } from "./memory.ts";

/** Everything is an address, or a number in a batch. */
export interface Kernel {
  /** Works on crossings `from` … `to − 1` of a batch; what it finds it writes where the thread's sheet says. */
  crossSome(batch: number, from: number, to: number, thread: number): void;
  /** Judges what is due of views `from` … `to − 1` of a batch; how many pairs it looked at it adds to the thread's sheet. */
  judgeSome(batch: number, from: number, to: number, thread: number): void;
  /** How many pairs of a view have a plan, or a few more. */
  countPlanned(view: number): number;
  /** Has every pair of a view that has a plan looked at in this round. */
  lookNow(view: number): void;
  /** Has those of them looked at whose bounds can be stricter now, by where pivots are: for views that keep leeways. */
  lookNear(view: number): void;
  lookMoved(view: number): void;
  /** Records as sent what was decided for a view that deferred it, save what was withheld. */
  recordSends(view: number, thread: number): void;
  /** Takes note of where the pivots of a batch are in this round. */
  follow(batch: number, count: number): void;
  /** What was sent of these objects in a round has arrived. Those that it knows nothing of it leaves at the front; returns how many. */
  arrive(view: number, ids: number, count: number, round: number): number;
  /** Of a list of who watches an object, keeps one entry of each pair that does still; returns how many. */
  keepWatchers(list: number, count: number, slot: number, mark: number): number;
  /** Has every pair of such a list that watches the object still looked at in this round. */
  planWatchers(list: number, count: number, slot: number): void;
  /** Has the pairs whose bits changed looked at in this round: those of the objects in a list, of views that have those bits. */
  reveal(list: number, count: number): void;
  /** Wakes all pairs that rest on the objects of a list of slots: notes them with their views, which look at them when they are judged. */
  wake(slots: number, count: number): void;
  /** Has the pairs of a view that were woken looked at in this round. */
  awaken(view: number): void;
  /** Lists what a view leaves to rest; of what it leaves, all else stays at the front, and it returns how much. */
  rest(view: number): number;
  /** Lists the new pairs that crossings found; those that it cannot it leaves at the front, and returns how many. */
  enlist(found: number, count: number, crossings: number): number;
  /** Sorts the objects of a list of slots into a snapshot. */
  sort(snapshot: number, slots: number): void;
  /** For the first `count` of a list of slots, where objects are now is where they were before. */
  settle(slots: number, count: number): void;
}

/** Where memory is shared, threads can work on a batch together. */
export interface SharedKernel extends Kernel {
  /** Publishes a batch to all threads. */
  post(kind: number, batch: number, count: number): void;
  /** Takes part in it, and returns when all is done. */
  finish(thread: number): void;
}

let shared: Compiled | undefined;
let fixed: Compiled | undefined;

/** For memory that is not shared; the other kernel can do more. */
export function kernelOn(memory: Memory): Kernel {
  if (memory.isShared) return sharedKernelOn(memory);
  fixed ??= compile(FIXED);
  return new WebAssembly.Instance(fixed, { env: { memory: memory.linear } }).exports as Kernel;
}

export function sharedKernelOn(memory: Memory): SharedKernel {
  return new WebAssembly.Instance(sharedModule(), { env: { memory: memory.linear } }).exports as SharedKernel;
}

/** The kernel as it is handed to a worker. */
export function sharedModule(): Compiled {
  shared ??= compile(SHARED);
  return shared;
}

function compile(base64: string): Compiled {
  return new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

// The part of the hosts' globals that is used here: this package is written for no host in particular.

export type Compiled = object & { readonly compiled: unique symbol };

declare const WebAssembly: {
  Module: new (binary: Uint8Array) => Compiled;
  Instance: new (module: Compiled, imports: { env: { memory: LinearMemory } }) => { readonly exports: object };
};

declare function atob(base64: string): string;
