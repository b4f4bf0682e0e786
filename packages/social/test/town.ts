/** A town on real sockets, with accounts over HTTP beside it: what a game's server looks like in a few lines. */
import { type Client, ClientError } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { zones } from "@nearfield/core";
import { object, Protocol, quantized } from "@nearfield/schema";
import { type NodeServer, serve } from "@nearfield/server/node";
import { MemoryStore, type Store } from "@nearfield/store/node";
import { SocialClient, socialMessages } from "../src/client/index.ts";
import { type NodeSocial, type OpenSocialOptions, openSocial } from "../src/node/index.ts";
import { PlainPasswords } from "./stand-ins.ts";

const place = quantized(0, 1000, 0.1);
export const Walker = object("walker", { x: place, y: place }, { position: ["x", "y"] });
export const townProtocol = new Protocol({ objects: [Walker], ...socialMessages });

export interface Town {
  readonly server: NodeServer;
  readonly social: NodeSocial;
  /** "http://127.0.0.1:…" */
  readonly site: string;
  readonly errors: unknown[];
  close(): Promise<void>;
}

export async function openTown(
  options: Partial<OpenSocialOptions> = {},
  store: Store = new MemoryStore(),
): Promise<Town> {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const social = openSocial({
    store,
    secret: "only for tests: thirty-two bytes or more",
    goods: { gold: "stack", gem: "stack", sword: "single" },
    passwords: new PlainPasswords(),
    onError,
    ...options,
  });
  const server = await serve({
    host: "127.0.0.1",
    onRequest: social.answerAccounts,
    protocol: townProtocol,
    view: zones(Walker, { radii: [100], bounds: [{ time: 0 }, { time: 500 }] }),
    roundMs: 10,
    udp: false,
    authenticate: social.authenticate,
    onError,
  });
  social.attach(server.main);
  server.onJoin((player) => player.pivotOn(server.world.spawn(Walker, { x: 500, y: 500 }, { owner: player.id })));
  const close = async (): Promise<void> => {
    await server.close();
    await store.close();
  };
  return { server, social, site: server.url.replace("ws", "http"), errors, close };
}

/** Sends a request for accounts. */
export async function post(
  site: string,
  what: string,
  body: unknown = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, string> }> {
  const response = await fetch(`${site}/accounts/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

export interface Citizen {
  readonly account: string;
  readonly token: string;
  readonly client: Client;
  readonly social: SocialClient;
}

/** Registers an account and walks into the town. */
export async function settleIn(town: Pick<Town, "site">, name: string): Promise<Citizen> {
  const { status, body } = await post(town.site, "register", { name, password: "a good password" });
  if (status !== 200) throw new Error(`register ${name}: ${JSON.stringify(body)}`);
  const { account, token } = body as { account: string; token: string };
  return { account, token, ...(await walkIn(town.site, name, token)) };
}

export async function walkIn(
  site: string,
  nickname: string,
  credentials: string,
  room?: string,
): Promise<{ client: Client; social: SocialClient }> {
  const url = site.replace("http", "ws");
  const where = room === undefined ? {} : { room };
  const client = await join(url, { protocol: townProtocol, nickname, credentials, udp: false, frameMs: 5, ...where });
  return { client, social: new SocialClient(client) };
}

/** The code with which a join is refused. */
export async function joinRefusal(site: string, credentials: string): Promise<string> {
  try {
    (await walkIn(site, "somebody", credentials)).client.leave();
    return "joined";
  } catch (error) {
    if (error instanceof ClientError) return error.code;
    throw error;
  }
}
