/**
 * Tells from which address a request comes: its remote address or, if that is a trusted proxy, the address that the proxy names in a header.
 * Anybody can write that header, so it is believed only from listed addresses.
 */

import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { TransportError } from "../link.ts";

export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #isEmpty: boolean;

  /** @param proxies addresses and networks: "10.0.0.7", "10.0.0.0/8", "::1". Throws `TransportError("bad-option")`. */
  constructor(proxies: readonly string[] = []) {
    this.#isEmpty = proxies.length === 0;
    for (const proxy of proxies) this.#add(proxy);
  }

  /** The peer's address, without a port. "unknown" for a socket that is gone. */
  addressOf(request: IncomingMessage): string {
    let address = plain(request.socket.remoteAddress ?? "unknown");
    if (this.#isEmpty || !this.#trusts(address)) return address;
    // Each proxy appends whom it heard from: read from the end, up to the first that is nobody we trust.
    const named = [request.headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
    for (const name of named.reverse()) {
      const next = plain(
        name
          .trim()
          .replace(/^\[(.*)\](:\d+)?$/, "$1")
          .replace(/^([\d.]+):\d+$/, "$1"),
      );
      if (isIP(next) === 0) return address;
      address = next;
      if (!this.#trusts(address)) return address;
    }
    return address;
  }

  /** Whether a request was passed on by a proxy that is not trusted: then many may share its address. */
  isForwarded(request: IncomingMessage): boolean {
    return request.headers["x-forwarded-for"] !== undefined && !this.#trusts(plain(request.socket.remoteAddress ?? ""));
  }

  #trusts(address: string): boolean {
    const kind = isIP(address);
    return kind !== 0 && this.#list.check(address, kind === 6 ? "ipv6" : "ipv4");
  }

  #add(proxy: string): void {
    const [address = "", bits] = proxy.split("/");
    const kind = isIP(address);
    const prefix = Number(bits);
    const isFine = kind !== 0 && (bits === undefined || (Number.isInteger(prefix) && prefix >= 0 && bits !== ""));
    if (!isFine || prefix > (kind === 6 ? 128 : 32)) {
      const rule = `must be an IP address, or a network like "10.0.0.0/8"`;
      throw new TransportError("bad-option", `trustedProxies has "${proxy}", but ${rule}`);
    }
    const family = kind === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) this.#list.addAddress(address, family);
    else this.#list.addSubnet(address, prefix, family);
  }
}

/** IPv4 in its own form where a socket of both kinds tells it in that of IPv6. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
