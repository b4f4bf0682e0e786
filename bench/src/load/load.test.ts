import { afterEach, beforeAll, expect, it } from "vitest";
import { prepareColyseus } from "../peers/colyseus.ts";
import { type Host, type IdleCrowd, until } from "../peers/subject.ts";
import { type LoadSubject, startCrowd, startHost } from "./load-process.ts";

/** An install over a slow network, ms. */
const INSTALL_MS = 240_000;
const CLIENTS = 5;
/** Enough for many acks; a client that sent none would be put out by then. */
const MESSAGES = 230;

beforeAll(prepareColyseus, INSTALL_MS);

let running: { host: Host; crowd: IdleCrowd } | undefined;
afterEach(async () => {
  await running?.crowd.close();
  await running?.host.close();
  running = undefined;
});

it.each<Omit<LoadSubject, "clients">>([
  { maker: "nearfield", world: "open" },
  { maker: "nearfield", world: "budgeted" },
  { maker: "nearfield", world: "short" },
  { maker: "nearfield", world: "spread" },
  { maker: "colyseus", world: "open" },
  { maker: "colyseus", world: "spread" },
])("clients that decode nothing join, are sent what is due, and stay: %j", async (form) => {
  const subject = { ...form, clients: CLIENTS };
  const host = await startHost(subject);
  const crowd = await startCrowd(subject, host.url);
  running = { host, crowd };
  let isIn = false;
  const joining = crowd.join(CLIENTS).finally(() => {
    isIn = true;
  });
  await until(() => {
    host.round(false);
    return isIn;
  }, "the clients to join");
  await joining;
  const before = crowd.messages;
  await until(() => {
    host.round(true);
    return crowd.messages >= before + CLIENTS * MESSAGES;
  }, "the messages of some rounds");
  expect(crowd.members).toBe(CLIENTS);
});
