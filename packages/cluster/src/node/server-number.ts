/**
 * A number for a server that starts: one that no server of this world had before. The last number that was given out is a key of its own,
 * and goes up by compare-and-set, so that two servers that start at the same moment get different ones.
 */

import { type Bus, ClusterError, type KeyEntry } from "@nearfield/cluster/internal";
import { MAX_ORIGINS } from "@nearfield/schema/internal";

const KEY = "last-number";

/** Rejects with `ClusterError("no-number")` when all have been given out. */
export function takeNumber(bus: Bus): Promise<number> {
  return new Promise((resolve, reject) => {
    let isAsking = false;
    let [last, revision] = [0, 0];
    const ask = (): void => {
      if (isAsking) return;
      const number = last + 1;
      if (number >= MAX_ORIGINS) {
        off();
        const text = `this world has had ${last} servers, and there are no more numbers: begin another world`;
        reject(new ClusterError("no-number", text));
        return;
      }
      isAsking = true;
      const asked = revision;
      bus.keys.put(KEY, encoder.encode(`${number}`), revision, (outcome) => {
        isAsking = false;
        if (outcome.kind === "written") {
          off();
          resolve(number);
        } else if (outcome.kind === "unknown" || revision !== asked) ask();
      });
    };
    // If somebody else was faster, the watch says so sooner or later, and the next number is tried.
    const changed = ({ key, value, revision: at }: KeyEntry): void => {
      if (key !== KEY || at <= revision) return;
      last = Number(decoder.decode(value));
      revision = at;
      ask();
    };
    const off = bus.keys.watch(changed);
    ask();
  });
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
