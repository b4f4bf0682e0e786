/**
 * Certificates for the machines of one cluster: an authority that is made for it, and signs one for each machine. Whoever has none of these is turned
 * away before it has said a word. Written by hand, since Node can read certificates but not make them; X.509 v3 in DER, ECDSA on P-256.
 */
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** @typedef {{ cert: string, key: string }} Identity a certificate and its private key, as PEM */

const DAY_MS = 24 * 60 * 60 * 1000;
/** A machine's clock may be wrong by so much. */
const SLACK_MS = DAY_MS;
const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const COMMON_NAME = "550403";
const BASIC_CONSTRAINTS = "551d13";
const KEY_USAGE = "551d0f";
const EXTENDED_KEY_USAGE = "551d25";
const ALTERNATIVE_NAMES = "551d11";
const SERVER_AND_CLIENT = ["2b06010505070301", "2b06010505070302"];

export class Authority {
  #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  #name;
  #days;
  /** The authority's own certificate, as PEM: what everybody believes. */
  certificate;

  /** @param {string} name @param {{ days?: number }} [options] days: how long its certificates count, default 30 */
  constructor(name, { days = 30 } = {}) {
    this.#name = name;
    this.#days = days;
    const extensions = [
      extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.from([0xff]))), true),
      // To sign certificates, and for nothing else.
      extension(KEY_USAGE, der(0x03, Buffer.from([2, 0x04])), true),
    ];
    this.certificate = this.#certificate(name, this.#keys.publicKey, extensions);
  }

  /**
   * A certificate for a machine, that it shows to those it calls and to those who call it.
   *
   * @param {string} name
   * @param {readonly string[]} addresses under which it is reached: names, or IPv4 addresses
   * @returns {Identity}
   */
  identity(name, addresses) {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const names = addresses.map((address) =>
      /^[\d.]+$/.test(address)
        ? der(0x87, Buffer.from(address.split(".").map(Number)))
        : der(0x82, Buffer.from(address, "ascii")),
    );
    const cert = this.#certificate(name, publicKey, [
      extension(EXTENDED_KEY_USAGE, sequence(...SERVER_AND_CLIENT.map(identifier))),
      extension(ALTERNATIVE_NAMES, sequence(...names)),
    ]);
    return { cert, key: /** @type {string} */ (privateKey.export({ type: "pkcs8", format: "pem" })) };
  }

  /** @param {string} subject @param {import("node:crypto").KeyObject} publicKey @param {readonly Buffer[]} extensions */
  #certificate(subject, publicKey, extensions) {
    const algorithm = sequence(identifier(ECDSA_WITH_SHA256));
    const now = Date.now();
    const content = sequence(
      der(0xa0, der(0x02, Buffer.from([2]))),
      // Never negative.
      der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
      algorithm,
      named(this.#name),
      sequence(time(now - SLACK_MS), time(now + this.#days * DAY_MS)),
      named(subject),
      publicKey.export({ type: "spki", format: "der" }),
      der(0xa3, sequence(...extensions)),
    );
    const signature = sign("sha256", content, this.#keys.privateKey);
    return pem(sequence(content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature]))));
  }
}

/** A value with its tag and length. @param {number} tag @param {...Uint8Array} contents */
function der(tag, ...contents) {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...bytes]), content]);
}

/** @param {...Uint8Array} contents */
function sequence(...contents) {
  return der(0x30, ...contents);
}

/** An object identifier, from its bytes as hex. @param {string} hex */
function identifier(hex) {
  return der(0x06, Buffer.from(hex, "hex"));
}

/** @param {string} name */
function named(name) {
  return sequence(der(0x31, sequence(identifier(COMMON_NAME), der(0x0c, Buffer.from(name, "utf8")))));
}

/** @param {number} ms since 1970 */
function time(ms) {
  const text = new Date(ms).toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return der(0x17, Buffer.from(`${text}Z`, "ascii"));
}

/** @param {string} hex @param {Uint8Array} value @param {boolean} [isCritical] */
function extension(hex, value, isCritical = false) {
  const critical = isCritical ? [der(0x01, Buffer.from([0xff]))] : [];
  return sequence(identifier(hex), ...critical, der(0x04, value));
}

/** @param {Uint8Array} content */
function pem(content) {
  const lines =
    Buffer.from(content)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
