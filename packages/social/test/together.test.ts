/** People together over real connections: chat, friends, parties, matches, rooms. */
import { afterEach, expect, it } from "vitest";
import type { SocialNews } from "../src/client/index.ts";
import { refusal } from "./stand-ins.ts";
import { type Citizen, openTown, settleIn, type Town, walkIn } from "./town.ts";

let town: Town;
afterEach(() => town.close());

function news<Kind extends keyof SocialNews>({ social }: Citizen, kind: Kind): SocialNews[Kind][] {
  const heard: SocialNews[Kind][] = [];
  social.onNews(kind, (one) => heard.push(one));
  return heard;
}

const holds = (condition: () => boolean): Promise<void> => expect.poll(condition, { interval: 5 }).toBe(true);

it("friends hear each other come and go, and whisper until one blocks the other", async () => {
  town = await openTown();
  const [ann, ben] = [await settleIn(town, "ann"), await settleIn(town, "ben")];
  const asked = news(ben, "friend.asked");
  expect(await ann.social.ask("friends.ask", { account: ben.account })).toEqual({ standing: "asked" });
  await holds(() => asked.length === 1);
  expect(await ben.social.ask("friends.ask", { account: ann.account })).toEqual({ standing: "friend" });
  expect(await ann.social.ask("friends.list", {})).toMatchObject([{ name: "ben", standing: "friend", isHere: true }]);
  const seen = news(ben, "friend");
  ann.client.leave();
  await holds(() => seen.some(({ account, isHere }) => account === ann.account && !isHere));
  const again = { ...ann, ...(await walkIn(town.site, "ann", ann.token)) };
  await holds(() => seen.some(({ isHere }) => isHere));
  const lines = news(again, "chat");
  await ben.social.ask("chat.say", { channel: "whisper", words: "welcome\u202e back", to: ann.account });
  await holds(() => lines.length === 1);
  expect(lines[0]).toMatchObject({ channel: "whisper", name: "ben", words: "welcome back" });
  await again.social.ask("friends.block", { account: ben.account });
  const whisper = ben.social.ask("chat.say", { channel: "whisper", words: "hello?", to: ann.account });
  expect(await refusal(whisper)).toBe("blocked");
  expect(await refusal(ben.social.ask("trade.ask", { account: ann.account }))).toBe("blocked");
  expect(await refusal(ben.social.ask("party.invite", { account: ann.account }))).toBe("blocked");
  await ben.social.ask("chat.say", { channel: "world", words: "anybody?" });
  await ben.social.ask("chat.say", { channel: "place", words: "here?" });
  expect(await again.social.ask("chat.history", { channel: "world" })).toEqual([]);
  expect(await ben.social.ask("chat.history", { channel: "world" })).toHaveLength(1);
  expect(lines).toHaveLength(1);
  expect(town.errors).toEqual([]);
});

it("a party talks, waits for a match together, and plays in one team", async () => {
  town = await openTown({ queues: { pairs: { teamSize: 2 } } });
  const [ann, ben, cid, dan] = (await Promise.all(
    ["ann", "ben", "cid", "dan"].map((name) => settleIn(town, name)),
  )) as [Citizen, Citizen, Citizen, Citizen];
  const invited = news(ben, "party.invited");
  const { id } = await ann.social.ask("party.invite", { account: ben.account });
  await holds(() => invited.length === 1);
  expect(invited[0]).toEqual({ account: ann.account, name: "ann", party: id });
  await ben.social.ask("party.join", { party: id });
  const lines = news(ben, "chat");
  await ann.social.ask("chat.say", { channel: "party", words: "ready?" });
  await holds(() => lines.length === 1);
  expect(await refusal(cid.social.ask("chat.say", { channel: "party", words: "me?" }))).toBe("no-channel");
  const found = [ann, ben, cid, dan].map((one) => news(one, "match"));
  const waiting = news(ben, "match.waiting");
  expect(await refusal(ben.social.ask("match.enter", { queue: "pairs" }))).toBe("not-leader");
  expect(await refusal(ann.social.ask("match.enter", { queue: "none" }))).toBe("bad-request");
  await ann.social.ask("match.enter", { queue: "pairs" });
  await holds(() => waiting.length === 1);
  expect(await refusal(ann.social.ask("match.enter", { queue: "pairs" }))).toBe("in-queue");
  await cid.social.ask("match.enter", { queue: "pairs" });
  await cid.social.ask("match.leave", {});
  await cid.social.ask("match.enter", { queue: "pairs" });
  await dan.social.ask("match.enter", { queue: "pairs" });
  await holds(() => found.every((matches) => matches.length === 1));
  const [{ teams }] = found[0]! as [SocialNews["match"]];
  expect(teams.map((team) => [...team].sort())).toContainEqual([ann.account, ben.account].sort());
  await ann.social.ask("match.enter", { queue: "pairs" });
  await ben.social.ask("party.leave", {});
  await holds(() => waiting.at(-1)?.isWaiting === false);
  expect((await ann.social.ask("party.show", {})).party?.members).toHaveLength(1);
  expect(town.errors).toEqual([]);
});

it("players open rooms: the list, private ones, places, limits, and the end of an empty one", async () => {
  let nowMs = 1_000_000;
  town = await openTown({ now: () => nowMs, askRate: { burst: 1000, perSecond: 1000 } });
  town.social.openRooms(town.server, { prepare: () => {}, mostPlaces: 2, most: 3 });
  const [ann, ben, cid] = [await settleIn(town, "ann"), await settleIn(town, "ben"), await settleIn(town, "cid")];
  const open = await ann.social.ask("rooms.create", { name: " Ann's\u200b room ", places: 1 });
  const secret = await ben.social.ask("rooms.create", { name: "secret", isPublic: false });
  expect(await cid.social.ask("rooms.list", {})).toEqual([{ ...open, name: "Ann's room", taken: 0 }]);
  expect(await cid.social.ask("rooms.get", { room: secret.id })).toEqual(secret);
  expect(await refusal(ann.social.ask("rooms.create", { name: "another" }))).toBe("too-many");
  expect(await refusal(cid.social.ask("rooms.create", { name: "\u200b" }))).toBe("bad-room");
  expect(await refusal(cid.social.ask("rooms.create", { name: "large", places: 3 }))).toBe("bad-room");
  expect(await refusal(cid.social.ask("rooms.close", { room: open.id }))).toBe("no-room");
  const inside = await walkIn(town.site, "cid", cid.token, open.id);
  expect(await inside.social.ask("me", {})).toMatchObject({ name: "cid" });
  await expect(walkIn(town.site, "ben", ben.token, open.id)).rejects.toMatchObject({ code: "denied" });
  expect(await ann.social.ask("rooms.list", {})).toMatchObject([{ taken: 1 }]);
  inside.client.leave();
  await holds(() => town.server.rooms.get(open.id)?.players.size === 0);
  await ben.social.ask("rooms.close", { room: secret.id });
  expect(town.server.rooms.has(secret.id)).toBe(false);
  await expect
    .poll(
      () => {
        nowMs += 5000;
        return town.server.rooms.has(open.id);
      },
      { interval: 20 },
    )
    .toBe(false);
  expect(await refusal(ann.social.ask("rooms.get", { room: open.id }))).toBe("no-room");
  expect(town.errors).toEqual([]);
});
