/**
 * A program that is a server whose fights are paid: `PLACE PLAYERS POINT`. When so many players have told their keys, they fight. At the given point of the store's work after that it kills itself as
 * `kill -9` would; 0: never. It prints where it is, and the point at which it dies.
 */
import { writeSync } from "node:fs";
import { serve } from "@nearfield/server/node";
import { injectFaults } from "@nearfield/store/internal";
import { openStore } from "@nearfield/store/node";
import { openSocial } from "../../src/node/index.ts";
import { ActionSpaces } from "../../src/spaces/index.ts";
import { bout } from "../spaces/paid-stage.ts";
import { PlainPasswords } from "../stand-ins.ts";
import { CATALOGUE } from "./ledgers.ts";
import { paidProtocol, paidView } from "./paid-players.ts";

const [place = "", count = "", last = ""] = process.argv.slice(2);
const store = await openStore(place);
const social = openSocial({
  store,
  secret: "only for tests: thirty-two bytes or more",
  goods: CATALOGUE,
  passwords: new PlainPasswords(),
});
const { authenticate, answerAccounts: onRequest } = social;
const server = await serve({
  protocol: paidProtocol,
  view: paidView,
  host: "127.0.0.1",
  roundMs: 20,
  udp: false,
  authenticate,
  onRequest,
});
social.attach(server.main);
const spaces = new ActionSpaces(server);
const paid = social.openPaidSpaces(spaces, { kinds: { bout }, times: { claimMs: 500, evidenceMs: 3000 } });

let isOpen = false;
server.onRound(() => {
  const players = [...server.main.players.values()].filter((player) => spaces.keyOf(player).length > 0);
  if (isOpen || Number(last) === 0 || players.length < Number(count)) return;
  isOpen = true;
  void paid.open({ kind: "bout", players, candidates: [], stepMs: 20, startInMs: 300, seed: 7 }).then(dieLater);
});
writeSync(1, `site ${server.url.replace("ws", "http")}\n`);

function dieLater(): void {
  let points = 0;
  injectFaults(store, (point) => {
    points += 1;
    if (points !== Number(last)) return;
    writeSync(1, `dies at ${point}\n`);
    process.kill(process.pid, "SIGKILL");
  });
}
