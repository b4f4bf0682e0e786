/**
 * One UDP port for the data channels of all clients of a server, so a firewall needs one rule. A packet belongs to the client whose name it
 * carries: ICE's user fragment, which the server gave that client. A server sends nothing to an address that has not sent a packet with that name
 * first. Addresses that a client claims for itself are used only if the server itself stands behind a NAT, that is, if `iceServers` are given.
 *
 * Invariant: at most `maxPeers` peer connections exist, at most one for each link; they end with their links.
 */

import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import type { IceUdpMuxListener } from "node-datachannel";
import { requireWhole } from "../limits.ts";
import { TransportError } from "../link.ts";
import type { DataChannelLink, DataChannelSettings } from "../webrtc/datachannel-link.ts";
import { type Candidate, hostPriority, isAddress } from "../webrtc/description.ts";
import type { OpenPeer, Peer } from "../webrtc/peer.ts";
import { type IceServer, isIceServer, MAX_ICE_SERVERS } from "../webrtc/signal.ts";
import { BEAT_MS } from "../webrtc/udp-path.ts";
import { type DataChannelLibrary, HOW_TO_GET_IT, loadDataChannel } from "./load-datachannel.ts";
import { NodePeer } from "./node-peer.ts";
import { nodeTimers, nowOf, type Timers } from "./timers.ts";

export interface UdpOptions {
  /** The UDP port; 0, the default: any free one. Give it a number where a firewall has to let it through. */
  readonly port?: number;
  /** Interface to bind. Default: all. */
  readonly host?: string;
  /**
   * Addresses under which clients reach this port, for a server whose own are private: the outer address of a cloud machine or container host.
   * Default: the address at which the client's WebSocket arrived, and those of this machine.
   */
  readonly announce?: readonly string[];
  /** STUN and TURN servers, for this side and, as they are told, for clients. Default: none. At most 4. */
  readonly iceServers?: readonly IceServer[];
  /** Clients that may have a data channel at once; the others stay on WebSocket. Default 10,000. */
  readonly maxPeers?: number;
  /** Default: Node's, which keep no process alive. */
  readonly timers?: Timers;
}

export class UdpPort {
  readonly port: number;
  readonly #library: DataChannelLibrary;
  readonly #mux: IceUdpMuxListener;
  readonly #host: string | undefined;
  readonly #announce: readonly string[] | undefined;
  readonly #iceServers: readonly IceServer[];
  readonly #maxPeers: number;
  readonly #timers: Timers;
  readonly #links: Map<string, DataChannelLink> = new Map();
  readonly #stopBeating: () => void;
  #peers = 0;
  #isClosed = false;

