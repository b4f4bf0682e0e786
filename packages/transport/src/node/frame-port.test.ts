import { Duplex } from "node:stream";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { FramePort } from "./frame-port.ts";

function open() {
  const written: Buffer[] = [];
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      written.push(Buffer.from(chunk));
      done();
    },
  });
  const socket = { OPEN: 1, readyState: 1 };
  return { written, socket, port: new FramePort(socket as unknown as WebSocket, stream) };
}

/** Payload of an unmasked binary frame in one piece, by RFC 6455 §5.2. */
function payloadOf(frame: Buffer): Buffer {
  expect(frame[0]).toBe(0x82);
  const short = frame[1]!;
  const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
  const length = short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2));
  expect(frame.length).toBe(headBytes + length);
  return frame.subarray(headBytes);
}

describe("FramePort", () => {
  it.each([0, 1, 124, 125, 126, 65_534, 65_535, 70_000])("writes %i bytes as one frame in one piece", (length) => {
    const { written, port } = open();
    const bytes = Uint8Array.from({ length }, (_, i) => i % 251);
    port.send("unsequenced", bytes);
    expect(written).toHaveLength(1);
    const payload = payloadOf(written[0]!);
    expect(payload[0]).toBe(3);
    expect(payload.subarray(1).equals(bytes)).toBe(true);
  });

  it("keeps no hold of the bytes it was given", () => {
    const { written, port } = open();
    const bytes = Uint8Array.of(7, 8);
    port.send("reliable", bytes);
    bytes.fill(0);
    expect([...payloadOf(written[0]!)]).toEqual([1, 7, 8]);
  });

  it("writes nothing once the socket closes", () => {
    const { written, socket, port } = open();
    socket.readyState = 2;
    port.send("reliable", Uint8Array.of(1));
    expect(written).toEqual([]);
  });
});
