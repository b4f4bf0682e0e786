/**
 * What one side of a WebRTC connection has to know of the other, as fields instead of SDP: who it is (certificate fingerprint), how to
 * recognise its packets (ufrag, pwd) and where it may be reached (candidates). The side that makes a session description sends it as fields. The
 * other side checks each field and builds SDP from them, so no text of a peer reaches an SDP parser.
 */

/** Most candidates of a description; a machine has a few. */
export const MAX_CANDIDATES = 16;
/** The largest message that either side may send on the channel, as told to the other. */
const MAX_MESSAGE_BYTES = 2048;

/** One place where a side may be reached over UDP. */
export interface Candidate {
  /** IPv4 or IPv6, never a name: nobody is made to look one up. */
  readonly address: string;
  readonly port: number;
  readonly type: "host" | "srflx" | "prflx" | "relay";
  readonly priority: number;
}

export interface Description {
  readonly ufrag: string;
  readonly pwd: string;
  /** SHA-256 of the certificate: 32 bytes in hexadecimal with colons. */
  readonly fingerprint: string;
  readonly candidates: readonly Candidate[];
}

const ICE_CHARACTERS = /^[A-Za-z0-9+/]+$/;
const FINGERPRINT = /^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|(?=[^:]*:[^:]*:)[0-9A-Fa-f:.]{2,45})$/;
const CANDIDATE = /^a=candidate:\S+ 1 udp (\d+) (\S+) (\d+) typ (\w+)/i;
const TYPES: readonly string[] = ["host", "srflx", "prflx", "relay"];

/** Takes a session description apart; undefined where it is none of a data channel. Candidates that are names are left out. */
export function readSdp(sdp: string): Description | undefined {
  const candidates: Candidate[] = [];
  for (const line of sdp.split(/\r?\n/)) {
    const candidate = readCandidate(line);
    if (candidate !== undefined && candidates.length < MAX_CANDIDATES) candidates.push(candidate);
  }
  return checkDescription({
    ufrag: attribute(sdp, "ice-ufrag"),
    pwd: attribute(sdp, "ice-pwd"),
    fingerprint: attribute(sdp, "fingerprint")
      ?.replace(/^sha-256 /i, "")
      .toUpperCase(),
    candidates,
  });
}

/** The media section's name in a description of this side, which the other side's must repeat. */
export function midOf(sdp: string): string {
  return attribute(sdp, "mid") ?? "0";
}

/** Puts a session description of the other side together. */
export function writeSdp(description: Description, type: "offer" | "answer", mid = "0"): string {
  const { ufrag, pwd, fingerprint, candidates } = description;
  return [
    "v=0",
    "o=- 1 1 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    `a=group:BUNDLE ${mid}`,
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    `a=mid:${mid}`,
    // The answering side begins the handshake.
    `a=setup:${type === "offer" ? "actpass" : "active"}`,
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    "a=sctp-port:5000",
    `a=max-message-size:${MAX_MESSAGE_BYTES}`,
    ...candidates.map(writeCandidate),
    "",
  ].join("\r\n");
}

/** The value as a description, or undefined where any field is not what it must be. */
export function checkDescription(value: unknown): Description | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { ufrag, pwd, fingerprint, candidates } = value as Partial<Record<keyof Description, unknown>>;
  if (!isIceText(ufrag, 4) || !isIceText(pwd, 22)) return undefined;
  if (typeof fingerprint !== "string" || !FINGERPRINT.test(fingerprint)) return undefined;
  if (!Array.isArray(candidates) || candidates.length > MAX_CANDIDATES || !candidates.every(isCandidate))
    return undefined;
  return { ufrag, pwd, fingerprint, candidates };
}

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

/** Priority of a place that is this machine's own (RFC 8445 §5.1.2.1), the first before the second. */
export function hostPriority(index: number): number {
  return 126 * 2 ** 24 + (0xffff - index) * 2 ** 8 + 255;
}

function attribute(sdp: string, name: string): string | undefined {
  return new RegExp(`^a=${name}:(.*?)\\r?$`, "m").exec(sdp)?.[1];
}

function isIceText(value: unknown, least: number): value is string {
  return typeof value === "string" && value.length >= least && value.length <= 256 && ICE_CHARACTERS.test(value);
}

function isCandidate(value: unknown): value is Candidate {
  if (typeof value !== "object" || value === null) return false;
  const { address, port, type, priority } = value as Partial<Record<keyof Candidate, unknown>>;
  return (
    typeof address === "string" &&
    isAddress(address) &&
    isWhole(port, 1, 0xffff) &&
    typeof type === "string" &&
    TYPES.includes(type) &&
    isWhole(priority, 0, 0xffffffff)
  );
}

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

function readCandidate(line: string): Candidate | undefined {
  const [, priority, address, port, type] = CANDIDATE.exec(line) ?? [];
  const candidate = { address, port: Number(port), type, priority: Number(priority) };
  return isCandidate(candidate) ? candidate : undefined;
}

function writeCandidate({ address, port, type, priority }: Candidate, index: number): string {
  const base = `a=candidate:${index + 1} 1 udp ${priority} ${address} ${port} typ ${type}`;
  // The grammar wants to know what a mapped place is mapped from; nobody uses it.
  return type === "host" ? base : `${base} raddr 0.0.0.0 rport 0`;
}
