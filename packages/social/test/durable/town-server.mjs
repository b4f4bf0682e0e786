/** A program, not a module to import: a server with one chest, kept in the store whose folder it is given. It says its address. `kill.test.ts` starts and kills it. */
import { zones } from "@nearfield/core";
import { command, event, object, Protocol, quantized, uint } from "@nearfield/schema";
import { serve } from "@nearfield/server/node";
import { keepRoom } from "@nearfield/social/node";
import { openStore } from "@nearfield/store/node";

const place = quantized(0, 1000, 0.1);
const Chest = object("chest", { x: place, y: place, gold: uint(20) }, { position: ["x", "y"] });
const Give = command("give", { gold: uint(10) });
const Given = event("given", { total: uint(20) });
const protocol = new Protocol({ objects: [Chest], commands: [Give], events: [Given] });
const view = zones(Chest, { radii: [100], bounds: [{ time: 0 }, { time: 100 }] });

const store = await openStore(process.argv[2] ?? "");
const server = await serve({ protocol, view, roundMs: 5, host: "127.0.0.1", port: 0, udp: false });
const { guest } = await keepRoom(server.main, store, "town", { types: [Chest], onError: console.error });
if (guest.loaded === 0) server.world.spawn(Chest, { x: 5, y: 5 });
server.onCommand(Give, (_, { gold }) => {
  for (const chest of server.world.all(Chest)) {
    chest.gold += gold;
    server.emit(Given, { total: chest.gold });
  }
});
console.log(server.url);
