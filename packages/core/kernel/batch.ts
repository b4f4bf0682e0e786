/**
 * A batch that several threads work on. One 64-bit number holds the number of the batch, its length, and how many entries are taken. A thread takes a share by
 * changing that number in one atomic step. A thread that comes late sees another batch number, so it cannot take a share of a batch that it does
 * not know.
 */

import {
  BATCH_ADDRESS,
  BATCH_DONE,
  BATCH_KIND,
  BATCH_SHARE,
  BATCH_SIGNAL,
  BATCH_TAKEN,
  CROSS,
  THREAD_DONE,
} from "../src/engine/memory/layout";
import { crossSome } from "./cross";
import { judgeSome } from "./judge";

const BITS = 20;
const MASK: i64 = (1 << BITS) - 1;
/** Looks before a thread that waits goes to sleep. */
const LOOKS = 4096;

/** Publishes a batch, and wakes whoever waits for one. */
export function post(kind: i32, address: usize, count: i32): void {
  const number = (atomic.load<i64>(BATCH_TAKEN) >>> (2 * BITS)) + 1;
  store<i32>(BATCH_KIND, kind);
  store<i32>(BATCH_ADDRESS, <i32>address);
  atomic.store<i32>(BATCH_DONE, 0);
  atomic.store<i64>(BATCH_TAKEN, (number << (2 * BITS)) | ((<i64>count) << BITS));
  atomic.add<i32>(BATCH_SIGNAL, 1);
  atomic.notify(BATCH_SIGNAL, -1);
}

/** Takes part, and returns when all of the batch is done. */
export function finish(thread: usize): void {
  const count = <i32>((atomic.load<i64>(BATCH_TAKEN) >>> BITS) & MASK);
  work(thread);
  for (let looks = 0; ; looks++) {
    const done = atomic.load<i32>(BATCH_DONE);
    if (done == count) return;
    if (looks > LOOKS) atomic.wait<i32>(BATCH_DONE, done, -1);
  }
}

/** The life of a thread of the crew: it ends with its worker. */
export function serve(thread: usize): void {
  let seen = 0;
  while (true) {
    for (let looks = 0; looks < LOOKS && atomic.load<i32>(BATCH_SIGNAL) == seen; looks++) {}
    atomic.wait<i32>(BATCH_SIGNAL, seen, -1);
    seen = atomic.load<i32>(BATCH_SIGNAL);
    work(thread);
  }
}

/** Takes share after share until nothing is left. */
function work(thread: usize): void {
  while (true) {
    const taken = atomic.load<i64>(BATCH_TAKEN);
    const count = <i32>((taken >>> BITS) & MASK);
    const from = <i32>(taken & MASK);
    if (from >= count) return;
    const to = min(count, from + BATCH_SHARE);
    if (atomic.cmpxchg<i64>(BATCH_TAKEN, taken, taken + (to - from)) != taken) continue;
    const address = <usize>load<i32>(BATCH_ADDRESS);
    if (load<i32>(BATCH_KIND) == CROSS) crossSome(address, from, to, thread);
    else judgeSome(address, from, to, thread);
    store<i32>(thread, load<i32>(thread, THREAD_DONE) + to - from, THREAD_DONE);
    atomic.add<i32>(BATCH_DONE, to - from);
    atomic.notify(BATCH_DONE, 1);
  }
}
