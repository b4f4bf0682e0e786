/** A wire that a test can cut: listens on loopback ports, one for each address behind it, and passes bytes on until it is cut. */

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

export class CutProxy {
  readonly #servers: Server[] = [];
  /** Both ends of what is open, each with the address behind. */
  readonly #sockets = new Map<Socket, string>();
  #isCut = false;
  /** Addresses in front, in the order of those behind. */
  addresses: readonly string[] = [];

  static async open(behind: readonly string[]): Promise<CutProxy> {
    const proxy = new CutProxy();
    for (const address of behind) {
      const server = createServer((near) => proxy.#pass(near, address)).listen(0, "127.0.0.1");
      await once(server, "listening");
      proxy.#servers.push(server);
    }
    proxy.addresses = proxy.#servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
    return proxy;
  }

  /** Addresses behind to which something is connected. */
  get inUse(): ReadonlySet<string> {
    return new Set(this.#sockets.values());
  }

  /** Nothing passes any more, in either direction; connections stay open and silent, as with a cable that is pulled out. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets.keys()) socket.pause();
  }

  /** What is open falls silent for good, as if the machine behind had lost its power. New connections pass. */
  silence(): void {
    for (const socket of this.#sockets.keys()) socket.pause();
  }

  /** Passes again what is said from now on. What was open while it was cut is broken. */
  mend(): void {
    this.#isCut = false;
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  #pass(near: Socket, address: string): void {
    const [host, port] = address.split(":");
    const far = connect({ host: host!, port: Number(port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.set(from, address);
      if (this.#isCut) from.pause();
      from.on("data", (chunk) => to.write(chunk));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
  }
}
