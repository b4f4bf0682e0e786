/** A web server on loopback whose TCP sockets are counted: both sides hang their own WebSocket server on it. */

import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Volume } from "./subject.ts";

export class CountedServer {
  readonly http: Server = createServer();
  readonly #sockets = new Set<Socket>();
  #closed: Volume = { down: 0, up: 0 };

  constructor() {
    this.http.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => {
        this.#sockets.delete(socket);
        this.#closed = added(this.#closed, socket);
      });
    });
  }

  get port(): number {
    return (this.http.address() as AddressInfo).port;
  }

  /** All bytes since the start. */
  volume(): Volume {
    let sum = this.#closed;
    for (const socket of this.#sockets) sum = added(sum, socket);
    return sum;
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.http.once("error", reject);
      this.http.listen(0, "127.0.0.1", resolve);
    });
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => {
      this.http.close(() => resolve());
    });
  }
}

function added({ down, up }: Volume, { bytesWritten, bytesRead }: Socket): Volume {
  return { down: down + bytesWritten, up: up + bytesRead };
}
