import { describe, expect, test } from "vitest";
import type { WhyShown, WhyTell } from "../../web/feed-types.ts";
import { gateWords } from "../../web/gate.ts";
import { dimensionText, lastSendText, nextDueText, usedShare, verdictOf } from "../../web/panels/why-words.ts";
import { FakeFeed } from "../fake-feed.ts";

const feed = new FakeFeed({ clients: 3, items: 1, seed: 1 });
const [, plain] = feed.answer('{"ask":"watch","id":1,"topic":"why","player":1,"object":2}') as [unknown, WhyTell];
const why = (change: Partial<WhyShown>): WhyShown => ({ ...plain, ...change });
const due = (change: Partial<WhyTell["nextDue"]>): WhyShown => why({ nextDue: { ...plain.nextDue, ...change } });

describe("why, in sentences", () => {
  test.each([
    [why({ state: "gone" }), /no longer in the world/, "off"],
    [why({ state: "hidden" }), /Not in this client's replica/, "off"],
    [why({ everyChange: "own" }), /owns it/, "calm"],
    [why({ everyChange: "no place" }), /no place in space/, "calm"],
    [why({ equal: true }), /nothing is owed/, "calm"],
    [due({ when: "now", by: "value" }), /Over its bound in value/, "due"],
    [due({ when: "never" }), /no bound of this cell/, "calm"],
    [plain, /still within its bound/, "calm"],
  ] as const)("verdict %#", (tell, words, tone) => {
    expect(verdictOf(tell).text).toMatch(words);
    expect(verdictOf(tell).tone).toBe(tone);
  });

  test("when it is next due, and how sure that is", () => {
    expect(nextDueText(due({ when: "in", inMs: 132, by: "time", exact: true }))).toBe("in 132 ms, by time");
    expect(nextDueText(due({ when: "in", inMs: 40, by: "value", exact: false }))).toBe("in 40 ms, by value (estimate)");
    expect(nextDueText(due({ when: "when it changes" }))).toBe("when it changes");
    expect(nextDueText(due({ when: "never" }))).toBe("never, by this bound");
    expect(nextDueText(due({ when: "now" }))).toBe("now");
  });

  test("when and why it was last sent", () => {
    expect(lastSendText(why({ lastSend: null }))).toBe("never");
    expect(lastSendText(why({ lastSend: { round: 4, agoMs: 99, cause: "value", arrived: true } }))).toBe(
      "99 ms ago, for value, arrived",
    );
    expect(lastSendText(why({ lastSend: { round: 4, agoMs: 50, cause: "ripe", arrived: false } }))).toBe(
      "50 ms ago, it rode along, on the way",
    );
    expect(lastSendText(why({ lastSend: { round: 4, agoMs: 0, cause: null, arrived: false } }))).toBe("0 ms ago, lost");
  });

  test("what a recording cannot tell is said", () => {
    const recorded = { isSendKnown: false, settlesMs: 2000 };
    const unknown = why({ lastSend: null, recorded });
    expect(lastSendText(unknown)).toBe("before the recording begins");
    expect(nextDueText(unknown)).toBe("not known");
    expect(verdictOf(unknown).text).toMatch(/not in this recording.*within 2000 ms: move the slider on/);
    const known = { isSendKnown: true, settlesMs: null };
    expect(
      lastSendText(why({ lastSend: { round: 4, agoMs: 50, cause: "time", arrived: null }, recorded: known })),
    ).toBe("50 ms ago, for time");
    const due = { when: "in", round: 9, inMs: 100, by: "time", exact: false } as const;
    const nextDue = { ...due, byTimeMs: 100, bySequenceMs: null, byValueMs: null };
    expect(nextDueText(why({ nextDue, recorded: known }))).toBe("in 100 ms at the latest, by time");
    expect(verdictOf(why({ nextDue, recorded: known })).text).toMatch(/in value, that is not recorded/);
  });

  test("how much of a bound is used up", () => {
    expect([usedShare(50, 200), usedShare(0, 0), usedShare(1, 0), usedShare(5, null), usedShare(null, 5)]).toEqual([
      0.25,
      0,
      1,
      null,
      null,
    ]);
    expect([usedShare(0.004, 0, true), usedShare(0.004, null, true)]).toEqual([0, null]);
    expect([
      dimensionText("time", 99),
      dimensionText("sequence", 3),
      dimensionText("value", 0.25),
      dimensionText("value", null),
    ]).toEqual(["99 ms", "3", "0.25", "∞"]);
  });
});

describe("the gate", () => {
  test("says what is wrong and offers what helps", () => {
    expect(gateWords({ is: "live" })).toBeUndefined();
    expect(gateWords({ is: "connecting" })).toBeUndefined();
    expect(gateWords("no-token")).toMatchObject({ title: "Open the inspector", asksToken: true });
    expect(gateWords("no-feed")).toMatchObject({ asksToken: false, offersRetry: false });
    expect(gateWords({ is: "refused", why: "token", detail: "" })).toMatchObject({
      title: "Wrong token",
      asksToken: true,
    });
    expect(gateWords({ is: "refused", why: "version", detail: "x" })).toMatchObject({ offersRetry: true });
    expect(gateWords({ is: "lost", everOpen: false, detail: "", inMs: 2000 })?.text).toMatch(/in 2 s/);
    expect(gateWords({ is: "lost", everOpen: true, detail: "", inMs: 2000 })).toBeUndefined();
  });
});
