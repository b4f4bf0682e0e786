/**
 * Accounts over HTTP, beside the game: a page logs in before it joins, so that passwords never travel through the game's session. Each request is
 * a POST of a small JSON body to `/accounts/login` and the like, and answers JSON: the login with its token, or `{ refused, detail }`.
 *
 * A body must be sent as `application/json`, which a foreign page cannot do without asking first, and the origin must be the page's own or a listed one.
 * Tokens travel in the `Authorization` header and in no cookie, so a foreign page has nothing to ride on.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { addressGroup } from "@nearfield/server/internal";
import { type Accounts, type Reader, type RefusalCode, record, SocialError, textUpTo } from "../internal/index.ts";

export interface AccountRequestsOptions {
  /** Where the requests are. Default "/accounts". */
  readonly path?: string;
  /** Pages of other origins that may log in: "https://game.example". Default: none, only pages of the same host. */
  readonly origins?: readonly string[];
  /**
   * The address that limits count by. Default: the socket's. Behind a proxy: `new TrustedProxies([…]).addressOf` of
   * @nearfield/transport/node, else all players share the proxy's limits.
   */
  readonly addressOf?: (request: IncomingMessage) => string;
}

interface Asked {
  readonly address: string;
  readonly token: string;
  readonly body: unknown;
}

type Act = (accounts: Accounts, asked: Asked) => Promise<unknown>;

const MOST_BODY_BYTES = 2048;
/** A body that does not arrive within this time ends its request. */
const BODY_MS = 10_000;
const text = textUpTo(1000);
const named = record({ name: text, password: text });
const passwordOnly = record({ password: text });

const acts: Readonly<Record<string, Act>> = {
  register: (accounts, { body, address }) => {
    const { name, password } = read(named, body);
    return accounts.register(name, password, address);
  },
  login: (accounts, { body, address }) => {
    const { name, password } = read(named, body);
    return accounts.logIn(name, password, address);
  },
  guest: (accounts, { address }) => accounts.guest(address),
  claim: (accounts, { body, token }) => {
    const { name, password } = read(named, body);
    return accounts.claim(token, name, password);
  },
  renew: (accounts, { token }) => accounts.renew(token),
  password: (accounts, { body, token, address }) => {
    const { password, next } = read(record({ password: text, next: text }), body);
    return accounts.changePassword(token, password, next, address);
  },
  remove: async (accounts, { body, token, address }) => {
    await accounts.remove(token, read(passwordOnly, body).password, address);
    return {};
  },
};

const statusOf: Partial<Record<RefusalCode, number>> = {
  credentials: 401,
  expired: 401,
  throttled: 429,
  busy: 503,
  failed: 500,
  "name-taken": 409,
};

/**
 * Makes a function that answers requests for accounts. It returns false for any other request, so that it stands before your own:
 * `if (answerAccounts(request, response)) return;`
 */
export function accountRequests(
  accounts: Accounts,
  options: AccountRequestsOptions = {},
  onError: (error: unknown, where: string) => void = () => {},
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const { path = "/accounts", origins = [], addressOf = socketAddress } = options;
  return (request, response) => {
    const [asked = "/"] = (request.url ?? "/").split(/[?#]/, 1);
    if (!asked.startsWith(`${path}/`)) return false;
    const name = asked.slice(path.length + 1);
    const act = Object.hasOwn(acts, name) ? acts[name] : undefined;
    const answer = async (): Promise<void> => {
      const origin = allowedOrigin(request, origins);
      if (origin !== undefined) allow(response, origin);
      if (request.method === "OPTIONS") return end(response, 204, undefined);
      if (act === undefined) throw new SocialError("bad-request", `there is no ${path}/${name.slice(0, 40)}`);
      if (request.method !== "POST") throw new SocialError("bad-request", "send a POST");
      const body = await readBody(request);
      const [, token = ""] = /^Bearer (\S{1,3000})$/.exec(request.headers.authorization ?? "") ?? [];
      end(response, 200, await act(accounts, { address: addressGroup(addressOf(request)), token, body }));
    };
    answer().catch((error: unknown) => {
      if (!(error instanceof SocialError)) onError(error, `${path}/${name}`);
      const { code, message } = error instanceof SocialError ? error : FAILED;
      end(response, statusOf[code] ?? 400, { refused: code, detail: message });
    });
    return true;
  };
}

const FAILED = new SocialError("failed", "the server could not do this; try again later");

function read<Value>(reader: Reader<Value>, body: unknown): Value {
  return reader(body, "body");
}

/** The origin, if it may ask. Throws if it may not. Undefined outside of browsers, which send none. */
function allowedOrigin({ headers }: IncomingMessage, origins: readonly string[]): string | undefined {
  const { origin, host } = headers;
  if (origin === undefined) return undefined;
  if (origins.includes(origin) || (URL.canParse(origin) && new URL(origin).host === host)) return origin;
  throw new SocialError("bad-request", "pages of this origin may not log in here");
}

function allow(response: ServerResponse, origin: string): void {
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Allow-Headers", "Authorization, Content-Type");
  response.setHeader("Access-Control-Allow-Methods", "POST");
  response.setHeader("Vary", "Origin");
}

/** Reads a body, and no more than is allowed. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const [type] = (request.headers["content-type"] ?? "").split(";", 1);
  if (type!.trim().toLowerCase() !== "application/json")
    throw new SocialError("bad-request", "the body must be application/json");
  const timer = setTimeout(() => request.destroy(), BODY_MS);
  try {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length;
      if (length > MOST_BODY_BYTES) throw new SocialError("bad-request", `a body has at most ${MOST_BODY_BYTES} bytes`);
      parts.push(part);
    }
    return JSON.parse(Buffer.concat(parts).toString("utf8") || "{}");
  } catch (error) {
    if (error instanceof SyntaxError) throw new SocialError("bad-request", "the body is no JSON");
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function end(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const text = body === undefined ? "" : JSON.stringify(body);
  response.writeHead(status, {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Content-Length": Buffer.byteLength(text),
    // What was not read of a refused body ends with its connection.
    ...(status !== 200 && status !== 204 && { Connection: "close" }),
  });
  response.end(text);
}

function socketAddress(request: IncomingMessage): string {
  return (request.socket.remoteAddress ?? "unknown").replace(/^::ffff:(?=\d+\.)/, "");
}
