/** Heroes in a process of their own: `SITE FIRST COUNT HOME_AFTER`. It prints each one's account, and, when all are out of the dungeon and paid, what each machine had to do. */

import { nodePeers } from "@nearfield/rollback/node";
import { Hero } from "./hero.ts";

const [site = "", first = "0", count = "1", homeAfter = "100"] = process.argv.slice(2);
const peers = await nodePeers({ host: "127.0.0.1" });
const heroes: Hero[] = [];
for (let index = Number(first); index < Number(first) + Number(count); index++) {
  const hero = await Hero.join({ site, index, peers, homeAfter: Number(homeAfter) });
  heroes.push(hero);
  console.log(`account ${hero.account}`);
}
console.log("all in");
const timer = setInterval(() => {
  // Until then the others need these heroes' inputs, and the server their word.
  if (!heroes.every(({ settled }) => settled.length > 0)) return;
  clearInterval(timer);
  console.log(`reports ${JSON.stringify(heroes.map(({ report }) => report))}`);
}, 100);
