/** A web server on loopback whose TCP sockets are counted: both sides hang their own WebSocket server on it. */

import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { writtenWireBytes } from "@nearfield/transport/internal";
import type { Volume } from "./subject.ts";

export class CountedServer {
  readonly http: Server = createServer();
  readonly #sockets = new Set<Socket>();
  readonly #written: Written = { packets: 0, wire: 0 };
  #closed: Pick<Volume, "down" | "up"> = { down: 0, up: 0 };

  constructor() {
    this.http.on("connection", (socket) => {
      this.#sockets.add(socket);
      countWrites(socket, this.#written);
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
    return { ...sum, ...this.#written };
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

interface Written {
  packets: number;
  wire: number;
}

/** Counts each write as a packet. Chunks that are written while the socket is corked leave together when it is uncorked. */
function countWrites(socket: Socket, written: Written): void {
  let corked = 0;
  const leave = (bytes: number): void => {
    written.packets += 1;
    written.wire += writtenWireBytes(bytes);
  };
  const write = socket.write.bind(socket);
  const uncork = socket.uncork.bind(socket);
  socket.write = (chunk: Uint8Array | string, ...rest: never[]): boolean => {
    if (socket.writableCorked > 0) corked += chunk.length;
    else leave(chunk.length);
    return write(chunk, ...rest);
  };
  socket.uncork = (): void => {
    if (socket.writableCorked === 1 && corked > 0) {
      leave(corked);
      corked = 0;
    }
    uncork();
  };
}

function added(
  { down, up }: Pick<Volume, "down" | "up">,
  { bytesWritten, bytesRead }: Socket,
): Pick<Volume, "down" | "up"> {
  return { down: down + bytesWritten, up: up + bytesRead };
}
