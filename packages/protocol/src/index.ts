/**
 * The messages between server and client, frames and acks among them, and the stream that makes reliable messages
 * outlive a link.
 */

// Messages

export type { ReasonCode } from "./reasons.ts";
