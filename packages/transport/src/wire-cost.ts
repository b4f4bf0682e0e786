/**
 * What a message costs on the wire: its bytes and the headers that lie below us, by carrier and direction. All counters of wire bytes (`link.traffic`,
 * the server's telemetry, the inspector, the benchmarks) use this formula. `test/wire-cost.test.ts` checks it against the kernel's own counters.
 *
 * | carrier      | headers of one packet                                                                            |
 * | ------------ | ------------------------------------------------------------------------------------------------ |
 * | data channel | IP 20 + UDP 8 + DTLS 37 + SCTP 28 = 93; SCTP fills the message up to a multiple of 4 bytes        |
 * | WebSocket    | IP 20 + TCP 32 + TLS 22 + WebSocket 2 = 76; 78 above 125 bytes, 84 above 65,535; to the server 4 more, the mask |
 *
 * A message counts as a packet of its own, or as several where it is longer than a packet. Two messages that leave at the same moment may share a packet, since TCP and SCTP
 * put together what waits. The formula then says more than the wire carries, never less.
 *
 * What the formula leaves out: acknowledgements of TCP (52 bytes) and SCTP (93 bytes) that travel the other way, repeated packets, handshakes, IPv6 (20
 * bytes more), and a WebSocket without TLS (22 bytes less).
 */

import type { Channel } from "./link.ts";

/** What carries a message: a WebRTC data channel, or a WebSocket over TLS. */
export type Carrier = "datachannel" | "websocket";

export type Direction = "toClient" | "toServer";

/** RFC 791 without options, RFC 768. */
const IP_BYTES = 20;
const UDP_BYTES = 8;
/** DTLS 1.2 with AES-GCM: record header 13, nonce 8, tag 16. */
const DTLS_BYTES = 37;
/** RFC 9260: common header 12, header of a DATA chunk 16. */
const SCTP_BYTES = 28;
/** A chunk's length on the wire is a multiple of this. */
const SCTP_UNIT = 4;
/** With the timestamps that all systems send: 20 + 12. */
const TCP_BYTES = 32;
/** TLS 1.3: record header 5, content type 1, tag 16. */
const TLS_BYTES = 22;
/** The most bytes in one record of TLS. */
const TLS_RECORD_BYTES = 16_384;
/** What one segment of TCP carries where a packet has 1,500 bytes. */
const SEGMENT_BYTES: number = 1500 - IP_BYTES - TCP_BYTES;
/** RFC 6455 §5.2. Lengths up to 125 stand in the second byte; longer ones in two or eight bytes behind it. */
const MOST_SHORT = 125;
const MOST_MEDIUM = 0xffff;
const MASK_BYTES = 4;

/** Our own byte in front of each message, which says the channel; and the number of a "sequenced" message on a data channel. */
const CHANNEL_BYTES = 1;
const NUMBER_BYTES = 2;

/** Headers of one packet on a data channel. */
export const DATACHANNEL_HEADER_BYTES: number = IP_BYTES + UDP_BYTES + DTLS_BYTES + SCTP_BYTES;

/** Headers of one packet on a WebSocket that hold for every segment of TCP. */
const SEGMENT_HEADER_BYTES: number = IP_BYTES + TCP_BYTES;

/** What carries a channel of a link: "reliable" travels on the WebSocket, and so does everything where the link keeps all messages in order. */
export function carrierOf(channel: Channel, inOrder: boolean): Carrier {
  return inOrder || channel === "reliable" ? "websocket" : "datachannel";
}

/** The bytes that we hand to the carrier for a message: the message and our own framing. */
export function framedBytes(carrier: Carrier, channel: Channel, messageBytes: number): number {
  const isNumbered = carrier === "datachannel" && channel === "sequenced";
  return messageBytes + (isNumbered ? CHANNEL_BYTES + NUMBER_BYTES : CHANNEL_BYTES);
}

/** Packets that a framed message takes. One, unless it is longer than a segment of TCP; a data channel takes no message that is longer than a packet. */
export function wirePackets(carrier: Carrier, direction: Direction, framed: number): number {
  return carrier === "datachannel" ? 1 : Math.ceil(streamBytes(direction, framed) / SEGMENT_BYTES);
}

/** Bytes on the wire of a framed message, with all headers. */
export function wireBytes(carrier: Carrier, direction: Direction, framed: number): number {
  if (carrier === "datachannel") return DATACHANNEL_HEADER_BYTES + Math.ceil(framed / SCTP_UNIT) * SCTP_UNIT;
  return writtenWireBytes(framed + webSocketHeaderBytes(direction, framed));
}

/** Bytes on the wire of one write to a socket that carries WebSocket frames: what is written has WebSocket headers, but not those below. */
export function writtenWireBytes(written: number): number {
  const bytes = recordedBytes(written);
  return bytes + SEGMENT_HEADER_BYTES * Math.ceil(bytes / SEGMENT_BYTES);
}

/** Bytes that a framed message takes in the stream of TCP: with its WebSocket header, in records of TLS. */
function streamBytes(direction: Direction, framed: number): number {
  return recordedBytes(framed + webSocketHeaderBytes(direction, framed));
}

function recordedBytes(written: number): number {
  return written + TLS_BYTES * Math.ceil(written / TLS_RECORD_BYTES);
}

/** The header of a WebSocket frame with that many bytes in it. */
export function webSocketHeaderBytes(direction: Direction, framed: number): number {
  const length = framed <= MOST_SHORT ? 2 : framed <= MOST_MEDIUM ? 4 : 10;
  return direction === "toServer" ? length + MASK_BYTES : length;
}
