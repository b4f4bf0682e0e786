import { describe, expect, it } from "vitest";
import type { Link } from "./link.ts";
import { memoryLinks } from "./memory-link.ts";
import { MemoryListener } from "./memory-listener.ts";
import type { Packet, Pipe } from "./pipe.ts";

/** A pipe whose packets the test delivers by hand. */
class HandPipe implements Pipe {
  readonly packets: Packet[] = [];
  readonly backlogBytes = 0;

  push(packet: Packet): void {
    this.packets.push(packet);
  }

  flush(): number {
    return 0;
  }
}

describe("MemoryLink", () => {
  it("drops late and doubled packets on sequenced, and counts them", () => {
    const forth = new HandPipe();
    const [client, server] = memoryLinks({ pipes: [forth, new HandPipe()] });
    const got: number[] = [];
    server.onMessage((_, bytes) => got.push(bytes[0]!));
    for (let index = 0; index < 4; index += 1) client.send("sequenced", Uint8Array.of(index));
    for (const arrival of [1, 0, 1, 3, 2, 3]) forth.packets[arrival]!.deliver();
    expect(got).toEqual([1, 3]);
    expect(server.traffic.sequenced).toMatchObject({ messagesIn: 6, lateIn: 4, bytesIn: 6 * 4 });
  });

  it("hands every copy over on unsequenced", () => {
    const forth = new HandPipe();
    const [client, server] = memoryLinks({ pipes: [forth, new HandPipe()] });
    const got: number[] = [];
    server.onMessage((_, bytes) => got.push(bytes[0]!));
    client.send("unsequenced", Uint8Array.of(1));
    client.send("unsequenced", Uint8Array.of(2));
    for (const arrival of [1, 0, 1]) forth.packets[arrival]!.deliver();
    expect(got).toEqual([2, 1, 2]);
  });

  it("moves nothing inside send, and only one batch per flush", () => {
    const [client, server] = memoryLinks();
    let volleys = 0;
    const returnIt = (link: Link) => () => {
      volleys += 1;
      link.send("reliable", Uint8Array.of(1));
    };
    server.onMessage(returnIt(server));
    client.onMessage(returnIt(client));
    client.send("reliable", Uint8Array.of(1));
    expect(volleys).toBe(0);
    expect(client.flush()).toBe(1);
    expect(volleys).toBe(1);
    expect(server.flush()).toBe(1);
    expect(volleys).toBe(2);
  });

  it("loses nothing behind a handler that throws", () => {
    const [client, server] = memoryLinks();
    const got: number[] = [];
    server.onMessage((_, bytes) => {
      got.push(bytes[0]!);
      if (bytes[0] === 1) throw new Error("a bug in the game");
    });
    for (let index = 0; index < 4; index += 1) client.send("reliable", Uint8Array.of(index));
    expect(() => client.flush()).toThrow("a bug in the game");
    client.send("reliable", Uint8Array.of(4));
    expect(client.flush()).toBe(3);
    expect(got).toEqual([0, 1, 2, 3, 4]);
    expect(client.backlogBytes).toBe(0);
  });

  it("refuses limits that cannot work, by name", () => {
    expect(() => memoryLinks({ limits: { staleAfterBytes: -1 } })).toThrow(/staleAfterBytes is -1/);
    expect(() => memoryLinks({ limits: { keptBytes: 0.5 } })).toThrow(/keptBytes is 0.5/);
    expect(() => memoryLinks({ limits: { maxMessageBytes: 100, overflowAfterBytes: 100 } })).toThrow(
      /maxMessageBytes is 100, but must be below overflowAfterBytes/,
    );
    expect(() => memoryLinks({ maxUnreliableBytes: 0 })).toThrow(/maxUnreliableBytes is 0/);
  });
});

describe("MemoryListener", () => {
  it("hands over links that came before its handler, and names them", () => {
    const listener = new MemoryListener();
    listener.connect();
    const links: Link[] = [];
    listener.onLink((link) => links.push(link));
    listener.connect();
    expect(links.map((link) => link.address)).toEqual(["memory:1", "memory:2"]);
  });

  it("moves all links with one flush", () => {
    const listener = new MemoryListener({ address: "arena" });
    const got: string[] = [];
    listener.onLink((link) => link.onMessage((_, bytes) => got.push(`${link.address} ${bytes[0]}`)));
    const clients = [listener.connect(), listener.connect()];
    for (const [index, client] of clients.entries()) client.send("reliable", Uint8Array.of(index));
    expect(listener.flush()).toBe(2);
    expect(got).toEqual(["arena:1 0", "arena:2 1"]);
  });

  it("closes its links with shutdown, and takes no more", async () => {
    const listener = new MemoryListener();
    const client = listener.connect();
    await listener.close();
    listener.flush();
    expect(client.closeReason?.code).toBe("shutdown");
    expect(() => listener.connect()).toThrow(/listener memory is closed/);
  });

  it("refuses links above its cap until one has ended", () => {
    const listener = new MemoryListener({ maxLinks: 2 });
    const client = listener.connect();
    listener.connect();
    expect(() => listener.connect()).toThrow(/has 2 links, its limit/);
    client.close({ code: "done", detail: "" });
    listener.flush();
    expect(() => listener.connect()).not.toThrow();
  });
});
