/** A tab keeps the ticket of its session for the next page, and for nobody else. */

import { afterEach, describe, expect, it, vi } from "vitest";
import { KeptTicket } from "./kept-ticket.ts";

class Storage {
  readonly kept = new Map<string, string>();
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
  removeItem = (key: string): void => void this.kept.delete(key);
}

const URL = "wss://game.example/play";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a kept ticket", () => {
  it("is taken once, by a page that joins the same way", () => {
    vi.stubGlobal("sessionStorage", new Storage());
    new KeptTicket(URL, { nickname: "ann" }).keep("abcd");
    expect(new KeptTicket(URL, { nickname: "ben" }).take()).toBeUndefined();
    expect(new KeptTicket(URL, { nickname: "ann", room: "arena" }).take()).toBeUndefined();
    expect(new KeptTicket(URL, { nickname: "ann", role: "spectator" }).take()).toBeUndefined();
    expect(new KeptTicket(URL, { nickname: "ann", room: "main", role: "player" }).take()).toBe("abcd");
    expect(new KeptTicket(URL, { nickname: "ann" }).take()).toBeUndefined();
  });

  it("goes when the client has ended", () => {
    const storage = new Storage();
    vi.stubGlobal("sessionStorage", storage);
    const kept = new KeptTicket(URL, { nickname: "ann" });
    kept.keep("abcd");
    kept.keep(undefined);
    expect(storage.kept.size).toBe(0);
  });

  it("is nothing where the browser keeps nothing", () => {
    vi.stubGlobal("sessionStorage", undefined);
    const kept = new KeptTicket(URL, { nickname: "ann" });
    expect(() => kept.keep("abcd")).not.toThrow();
    expect(kept.take()).toBeUndefined();
  });
});
