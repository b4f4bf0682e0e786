/**
 * A program that settles a space or makes a trade and kills itself at the given point of the store's work: `PLACE settle|trade POINT`. It prints `done` when the store has
 * acknowledged, and `points N` if it lived to the end.
 */
import { injectFaults } from "@nearfield/store/internal";
import { movements } from "./movements.ts";
import { openPlace } from "./places.ts";

const [place, kind, point] = process.argv.slice(2) as [string, keyof typeof movements, string];
const store = await openPlace(place);
let points = 0;
injectFaults(store, () => {
  points += 1;
  if (points === Number(point)) process.kill(process.pid, "SIGKILL");
});
await movements[kind](store);
injectFaults(store, undefined);
process.stdout.write(`done\npoints ${points}\n`);
await store.close();
