/** Accounts: who gets a token, who is refused and how, and what ends a token. */
import { describe, expect, it } from "vitest";
import { refusal, setUp } from "../../test/stand-ins.ts";

describe("register and log in", () => {
  it("gives a token that identifies the account", async () => {
    const { social } = setUp();
    const ann = await social.accounts.register("Ann", "correct horse", "10.0.0.1");
    expect(ann).toMatchObject({ name: "Ann", isGuest: false });
    expect(await social.accounts.identify(ann.token)).toEqual({ account: ann.account, name: "Ann", isGuest: false });
    const again = await social.accounts.logIn("ann", "correct horse", "10.0.0.1");
    expect(again.account).toBe(ann.account);
  });

  it("takes names that look alike for the same name", async () => {
    const { social } = setUp();
    await social.accounts.register("Ann", "correct horse", "10.0.0.1");
    for (const name of ["ann", " ANN ", "a\u200bnn", "\u202eann", "Ａｎｎ"])
      expect(await refusal(social.accounts.register(name, "correct horse", "10.0.0.1"))).toBe("name-taken");
  });

  it("refuses names and passwords that cannot work", async () => {
    const { social } = setUp();
    const register = (name: string, password: string): Promise<string> =>
      refusal(social.accounts.register(name, password, "10.0.0.1"));
    expect(await register("\u200b\u202e", "correct horse")).toBe("bad-name");
    expect(await register("guest-000001", "correct horse")).toBe("bad-name");
    expect(await register("ann", "short")).toBe("bad-password");
    expect(await register("ann", "x".repeat(300))).toBe("bad-password");
  });

  it("gives one name to one of two who ask at the same time", async () => {
    const { social } = setUp();
    const asked = ["10.0.0.1", "10.0.0.2"].map((at) => refusal(social.accounts.register("ann", "correct horse", at)));
    expect((await Promise.all(asked)).sort()).toEqual(["done", "name-taken"]);
  });
});

describe("wrong attempts", () => {
  it("are answered alike for a wrong password and an unknown name, after the same work", async () => {
    const { social, passwords } = setUp();
    await social.accounts.register("ann", "correct horse", "10.0.0.1");
    const texts: string[] = [];
    for (const name of ["ann", "nobody", "\u200b"]) {
      const before = passwords.checks;
      await social.accounts
        .logIn(name, "wrong password", "10.0.0.9")
        .catch((error: Error) => texts.push(error.message));
      expect(passwords.checks).toBe(before + 1);
    }
    expect(new Set(texts).size).toBe(1);
    expect(texts).toHaveLength(3);
  });

  it("are slowed down by name and address, also for names that do not exist", async () => {
    const { social, machine } = setUp();
    await social.accounts.register("ann", "correct horse", "10.0.0.1");
    for (const name of ["ann", "nobody"]) {
      const attempts = Array.from({ length: 7 }, () => refusal(social.accounts.logIn(name, "wrong one", "10.0.0.9")));
      const codes = await Promise.all(attempts);
      expect(codes.filter((code) => code === "credentials")).toHaveLength(5);
      expect(codes.filter((code) => code === "throttled")).toHaveLength(2);
    }
    expect(await refusal(social.accounts.logIn("ann", "correct horse", "10.0.0.9"))).toBe("throttled");
    machine.nowMs += 4 * 60_000;
    expect(await refusal(social.accounts.logIn("ann", "correct horse", "10.0.0.9"))).toBe("done");
  });

  it("of one address do not lock the owner out elsewhere", async () => {
    const { social } = setUp();
    await social.accounts.register("ann", "correct horse", "10.0.0.1");
    for (let attempt = 0; attempt < 200; attempt++)
      await refusal(social.accounts.logIn("ann", "wrong password", "10.0.0.9"));
    expect(await refusal(social.accounts.logIn("ann", "correct horse", "10.0.0.1"))).toBe("done");
  });

  it("of one address over many names run out", async () => {
    const { social } = setUp();
    const codes: string[] = [];
    for (let name = 0; name < 30; name++)
      codes.push(await refusal(social.accounts.logIn(`name${name}`, "password", "10.0.0.9")));
    expect(codes.filter((code) => code === "credentials")).toHaveLength(20);
  });

  it("right ones cost nothing", async () => {
    const { social } = setUp();
    await social.accounts.register("ann", "correct horse", "10.0.0.1");
    for (let login = 0; login < 50; login++)
      expect(await refusal(social.accounts.logIn("ann", "correct horse", "10.0.0.1"))).toBe("done");
  });

  it("new accounts of one address are limited", async () => {
    const { social } = setUp();
    const codes = await Promise.all(Array.from({ length: 25 }, () => refusal(social.accounts.guest("10.0.0.9"))));
    expect(codes.filter((code) => code === "throttled")).toHaveLength(5);
  });
});

