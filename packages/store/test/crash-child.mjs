/**
 * A program, not a module to import: it moves gold in a store until it is killed, and says what was acknowledged. `crash.test.ts` starts it.
 *
 *     node crash-child.mjs PLACE one FIRST STRIKE die|wait    transaction FIRST, struck at its STRIKE-th fault point
 *     node crash-child.mjs PLACE many FIRST                   transactions from FIRST on, ten at a time, without an end
 *
 * `die` kills the process at the point; `wait` says so and does nothing any more, so that the database can be killed under it.
 */
import { writeSync } from "node:fs";
import { injectFaults, table } from "@nearfield/store/internal";
import { openStore } from "@nearfield/store/node";

const [place = "", mode, first = "0", strike = "0", how] = process.argv.slice(2);

/** @type {import("@nearfield/store/internal").Table<number>} */
const accounts = table("accounts");
/** @type {import("@nearfield/store/internal").Table<number>} */
const ledger = table("ledger");

const store = await openStore(place);

/** Gold for transaction `n`: 1 to 7 pieces. It writes four records and removes one. @param {number} n */
async function move(n) {
  const amount = 1 + (n % 7);
  await store.transact(async (transaction) => {
    const a = (await transaction.get(accounts, "a"))?.value ?? 1000000;
    const b = (await transaction.get(accounts, "b"))?.value ?? 0;
    transaction.put(accounts, "a", a - amount);
    transaction.put(accounts, "b", b + amount);
    transaction.put(ledger, `done/${n}`, amount);
    transaction.put(ledger, `open/${n + 10}`, 0);
    transaction.remove(ledger, `open/${n}`);
  });
  writeSync(1, `acknowledged ${n}\n`);
}

/** @param {number} from */
async function moveOn(from) {
  for (let n = from; ; n += 10) await move(n);
}

if (mode === "one") {
  let reached = 0;
  injectFaults(store, (point) => {
    if (++reached !== Number(strike)) return;
    writeSync(1, `struck at ${point}\n`);
    if (how === "die") process.kill(process.pid, "SIGKILL");
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
  await move(Number(first));
  await store.close();
} else {
  await Promise.all(Array.from({ length: 10 }, (_, i) => moveOn(Number(first) + i)));
}
