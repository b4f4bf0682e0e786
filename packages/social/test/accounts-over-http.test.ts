/** Accounts as a page uses them: over HTTP, then with the token into the game. With argon2id and signed tokens, over real sockets. */
import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { argonPasswords } from "../src/node/passwords.ts";
import { joinRefusal, openTown, post, settleIn, type Town, walkIn } from "./town.ts";

let town: Town;
afterEach(() => town.close());

describe("a page", () => {
  it("registers, joins with the token, changes its password and is sent away with its old token", async () => {
    town = await openTown({
      passwords: argonPasswords({ algorithm: 2, memoryCost: 1024, timeCost: 1, parallelism: 1 }),
    });
    const ann = await settleIn(town, "Ann");
    expect(await ann.social.ask("me", {})).toEqual({ account: ann.account, name: "Ann", isGuest: false });
    expect((await post(town.site, "login", { name: "ann", password: "a good password" })).body["account"]).toBe(
      ann.account,
    );
    expect(await post(town.site, "login", { name: "ann", password: "a bad password" })).toMatchObject({
      status: 401,
      body: { refused: "credentials" },
    });
    const bearer = { Authorization: `Bearer ${ann.token}` };
    const changed = await post(
      town.site,
      "password",
      { password: "a good password", next: "a better password" },
      bearer,
    );
    expect(changed.status).toBe(200);
    await expect.poll(() => ann.client.state, { interval: 5 }).toBe("ended");
    expect(await joinRefusal(town.site, ann.token)).toBe("expired");
    expect(await joinRefusal(town.site, changed.body["token"]!)).toBe("joined");
    const removed = await post(
      town.site,
      "remove",
      { password: "a better password" },
      {
        Authorization: `Bearer ${changed.body["token"]}`,
      },
    );
    expect(removed.status).toBe(200);
    expect(await joinRefusal(town.site, changed.body["token"]!)).toBe("credentials");
    expect(town.errors).toEqual([]);
  });

  it("plays as a guest, and claims the account with all goods", async () => {
    town = await openTown();
    const { body: guest } = await post(town.site, "guest");
    const { social, client } = await walkIn(town.site, "x", guest["token"]!);
    await town.social.goods.grant({ key: "k", account: guest["account"]!, goods: [{ good: "gold", count: 7 }] });
    expect(await social.ask("goods.list", {})).toEqual({ holdings: [{ item: "gold", count: 7 }], hasMore: false });
    client.leave();
    const claimed = await post(
      town.site,
      "claim",
      { name: "ann", password: "a good password" },
      {
        Authorization: `Bearer ${guest["token"]}`,
      },
    );
    expect(claimed.body).toMatchObject({ account: guest["account"], name: "ann" });
    expect(await joinRefusal(town.site, guest["token"]!)).toBe("expired");
  });
});

describe("strangers", () => {
  it("join neither without a token nor with a forged one", async () => {
    town = await openTown();
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
    const claims = part({ sub: "0".repeat(32), aud: "nearfield-social", exp: 4e9, epoch: 1 });
    const forged = [`${part({ alg: "none" })}.${claims}.`, `${part({ alg: "HS256" })}.${claims}.${"A".repeat(43)}`];
    for (const credentials of ["", "x", "{}", ...forged])
      expect(await joinRefusal(town.site, credentials)).toBe("credentials");
    expect(town.errors).toEqual([]);
  });

  it.each([
    ["no JSON", "{", {}],
    ["a list", "[]", {}],
    ["a number for a name", { name: 5, password: "a good password" }, {}],
    ["a long body", { name: "x".repeat(3000), password: "a good password" }, {}],
    ["a form", "name=ann", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["another origin", { name: "ann", password: "a good password" }, { Origin: "https://evil.example" }],
    ["an origin that is no address", { name: "ann", password: "a good password" }, { Origin: "null" }],
  ])("are refused with %s", async (_, body, headers) => {
    town = await openTown();
    const { status, body: answer } = await post(town.site, "register", body, headers as Record<string, string>);
    expect([status, answer["refused"]]).toEqual([400, "bad-request"]);
    expect(await town.social.accounts.find("ann")).toBeUndefined();
    expect(town.errors).toEqual([]);
  });

  it("are refused other methods and paths", async () => {
    town = await openTown();
    expect((await fetch(`${town.site}/accounts/login`)).status).toBe(400);
    for (const path of ["nothing", "constructor", "__proto__"]) expect((await post(town.site, path)).status).toBe(400);
    expect((await fetch(`${town.site}/accountsx/login`)).status).toBe(426);
  });

  it("of a listed origin are told so, and preflights are answered", async () => {
    town = await openTown({ http: { origins: ["https://game.example"] } });
    const asked = await fetch(`${town.site}/accounts/login`, {
      method: "OPTIONS",
      headers: { Origin: "https://game.example" },
    });
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, "https://game.example"]);
    const foreign = await fetch(`${town.site}/accounts/login`, {
      method: "OPTIONS",
      headers: { Origin: "https://evil.example" },
    });
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("that hang up in the middle of a body hurt nobody", async () => {
    town = await openTown();
    const half = request(`${town.site}/accounts/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Content-Length": 100 },
    });
    half.on("error", () => {});
    half.write("{");
    half.on("socket", (socket) => socket.on("connect", () => setImmediate(() => half.destroy())));
    await new Promise((closed) => half.on("close", closed));
    expect((await post(town.site, "guest")).status).toBe(200);
  });
});
