/** What a page may ask about people: chat, friends, parties. */
import { CHANNELS, type Chat } from "../chat/chat.ts";
import type { TieBook } from "../friends/ties.ts";
import type { Lobby } from "../lobby/lobby.ts";
import type { Person } from "../parties/parties.ts";
import type { Asker, Desk } from "./desk.ts";
import type { Presence } from "./presence.ts";
import { flag, id, oneOf, optional, record, textUpTo } from "./shape.ts";

/** Longer than any line after cleaning: what is cut is cut by the chat, not refused. */
const WORDS_CHARACTERS = 1000;
const other = record({ account: id });
const nothing = record({});

export interface People {
  readonly chat: Chat;
  readonly ties: TieBook;
  readonly lobby: () => Lobby;
  readonly presence: Presence;
  readonly personOf: (asker: Asker) => Person;
}

export function answerPeople(desk: Desk, { chat, ties, lobby, presence, personOf }: People): void {
  const speaker = (asker: Asker): Person & { place: string } => ({ ...personOf(asker), place: asker.player.room.name });
  const said = record({ channel: oneOf(...CHANNELS), words: textUpTo(WORDS_CHARACTERS), to: optional(id) });
  desk.answers("chat.say", said, (asker, { channel, words, to }) => chat.say(speaker(asker), channel, words, to));
  desk.answers("chat.history", record({ channel: oneOf("world", "place", "party") }), (asker, { channel }) =>
    chat.history(speaker(asker), channel),
  );
  desk.answers("chat.mute", record({ account: id, isMuted: flag }), async ({ account }, asks) => {
    await ties.mute(account, asks.account, asks.isMuted);
    return {};
  });

  desk.answers("friends.list", nothing, async ({ account }) =>
    (await ties.list(account)).map((tie) => ({
      ...tie,
      // Who is here is for friends alone to know.
      isHere: tie.standing === "friend" && presence.isHere(tie.account),
    })),
  );
  desk.answers("friends.ask", other, async (asker, asks) => {
    const standing = await ties.ask(asker.account, asks.account);
    if (standing === "asked") presence.tell(asks.account, "friend.asked", personOf(asker));
    else presence.tell(asks.account, "friend", { account: asker.account, isHere: true });
    return { standing };
  });
  const change = (
    kind: "friends.part" | "friends.block" | "friends.unblock",
    act: (account: string, other: string) => Promise<void>,
  ): void =>
    desk.answers(kind, other, async ({ account }, asks) => {
      await act(account, asks.account);
      return {};
    });
  change("friends.part", (account, parted) => ties.part(account, parted));
  change("friends.block", (account, blocked) => ties.block(account, blocked));
  change("friends.unblock", (account, blocked) => ties.unblock(account, blocked));

  desk.answers("party.show", nothing, async ({ account }) => {
    const party = await lobby().partyOf(account);
    return party === undefined ? {} : { party };
  });
  desk.answers("party.invite", other, async (asker, asks) => {
    await ties.mayBother(asker.account, asks.account);
    return lobby().invite(personOf(asker), asks.account);
  });
  desk.answers("party.join", record({ party: id }), (asker, { party }) => lobby().join(personOf(asker), party));
  desk.answers("party.leave", nothing, async ({ account }) => {
    await lobby().leaveParty(account);
    return {};
  });
  desk.answers("party.expel", other, ({ account }, asks) => lobby().expel(account, asks.account));
  desk.answers("party.lead", other, ({ account }, asks) => lobby().passLead(account, asks.account));
}
