/** One list of rooms for all servers, on virtual time: where rooms open, how soon others know, and what becomes of those of a server that dies or leaves. */

import { expect, it } from "vitest";
import { refusal } from "../../social/test/stand-ins.ts";
import { RoomsLab, type RoomsServer } from "./rooms-lab.ts";

async function openLab(servers: number): Promise<{ lab: RoomsLab; servers: RoomsServer[] }> {
  const lab = new RoomsLab({ seed: 1, queues: {} });
  for (let i = 0; i < servers; i++) lab.start();
  await lab.run(3000);
  return { lab, servers: lab.servers };
}

const namesAt = ({ rooms }: RoomsServer): string[] => rooms.list().map(({ name }) => name);

it("a room opens on the least loaded server, and every server lists it within half a second", async () => {
  const { lab, servers } = await openLab(3);
  for (const [at, name] of ["a", "b", "c", "d", "e", "f"].entries())
    await lab.answered(() => servers[at % 2]!.rooms.create(`owner ${at}`, { name }));
  expect(servers.map(({ own }) => own.all().length)).toEqual([2, 2, 2]);
  const secret = await lab.answered(() => servers[0]!.rooms.create("sly", { name: "secret", isPublic: false }));
  await lab.run(500);
  for (const server of servers) {
    expect(namesAt(server)).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(server.rooms.get(secret.id)).toEqual(secret);
  }
  expect(new Set(servers[2]!.rooms.list().map(({ address }) => address)).size).toBe(3);
  const again = lab.answered(() => servers[2]!.rooms.create("owner 0", { name: "another" }));
  expect(await refusal(again)).toBe("too-many");
  const stranger = lab.answered(() => servers[2]!.rooms.close("sly", servers[2]!.rooms.list()[0]!.id));
  expect(await refusal(stranger)).toBe("no-room");
  await lab.answered(() => servers[1]!.rooms.close("sly", secret.id));
  await lab.run(500);
  for (const server of servers) expect(await refusal(() => server.rooms.get(secret.id))).toBe("no-room");
});

it("rooms of a server that dies vanish when it is declared dead, those of one that leaves at once, and a newcomer lists the rest", async () => {
  const { lab, servers } = await openLab(3);
  for (const [at, name] of ["a", "b", "c"].entries())
    await lab.answered(() => servers[0]!.rooms.create(`owner ${at}`, { name }));
  await lab.run(500);
  const [one, two, three] = servers as [RoomsServer, RoomsServer, RoomsServer];
  const lostName = namesAt(three).find((name) => three.own.all().some((room) => room.name === name))!;
  three.kill();
  await lab.until(() => !one.membership.alive.has(3), 5000);
  expect(namesAt(one)).not.toContain(lostName);
  await lab.run(500);
  expect(namesAt(one)).toEqual(namesAt(two));
  expect(namesAt(one)).toHaveLength(2);
  const newcomer = lab.start();
  await lab.run(2500);
  expect(namesAt(newcomer)).toEqual(namesAt(one));
  two.membership.leave();
  await lab.run(1000);
  expect(namesAt(newcomer)).toEqual(one.own.all().map(({ name }) => name));
  expect(newcomer.list.candidates()).toEqual([4, 1]);
});

it("a server that is cut off from another lists its rooms for five seconds at most", async () => {
  const { lab, servers } = await openLab(2);
  const [one, two] = servers as [RoomsServer, RoomsServer];
  await lab.answered(() => one.rooms.create("ann", { name: "a" }));
  await lab.answered(() => one.rooms.create("ben", { name: "b" }));
  await lab.run(500);
  expect(namesAt(one)).toHaveLength(2);
  lab.hub.cut(one.name, two.name);
  await lab.run(5500);
  expect([one.membership.alive.size, namesAt(one).length, namesAt(two).length]).toEqual([2, 1, 1]);
  lab.hub.heal();
  await lab.run(1500);
  expect([namesAt(one).length, namesAt(two).length]).toEqual([2, 2]);
});
