/**
 * Clients of Colyseus that read nothing: each asks for a seat over HTTP, takes it over a WebSocket, answers the one message that makes it a
 * member, and from then on counts messages. The SDK would decode every patch.
 */

import type { IdleCrowd } from "@nearfield/bench/peers";
import { WebSocket } from "ws";
import { ROOM } from "./walkers.ts";

/** `Protocol.JOIN_ROOM` of Colyseus: the server's first message on a seat's socket, and the client's answer to it. */
const JOIN_ROOM = 10;
/** Clients that ask for a seat at once. */
const AT_ONCE = 20;

interface Seat {
  readonly sessionId: string;
  readonly processId: string;
  readonly roomId: string;
}

export class ColyseusIdleCrowd implements IdleCrowd {
  messages = 0;
  readonly #url: string;
  readonly #sockets: WebSocket[] = [];

  constructor(url: string) {
    this.#url = url;
  }

  get members(): number {
    return this.#sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
  }

  async join(count: number): Promise<void> {
    const end = this.#sockets.length + count;
    while (this.#sockets.length < end) {
      const from = this.#sockets.length;
      const numbers = Array.from({ length: Math.min(AT_ONCE, end - from) }, (_, index) => from + index);
      this.#sockets.push(...(await Promise.all(numbers.map((number) => this.#joinOne(number)))));
    }
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
  }

  async #joinOne(number: number): Promise<WebSocket> {
    const answer = await fetch(`${this.#url}/matchmake/join/${ROOM}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ number }),
    });
    const seat = (await answer.json()) as Seat;
    if (!answer.ok) throw new Error(`no seat for client ${number}: ${JSON.stringify(seat)}`);
    const address = `${this.#url.replace(/^http/, "ws")}/${seat.processId}/${seat.roomId}?sessionId=${seat.sessionId}`;
    const socket = new WebSocket(address, { perMessageDeflate: false });
    return new Promise((resolve, reject) => {
      socket.on("error", reject);
      socket.on("close", (code) => reject(new Error(`client ${number} was put out with code ${code}`)));
      socket.on("message", (data: Buffer) => {
        this.messages += 1;
        if (data[0] !== JOIN_ROOM) return;
        socket.send(new Uint8Array([JOIN_ROOM]));
        resolve(socket);
      });
    });
  }
}
