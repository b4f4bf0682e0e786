/** What a page may ask about playing: high scores, matches, rooms. */
import { SocialError } from "../errors.ts";
import type { Matching } from "../matching/matching.ts";
import type { OpenRooms } from "../rooms/rooms.ts";
import { PERIODS, type Scores } from "../scores/scores.ts";
import type { Asker, Desk } from "./desk.ts";
import { flag, oneOf, optional, record, textUpTo, whole } from "./shape.ts";

const NAME_CHARACTERS = 40;
const ROOM_NAME_CHARACTERS = 200;
const MOST_LIMIT = 100;
const MOST_PLACES = 1000;

const name = textUpTo(NAME_CHARACTERS);
const period = optional(oneOf(...PERIODS));
const nothing = record({});
const room = record({ room: name });

export function answerScores(desk: Desk, scores: Scores): void {
  const top = record({ board: name, period, limit: optional(whole(1, MOST_LIMIT)) });
  desk.answers("scores.top", top, (_, asks) => scores.top(asks.board, asks.period, asks.limit));
  desk.answers("scores.mine", record({ board: name, period }), async ({ account }, asks) => {
    const own = await scores.own(asks.board, account, asks.period);
    return own === undefined ? {} : { own };
  });
}

export function answerMatching(desk: Desk, matching: Matching): void {
  desk.answers("match.enter", record({ queue: name }), async ({ account }, { queue }) => {
    return { waiting: await matching.enter(queue, account) };
  });
  desk.answers("match.leave", nothing, async ({ account }) => {
    await matching.leave(account);
    return {};
  });
}

/** @param rooms undefined while the game has not opened any. */
export function answerRooms(desk: Desk, rooms: () => OpenRooms | undefined): void {
  const required = (): OpenRooms => {
    const open = rooms();
    if (open === undefined) throw new SocialError("no-room", "players cannot open rooms here");
    return open;
  };
  const wish = record({
    name: textUpTo(ROOM_NAME_CHARACTERS),
    isPublic: optional(flag),
    places: optional(whole(1, MOST_PLACES)),
  });
  desk.answers("rooms.list", nothing, () => rooms()?.list() ?? []);
  desk.answers("rooms.get", room, (_, asks) => required().get(asks.room));
  desk.answers("rooms.create", wish, ({ account }: Asker, asks) => required().create(account, asks));
  desk.answers("rooms.close", room, async ({ account }, asks) => {
    await required().close(account, asks.room);
    return {};
  });
}
