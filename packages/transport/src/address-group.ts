/**
 * Groups addresses for limits that count by address: a group is one IPv4 address, or one /64 network of IPv6, since whoever has one address of
 * such a network has all of them.
 */

/** @param host an address without a port. A text that is not an IP address is a group of its own. */
export function addressGroup(host: string): string {
  if (!host.includes(":")) return host;
  const [front = "", back] = host.toLowerCase().replace(/%.*$/, "").split("::");
  const head = front === "" ? [] : front.split(":");
  const tail = back === undefined || back === "" ? [] : back.split(":");
  const zeros = back === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const words = [...head, ...Array.from({ length: zeros }, () => "0"), ...tail];
  return `${words
    .slice(0, 4)
    .map((word) => word.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

/**
 * The host of a link's address, without its port; undefined for what is not of a network, such as "memory:3".
 *
 * @param address as links tell it: "203.0.113.7:5123", "[2001:db8::1]:5123".
 */
export function hostOf(address: string): string | undefined {
  return /^(\d+(?:\.\d+){3})(?::\d+)?$/.exec(address)?.[1] ?? /^\[([\da-fA-F:.%\w]+)\](?::\d+)?$/.exec(address)?.[1];
}
