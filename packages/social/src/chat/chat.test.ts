/** Chat: who hears what, what is cleaned away, who may not speak. */
import { MemoryStore } from "@nearfield/store/internal";
import { expect, it } from "vitest";
import { refusal, type Setup, setUp } from "../../test/stand-ins.ts";
import { type Channel, Chat, type ChatOptions } from "./chat.ts";

type Say = (name: string, channel: Channel, words: string, to?: string) => Promise<string>;

interface Hall extends Setup {
  readonly chat: Chat;
  readonly heard: string[];
  readonly ids: Map<string, string>;
  readonly say: Say;
}

async function hall(options: Partial<ChatOptions> = {}): Promise<Hall> {
  const set = setUp({ store: new MemoryStore() });
  const ids = new Map<string, string>();
  for (const name of ["ann", "ben", "cid"]) ids.set(name, (await set.account(name)).account);
  const nameOf = new Map([...ids].map(([name, id]) => [id, name]));
  const heard: string[] = [];
  const chat = new Chat({
    store: set.store,
    ties: set.social.ties,
    now: set.machine.now,
    tell: (account, line) => heard.push(`${nameOf.get(account)}: ${line.name} ${line.channel} ${line.words}`),
    hearers: {
      world: () => ids.values(),
      place: () => [ids.get("ann")!, ids.get("ben")!],
      party: (account) =>
        account === ids.get("cid") ? undefined : { id: "p", members: [ids.get("ann")!, ids.get("ben")!] },
      isHere: (account) => account !== ids.get("cid"),
    },
    ...options,
  });
  const say: Say = (name, channel, words, to) => {
    const speaker = { account: ids.get(name)!, name, place: "town" };
    return refusal(chat.say(speaker, channel, words, to === undefined ? undefined : ids.get(to)));
  };
  return { ...set, chat, heard, say, ids };
}

it("reaches the channel's hearers, and nobody else", async () => {
  const { say, heard } = await hall();
  await say("ann", "world", "hello");
  expect(heard.splice(0)).toEqual(["ann: ann world hello", "ben: ann world hello", "cid: ann world hello"]);
  await say("ann", "place", "here");
  expect(heard.splice(0)).toEqual(["ann: ann place here", "ben: ann place here"]);
  await say("ben", "party", "us");
  expect(heard.splice(0)).toEqual(["ann: ben party us", "ben: ben party us"]);
  expect(await say("cid", "party", "us")).toBe("no-channel");
  await say("ann", "whisper", "psst", "ben");
  expect(heard.splice(0)).toEqual(["ann: ann whisper psst", "ben: ann whisper psst"]);
  expect(await say("ann", "whisper", "psst", "cid")).toBe("not-here");
  expect(await say("ann", "whisper", "psst")).toBe("bad-request");
});

it("cleans what people would not see or could be fooled by", async () => {
  const { say, heard } = await hall();
  await say("ann", "whisper", "  a\u202eb\u200bc\nd\u0000  ", "ben");
  expect(heard.splice(0)[0]).toBe("ann: ann whisper abc d");
  expect(await say("ann", "world", "\u200b\u202e \u2800")).toBe("nothing-said");
  await say("ann", "whisper", `z${"\u0301".repeat(50)}`, "ben");
  expect(heard.splice(0)[0]!.length).toBeLessThan(25);
  await say("ann", "whisper", "x".repeat(1000), "ben");
  expect(heard.splice(0)[0]).toHaveLength("ann: ann whisper ".length + 300);
});

it("is not heard by whoever muted or blocked the speaker, in the history neither", async () => {
  const { say, heard, ids, social, chat } = await hall();
  await social.ties.mute(ids.get("ben")!, ids.get("ann")!, true);
  await social.ties.block(ids.get("cid")!, ids.get("ann")!);
  await say("ann", "world", "hello");
  expect(heard.splice(0)).toEqual(["ann: ann world hello"]);
  const history = async (name: string): Promise<number> =>
    (await chat.history({ account: ids.get(name)!, name, place: "town" }, "world")).length;
  expect([await history("ann"), await history("ben"), await history("cid")]).toEqual([1, 0, 0]);
  await social.ties.mute(ids.get("ben")!, ids.get("ann")!, false);
  expect(await history("ben")).toBe(1);
  expect(await say("ann", "whisper", "psst", "cid")).toBe("blocked");
});

it("has a rate, a history of bounded length, and operators who silence", async () => {
  const { say, machine, chat, ids } = await hall({ history: 3 });
  const codes: string[] = [];
  for (let line = 0; line < 7; line++) codes.push(await say("ann", "world", `line ${line}`));
  expect(codes).toEqual(["done", "done", "done", "done", "done", "too-fast", "too-fast"]);
  machine.nowMs += 1000;
  expect(await say("ann", "world", "again")).toBe("done");
  const lines = await chat.history({ account: ids.get("ben")!, name: "ben", place: "town" }, "world");
  expect(lines.map(({ words }) => words)).toEqual(["line 3", "line 4", "again"]);
  await chat.silence(ids.get("ben")!, 60_000);
  expect(await say("ben", "world", "hello")).toBe("muted");
  machine.nowMs += 60_000;
  expect(await say("ben", "world", "hello")).toBe("done");
});
