/**
 * Loads `node-datachannel`, which is an optional dependency. If it has no binary for the machine, or the installation leaves optional
 * packages out, links stay on their WebSocket.
 */

export type DataChannelLibrary = typeof import("node-datachannel");

/** What to tell whoever wanted it. */
export const HOW_TO_GET_IT =
  "node-datachannel is not installed, so links stay on WebSocket: `npm install node-datachannel`, or `udp: false` to be content";

/**
 * Bytes that SCTP holds per channel until they are acknowledged. What waits there no longer counts as backlog, so it is kept short: 32 KiB
 * are 160 kB/s over a round trip of 200 ms. A setting of the whole process; the library's own is 1 MiB.
 */
const SEND_BUFFER_BYTES = 32 * 1024;

/** Undefined where it is not installed, or has no binary for this machine. */
export async function loadDataChannel(): Promise<DataChannelLibrary | undefined> {
  try {
    const library = await import("node-datachannel");
    library.setSctpSettings({ sendBufferSize: SEND_BUFFER_BYTES });
    return library;
  } catch {
    return undefined;
  }
}