describe("guests", () => {
  it("keep their account and goods when they claim it", async () => {
    const { social } = setUp();
    const guest = await social.accounts.guest("10.0.0.1");
    expect(guest.isGuest).toBe(true);
    await social.goods.grant({ key: "start", account: guest.account, goods: [{ good: "gold", count: 5 }] });
    const ann = await social.accounts.claim(guest.token, "ann", "correct horse");
    expect(ann).toMatchObject({ account: guest.account, name: "ann", isGuest: false });
    expect(await social.goods.list(ann.account)).toEqual([{ item: "gold", count: 5 }]);
    expect((await social.accounts.logIn("ann", "correct horse", "10.0.0.2")).account).toBe(guest.account);
    expect(await refusal(social.accounts.identify(guest.token))).toBe("expired");
    expect(await refusal(social.accounts.claim(ann.token, "bob", "correct horse"))).toBe("not-a-guest");
  });

  it("cannot take a name that is taken, and stay guests", async () => {
    const { social, account } = setUp();
    await account("ann");
    const guest = await social.accounts.guest("10.0.0.1");
    expect(await refusal(social.accounts.claim(guest.token, "ANN", "correct horse"))).toBe("name-taken");
    expect((await social.accounts.identify(guest.token)).isGuest).toBe(true);
  });
});

describe("the end of a token", () => {
  it("comes with a change of password, and whoever is here is told", async () => {
    const { social, account } = setUp();
    const ended: string[] = [];
    social.accounts.onEnded((id) => ended.push(id));
    const ann = await account("ann");
    const wrong = social.accounts.changePassword(ann.token, "wrong password", "another one", "10.0.0.1");
    expect(await refusal(wrong)).toBe("credentials");
    const next = await social.accounts.changePassword(ann.token, "a good password", "another one", "10.0.0.1");
    expect(ended).toEqual([ann.account]);
    expect(await refusal(social.accounts.identify(ann.token))).toBe("expired");
    expect(await refusal(social.accounts.renew(ann.token))).toBe("expired");
    expect(await refusal(social.accounts.renew(next.token))).toBe("done");
    expect(await refusal(social.accounts.logIn("ann", "a good password", "10.0.0.1"))).toBe("credentials");
  });

  it("comes with time", async () => {
    const { social, machine, account } = setUp({ tokenS: 60 });
    const ann = await account("ann");
    machine.nowMs += 60_000;
    expect(await refusal(social.accounts.identify(ann.token))).toBe("expired");
  });

  it("comes with the account's deletion, which takes goods and name along", async () => {
    const { social, account } = setUp();
    const ann = await account("ann");
    await social.goods.grant({ key: "start", account: ann.account, goods: [{ good: "gold", count: 5 }] });
    expect(await refusal(social.accounts.remove(ann.token, "wrong password", "10.0.0.1"))).toBe("credentials");
    await social.accounts.remove(ann.token, "a good password", "10.0.0.1");
    expect(await refusal(social.accounts.identify(ann.token))).toBe("credentials");
    expect(await social.goods.list(ann.account)).toEqual([]);
    expect(await social.goods.audit(ann.account)).toEqual([]);
    const grant = social.goods.grant({ key: "late", account: ann.account, goods: [{ good: "gold" }] });
    expect(await refusal(grant)).toBe("unknown-account");
    expect((await account("ann")).account).not.toBe(ann.account);
  });
});