  private constructor(library: DataChannelLibrary, port: number, host: string | undefined, options: UdpOptions) {
    this.#library = library;
    this.#host = host;
    this.#announce = options.announce;
    this.#iceServers = options.iceServers ?? [];
    this.#maxPeers = options.maxPeers ?? 10_000;
    this.#timers = options.timers ?? nodeTimers;
    this.port = port;
    this.#mux = new library.IceUdpMuxListener(port, host);
    this.#stopBeating = this.#timers.every(BEAT_MS, () => {
      for (const link of this.#links.values()) link.tick();
    });
  }

  /**
   * Binds the port. Rejects with `TransportError`: "no-webrtc" where node-datachannel is not installed, "listen-failed" where the port is
   * taken, "bad-option".
   */
  static async open(options: UdpOptions = {}): Promise<UdpPort> {
    checkOptions(options);
    const library = await loadDataChannel();
    if (library === undefined) throw new TransportError("no-webrtc", HOW_TO_GET_IT);
    const host = options.host === undefined ? undefined : (await lookup(options.host)).address;
    const port = await freePort(options.port ?? 0, host);
    return new UdpPort(library, port, host, options);
  }

  /** Clients that have a data channel, or are about to. */
  get peers(): number {
    return this.#peers;
  }

  /**
   * For tests and demonstrations: drops everything on the data channel of this client, both ways and silently, until `restore`. Its link goes on
   * over the WebSocket within 3 s. Counts for this one link; after a reconnection the client has another address.
   *
   * @param address of the link, as in `player.address`
   * @returns false where there is no such link
   */
  cut(address: string): boolean {
    return this.#setCut(address, true);
  }

  restore(address: string): boolean {
    return this.#setCut(address, false);
  }

  /** Lets the port go. Links that are open stay, on their WebSocket. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stopBeating();
    for (const link of this.#links.values()) link.leavePath();
    this.#links.clear();
    this.#mux.stop();
  }

  /** How links that came over a WebSocket to `localAddress` get a data channel from here. */
  settingsFor(address: string, localAddress: string | undefined): DataChannelSettings {
    return {
      role: "answers",
      openPeer: (request, events) => this.#openPeer(request, events, localAddress),
      iceServers: this.#iceServers,
      now: nowOf(this.#timers),
      onGone: () => this.#links.delete(address),
    };
  }

  /** Beats for a link made with `settingsFor`. */
  add(link: DataChannelLink): void {
    if (link.closeReason === undefined && !this.#isClosed) this.#links.set(link.address, link);
  }

  #setCut(address: string, isCut: boolean): boolean {
    const link = this.#links.get(address);
    if (link !== undefined) link.isCut = isCut;
    return link !== undefined;
  }

  #openPeer(...[request, events, localAddress]: [...Parameters<OpenPeer>, string | undefined]): Peer | string {
    if (this.#isClosed) return "closed";
    if (this.#peers >= this.#maxPeers) return "full";
    const isBehindNat = this.#iceServers.length > 0;
    const offer = request.offer === undefined || isBehindNat ? request.offer : { ...request.offer, candidates: [] };
    try {
      const peer = new NodePeer({
        library: this.#library,
        timers: this.#timers,
        request: { offer, iceServers: this.#iceServers },
        events,
        ...(this.#host !== undefined && { host: this.#host }),
        sharedPort: this.port,
        announce: (found) => this.#candidates(found, localAddress),
      });
      this.#peers += 1;
      return new CountedPeer(peer, () => {
        this.#peers -= 1;
      });
    } catch {
      return "failed";
    }
  }

  /** Where a client finds this port: first where it has found the WebSocket. */
  #candidates(found: readonly Candidate[], localAddress: string | undefined): readonly Candidate[] {
    const own = this.#announce ?? (localAddress === undefined ? [] : [localAddress.replace(/^::ffff:(?=\d+\.)/, "")]);
    const first = own.filter(isAddress).map((address, index): Candidate => {
      return { address, port: this.port, type: "host", priority: hostPriority(index) };
    });
    const others = found.filter(({ address, type }) =>
      this.#announce === undefined ? !own.includes(address) : type !== "host",
    );
    return [...first, ...others].slice(0, 8);
  }
}

/** A peer that is counted until it is closed. */
class CountedPeer implements Peer {
  readonly #peer: Peer;
  #onClose: (() => void) | undefined;

  constructor(peer: Peer, onClose: () => void) {
    this.#peer = peer;
    this.#onClose = onClose;
  }

  get bufferedAmount(): number {
    return this.#peer.bufferedAmount;
  }

  accept(...[answer]: Parameters<Peer["accept"]>): void {
    this.#peer.accept(answer);
  }

  send(frame: Uint8Array<ArrayBuffer>): void {
    this.#peer.send(frame);
  }

  close(): void {
    this.#peer.close();
    this.#onClose?.();
    this.#onClose = undefined;
  }
}

/** The library binds a given port; so a free one is found first, and a taken one is noticed. */
async function freePort(wanted: number, host: string | undefined): Promise<number> {
  const socket = createSocket(host?.includes(":") === true ? "udp6" : "udp4");
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind({ port: wanted, ...(host !== undefined && { address: host }), exclusive: true }, resolve);
    });
    return socket.address().port;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TransportError("listen-failed", `UDP port ${wanted}: ${why}`, { cause });
  } finally {
    socket.close();
  }
}

function checkOptions({ port, maxPeers, announce = [], iceServers = [] }: UdpOptions): void {
  requireWhole("udp.port", port ?? 0, 0);
  requireWhole("udp.maxPeers", maxPeers ?? 1, 1);
  const wrong = announce.find((address) => !isAddress(address));
  if (wrong !== undefined) {
    throw new TransportError("bad-option", `udp.announce has "${wrong}", but must have IPv4 or IPv6 addresses`);
  }
  const badServer = iceServers.find((server) => !isIceServer(server));
  if (badServer !== undefined || iceServers.length > MAX_ICE_SERVERS) {
    const rule = `at most ${MAX_ICE_SERVERS} of { url: "stun:host:port" } or { url: "turn:host:port", username, credential }`;
    throw new TransportError("bad-option", `udp.iceServers is ${JSON.stringify(iceServers)}, but must have ${rule}`);
  }
}
