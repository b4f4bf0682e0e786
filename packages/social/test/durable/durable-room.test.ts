/** A room whose objects are kept: they come back, and no answer leaves before its round is in the store. */
import { zones } from "@nearfield/core";
import { Lab } from "@nearfield/netlab";
import { bytes, command, event, list, object, Protocol, quantized, text, uint } from "@nearfield/schema";
import { injectFaults, MemoryStore, type Store } from "@nearfield/store/internal";
import { describe, expect, it } from "vitest";
import { keepRoom } from "../../src/durable/durable-room.ts";

const place = quantized(0, 1000, 0.1);
const Chest = object(
  "chest",
  { x: place, y: place, gold: uint(20), label: text(20), seal: bytes(4) },
  { position: ["x", "y"] },
);
const Bird = object("bird", { x: place, y: place }, { position: ["x", "y"] });
const Give = command("give", { gold: uint(10) });
const Given = event("given", { total: uint(20) });
const protocol = new Protocol({ objects: [Chest, Bird], commands: [Give], events: [Given] });
const view = zones(Chest, { radii: [100], bounds: [{ time: 0 }, { time: 100 }] });

/** Lets promises of the store and the guest go on; nothing in them waits for time. */
async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

/** A server with a chest that takes gold and says how much it holds, on a store that may be older than the server. */
async function town(store: Store, errors: unknown[] = []) {
  const lab = new Lab({ protocol, view, roundMs: 50 });
  const onError = (error: unknown): void => void errors.push(error);
  const { guest } = await keepRoom(lab.server.main, store, "town", { types: [Chest], onError });
  if (guest.loaded === 0) lab.world.spawn(Chest, { x: 5, y: 5, label: "first", seal: Uint8Array.of(1, 2) });
  lab.server.onCommand(Give, (_, { gold }) => {
    const [chest] = lab.world.all(Chest);
    if (chest === undefined) return;
    chest.gold += gold;
    lab.server.emit(Given, { total: chest.gold });
  });
  const run = async (rounds: number): Promise<void> => {
    for (let i = 0; i < rounds; i++) {
      lab.run(50);
      await settle();
    }
  };
  return { lab, guest, run };
}

describe("a room that is kept", () => {
  it("has its objects again on the next server, with fields and tags, and others are not kept", async () => {
    const store = new MemoryStore();
    const first = await town(store);
    const second = first.lab.world.spawn(Chest, { x: 9, gold: 70 }, { tags: ["locked"] });
    const gone = first.lab.world.spawn(Chest, { x: 3 });
    first.lab.world.spawn(Bird, { x: 1 });
    await first.run(2);
    second.gold = 71;
    first.lab.world.destroy(gone);
    await first.run(2);
    await first.guest.safe();

    const next = await town(store);
    expect(next.guest.loaded).toBe(2);
    const chests = [...next.lab.world.all(Chest)].map(({ x, gold, label, seal, tags }) => ({
      x,
      gold,
      label,
      seal,
      tags: [...tags],
    }));
    expect(chests).toEqual([
      { x: 5, gold: 0, label: "first", seal: Uint8Array.of(1, 2), tags: [] },
      { x: 9, gold: 71, label: "", seal: new Uint8Array(), tags: ["locked"] },
    ]);
    expect([...next.lab.world.all(Bird)]).toEqual([]);
    // New objects do not take the records of old ones.
    next.lab.world.spawn(Chest, { label: "third" });
    await next.run(2);
    expect((await town(store)).guest.loaded).toBe(3);
  });

  it("keeps answers back until their round is in the store, and pictures go on", async () => {
    const store = slowed(new MemoryStore());
    store.open();
    const { lab, run } = await town(store);
    const ann = lab.join("ann");
    const heard: number[] = [];
    ann.client.onEvent(Given, ({ total }) => heard.push(total));
    await run(20);
    expect(ann.client.state).toBe("active");
    store.shut();
    ann.client.send(Give, { gold: 3 });
    await run(20);
    expect([...ann.client.world.all(Chest)][0]?.gold, "pictures do not wait").toBe(3);
    expect(heard).toEqual([]);
    store.open();
    await run(5);
    expect(heard).toEqual([3]);
    expect([...(await town(store)).lab.world.all(Chest)][0]?.gold).toBe(3);
  });

  it("tries again when the store failed, tells it once, and loses nothing", async () => {
    const store = new MemoryStore();
    const errors: unknown[] = [];
    const { lab, run } = await town(store, errors);
    const ann = lab.join("ann");
    const heard: number[] = [];
    ann.client.onEvent(Given, ({ total }) => heard.push(total));
    await run(20);
    injectFaults(store, () => {
      throw new Error("disk full");
    });
    ann.client.send(Give, { gold: 1 });
    await run(10);
    ann.client.send(Give, { gold: 1 });
    await run(10);
    expect(heard).toEqual([]);
    expect(errors.map(String)).toEqual(["Error: disk full"]);
    injectFaults(store, undefined);
    await run(10);
    expect(heard).toEqual([1, 2]);
    expect([...(await town(store)).lab.world.all(Chest)][0]?.gold).toBe(2);
  });

  it("refuses what cannot be kept when it starts", async () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const Odd = object("odd", { parts: list(bytes(2), 3) });
    const options = { onError: () => {} };
    await expect(keepRoom(lab.server.main, new MemoryStore(), "town", { ...options, types: [Odd] })).rejects.toThrow(
      /field parts/,
    );
    await expect(keepRoom(lab.server.main, new MemoryStore(), "a/b", { ...options, types: [Chest] })).rejects.toThrow(
      /no \//,
    );
  });
});

/** A store whose transactions wait at a gate. */
function slowed(store: Store): Store & { open(): void; shut(): void } {
  let opened = (): void => {};
  let gate: Promise<void> = Promise.resolve();
  return {
    transact: async (body) => {
      await gate;
      return await store.transact(body);
    },
    close: () => store.close(),
    open: () => opened(),
    shut: () => {
      gate = new Promise((resolve) => (opened = resolve));
    },
  };
}
