/**
 * A program that settles a space or makes a trade and kills itself at the given point of the store's work: `PLACE settle|trade NUMBER POINT`. It prints the point
 * at which it dies, and `done` when the store has acknowledged.
 */
import { writeSync } from "node:fs";
import { injectFaults } from "@nearfield/store/internal";
import { openStore } from "@nearfield/store/node";
import { movements } from "./movements.ts";

const [place = "", kind = "", number = "", last = ""] = process.argv.slice(2);
const store = await openStore(place);
let points = 0;
injectFaults(store, (point) => {
  points += 1;
  if (points !== Number(last)) return;
  writeSync(1, `dies at ${point}\n`);
  process.kill(process.pid, "SIGKILL");
});
await movements[kind as keyof typeof movements](store, Number(number));
writeSync(1, "done\n");
await store.close();
