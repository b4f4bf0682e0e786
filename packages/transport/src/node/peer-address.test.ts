import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { addressGroup, hostOf } from "../address-group.ts";
import { TrustedProxies } from "./peer-address.ts";

function request(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
}

describe("the address of a peer", () => {
  const proxies = new TrustedProxies(["10.0.0.0/8", "::1", "127.0.0.1"]);

  it.each([
    ["192.0.2.1", undefined, "192.0.2.1"],
    ["192.0.2.1", "203.0.113.1", "192.0.2.1"],
    ["::ffff:127.0.0.1", "203.0.113.1", "203.0.113.1"],
    ["127.0.0.1", undefined, "127.0.0.1"],
    ["127.0.0.1", "", "127.0.0.1"],
    ["127.0.0.1", "nonsense", "127.0.0.1"],
    ["127.0.0.1", "198.51.100.1, 203.0.113.1", "203.0.113.1"],
    ["127.0.0.1", "203.0.113.1, 10.1.2.3", "203.0.113.1"],
    ["127.0.0.1", "203.0.113.1:4711", "203.0.113.1"],
    ["::1", "[2001:db8::7]:4711", "2001:db8::7"],
    ["10.9.9.9", "10.1.1.1, 10.2.2.2", "10.1.1.1"],
    [undefined, "203.0.113.1", "unknown"],
  ])("%s with %j is %s", (remote, forwarded, expected) => {
    expect(proxies.addressOf(request(remote, forwarded))).toBe(expected);
  });

  it.each(["proxy", "10.0.0.0/33", "10.0.0.0/", "::1/129", "", "10.0.0.0/-1"])("refuses to trust %j", (proxy) => {
    expect(() => new TrustedProxies([proxy])).toThrow(/trustedProxies has/);
  });

  it("tells of a proxy that is not trusted", () => {
    expect(proxies.isForwarded(request("192.0.2.1", "203.0.113.1"))).toBe(true);
    expect(proxies.isForwarded(request("10.0.0.1", "203.0.113.1"))).toBe(false);
    expect(proxies.isForwarded(request("192.0.2.1"))).toBe(false);
  });
});

describe("who counts as one", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:ffff::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["unknown", "unknown"],
  ])("%s is of %s", (host, group) => {
    expect(addressGroup(host)).toBe(group);
  });

  it.each([
    ["203.0.113.7:5123", "203.0.113.7"],
    ["[2001:db8::1]:5123", "2001:db8::1"],
    ["memory:3", undefined],
    ["local", undefined],
  ])("%s has the host %s", (address, host) => {
    expect(hostOf(address)).toBe(host);
  });
});
