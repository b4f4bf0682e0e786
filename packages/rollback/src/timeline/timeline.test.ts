import { describe, expect, test } from "vitest";
import { EVERYBODY } from "./requests.ts";
import { TIMELINES, type TimelineSettings } from "./settings.ts";
import { ADMIT_STEPS, Timeline } from "./timeline.ts";

const OWN = 0;
const OTHER = 1;

function make(settings: Partial<TimelineSettings> = {}): Timeline {
  return new Timeline({ players: 2, inputBytes: 1, kept: 32, ...settings });
}

/** The requests of a tick as short words: "load 3", "advance 4", "advance 4 only 1", "settle 2". */
function tick(timeline: Timeline, now: number): string[] {
  return timeline.tick(now).map(({ kind, slot, step, player }) => {
    if (kind === "advance") return player === EVERYBODY ? `advance ${step}` : `advance ${step} only ${player}`;
    if (kind === "settle") return `settle ${step}`;
    return `${kind} ${slot}`;
  });
}

function steps(requests: readonly string[]): string[] {
  return requests.filter((request) => request.startsWith("advance") || request.startsWith("settle"));
}

/** Own inputs are there at once, those of the other come late. */
function run(timeline: Timeline, to: number, other: (step: number) => number | undefined): void {
  for (let step = timeline.head; step < to; step++) {
    timeline.put(OWN, step, Uint8Array.of(1));
    const input = other(step);
    if (input !== undefined) timeline.put(OTHER, step, Uint8Array.of(input));
    timeline.tick(step + 1);
  }
}

describe("lockstep", () => {
  test("the head waits until everybody's input is in, and is final at once", () => {
    const timeline = make({ ahead: 0 });
    timeline.put(OWN, 0, Uint8Array.of(1));
    expect(steps(tick(timeline, 1))).toEqual([]);
    timeline.put(OTHER, 0, Uint8Array.of(2));
    expect(steps(tick(timeline, 1))).toEqual(["advance 0", "settle 1"]);
  });
});

describe("a machine that is late", () => {
  test("does the work of the ticks that it missed, and keeps pace", () => {
    const timeline = make();
    for (let now = 6; now <= 60; now += 6) {
      for (let step = now - 6; step < now; step++) {
        timeline.put(OWN, step, Uint8Array.of(1));
        timeline.put(OTHER, step, Uint8Array.of(step % 5));
      }
      timeline.tick(now);
      expect([timeline.head, timeline.tail]).toEqual([now, now]);
    }
  });

  test("does not do the work of more than eight at once", () => {
    const timeline = make({ repair: 3 });
    for (let step = 0; step < 30; step++) timeline.put(OWN, step, Uint8Array.of(1));
    timeline.tick(1000);
    expect(timeline.head).toBe(24);
  });
});

describe("a head that does not wait", () => {
  test("a guess that was right costs no step, and its state is final", () => {
    const timeline = make();
    run(timeline, 3, (step) => (step === 0 ? 5 : undefined));
    expect(timeline.tail).toBe(1);
    timeline.put(OTHER, 1, Uint8Array.of(5));
    timeline.put(OTHER, 2, Uint8Array.of(5));
    expect(steps(tick(timeline, 3))).toEqual(["settle 2", "settle 3"]);
  });

  test("a guess that was wrong is advanced again from its step, not from the tail", () => {
    const timeline = make({ players: 3 });
    for (let step = 0; step < 4; step++) {
      timeline.put(OWN, step, Uint8Array.of(1));
      timeline.tick(step + 1);
    }
    timeline.put(OTHER, 0, Uint8Array.of(0));
    timeline.put(OTHER, 1, Uint8Array.of(0));
    timeline.put(OTHER, 2, Uint8Array.of(9));
    timeline.put(OWN, 4, Uint8Array.of(1));
    expect(steps(tick(timeline, 5))).toEqual(["advance 2", "advance 3", "advance 4"]);
  });

  test("a silent player's last input is repeated for three ticks, then it stands still", () => {
    const timeline = make();
    run(timeline, 6, (step) => (step === 0 ? 7 : undefined));
    expect([0, 1, 2, 3, 4, 5].map((step) => timeline.inputOf(OTHER, step)[0])).toEqual([7, 7, 7, 0, 0, 0]);
  });

  test("a player whose inputs come unevenly is guessed to go on for as long as it usually is silent, and three ticks more", () => {
    const timeline = make();
    // Three inputs in every third tick: it is silent for two ticks as a rule.
    run(timeline, 9, () => undefined);
    for (let step = 9; step < 18; step++) {
      timeline.put(OWN, step, Uint8Array.of(1));
      if (step % 3 === 0)
        for (let late = step - 9; late < step - 6; late++) timeline.put(OTHER, late, Uint8Array.of(7));
      timeline.tick(step + 1);
    }
    run(timeline, 26, () => undefined);
    // Last heard in the tick of step 15: two usual ticks and three more, then it stands still.
    expect([15, 16, 17, 18, 19, 20, 21].map((step) => timeline.inputOf(OTHER, step)[0])).toEqual([7, 7, 7, 7, 7, 0, 0]);
  });

  test("a player who is late but not silent is guessed to go on", () => {
    const timeline = make();
    run(timeline, 5, () => undefined);
    for (let step = 5; step < 10; step++) {
      timeline.put(OWN, step, Uint8Array.of(1));
      timeline.put(OTHER, step - 5, Uint8Array.of(7));
      timeline.tick(step + 1);
    }
    expect(timeline.inputOf(OTHER, 9)[0]).toBe(7);
  });

  test("it stops when what is kept is full, and goes on when the input comes", () => {
    const timeline = make({ ahead: Number.POSITIVE_INFINITY });
    run(timeline, 30, () => undefined);
    expect(timeline.head).toBe(30);
    timeline.tick(31);
    expect(timeline.head).toBe(30);
    timeline.put(OTHER, 0, Uint8Array.of(0));
    timeline.tick(31);
    timeline.tick(31);
    expect([timeline.tail, timeline.head]).toEqual([1, 31]);
  });
});

describe("corrections", () => {
  test("are spread: three steps a tick, while the old head goes on; the corrected one takes its place", () => {
    const timeline = make();
    run(timeline, 8, () => undefined);
    timeline.put(OTHER, 0, Uint8Array.of(9));
    timeline.put(OWN, 8, Uint8Array.of(1));
    const apart = `save ${timeline.settings.kept}`;
    const first = tick(timeline, 9);
    expect(steps(first)).toEqual(["advance 0", "advance 1", "advance 2", "advance 8", "settle 1"]);
    expect(first.at(-2)).toBe(apart);
    expect(timeline.isCorrecting).toBe(true);
    timeline.put(OWN, 9, Uint8Array.of(1));
    expect(steps(tick(timeline, 10))).toEqual(["advance 3", "advance 4", "advance 5", "advance 9"]);
    timeline.put(OWN, 10, Uint8Array.of(1));
    expect(steps(tick(timeline, 11))).toEqual(["advance 6", "advance 7", "advance 8", "advance 10"]);
    timeline.put(OWN, 11, Uint8Array.of(1));
    expect(steps(tick(timeline, 12))).toEqual(["advance 9", "advance 10", "advance 11"]);
    expect(timeline.isCorrecting).toBe(false);
  });

  test("of a player who met nobody touch that player alone", () => {
    const timeline = make();
    run(timeline, 1, () => 0);
    for (let step = 1; step < 4; step++) {
      timeline.put(OWN, step, Uint8Array.of(1));
      timeline.tick(step + 1);
    }
    for (let state = 1; state <= 4; state++) timeline.spheresOf(state).set([0, 0, 5, 100, 0, 5]);
    timeline.put(OTHER, 1, Uint8Array.of(9));
    timeline.put(OWN, 4, Uint8Array.of(1));
    expect(steps(tick(timeline, 5))).toEqual([
      "advance 1", // the tail's own step
      "settle 2",
      "advance 2 only 1",
      "advance 3 only 1",
      "advance 4",
    ]);
    expect(timeline.counts).toMatchObject({ rollbacks: 0, patches: 1, conservative: 1, corrective: 0 });
  });

  test("never happen with buckets: the tail alone is right", () => {
    const timeline = make({ lag: 1, repair: "never" });
    for (let step = 1; step < 5; step++) {
      timeline.put(OWN, step, Uint8Array.of(1));
      timeline.tick(step);
    }
    timeline.put(OTHER, 1, Uint8Array.of(9));
    expect(steps(tick(timeline, 5))).toEqual(["advance 1", "settle 2", "advance 4"]);
    expect(timeline.counts.corrective).toBe(0);
  });

  test("wait for a trailing state that is late enough", () => {
    const timeline = make({ trail: [3, 6], repair: Number.POSITIVE_INFINITY });
    run(timeline, 3, () => undefined);
    timeline.put(OTHER, 1, Uint8Array.of(9));
    timeline.put(OWN, 3, Uint8Array.of(1));
    expect(steps(tick(timeline, 4))).toEqual(["advance 3"]);
    timeline.put(OWN, 4, Uint8Array.of(1));
    expect(steps(tick(timeline, 5))).toEqual(["advance 1", "advance 2", "advance 3", "advance 4"]);
  });
});

describe("Time Warp", () => {
  test("an anti-message takes an input back, and what followed is advanced again", () => {
    const timeline = make({ retracts: true, repair: Number.POSITIVE_INFINITY });
    run(timeline, 4, (step) => (step === 2 ? 4 : 9));
    expect(timeline.tail).toBe(0);
    expect(timeline.withdraw(OTHER, 2)).toBe(true);
    timeline.put(OWN, 4, Uint8Array.of(1));
    expect(steps(tick(timeline, 5))).toEqual(["advance 2", "advance 3", "advance 4"]);
    timeline.put(OTHER, 2, Uint8Array.of(3));
    timeline.promise(OTHER, 3);
    timeline.promise(OWN, 3);
    timeline.tick(5);
    expect(timeline.tail).toBe(3);
    expect(timeline.withdraw(OTHER, 2)).toBe(false);
  });
});

describe("letting in, where inputs may be taken back", () => {
  const LETS_OTHER_IN = OTHER + 1;

  test("a row lets nobody in before it is promised, and never once it was taken back", () => {
    const timeline = make({ retracts: true, absent: [OTHER] });
    timeline.put(OWN, 0, Uint8Array.of(1), undefined, LETS_OTHER_IN);
    expect(timeline.isGone(OTHER)).toBe(true);
    timeline.withdraw(OWN, 0);
    timeline.put(OWN, 0, Uint8Array.of(1));
    timeline.put(OWN, 1, Uint8Array.of(1), undefined, LETS_OTHER_IN);
    expect(timeline.takeAdmissions(OWN, 1)).toEqual([]);
    const [admission] = timeline.takeAdmissions(OWN, 2);
    expect(admission).toEqual({ player: OTHER, step: 1 });
    expect(timeline.letIn(admission!)).toBe(true);
    expect(timeline.enteredAt(OTHER)).toBe(1 + ADMIT_STEPS);
    expect(timeline.takeAdmissions(OWN, 2)).toEqual([]);
  });

  test("with a lag, a newcomer's snapshot promises nothing beyond its state", () => {
    const timeline = make({ retracts: true, from: 10, lag: 3 });
    for (const player of [OWN, OTHER])
      for (let step = 10; step < 14; step++) timeline.put(player, step, Uint8Array.of(1));
    timeline.tick(14);
    expect(timeline.tail).toBe(10);
  });
});

describe("leaving", () => {
  test("a player who is gone holds nobody up, and what it did after that is undone", () => {
    const timeline = make();
    run(timeline, 4, (step) => (step < 3 ? 9 : undefined));
    expect(timeline.tail).toBe(3);
    timeline.leave(OTHER, 3);
    timeline.tick(4);
    expect(timeline.tail).toBe(4);
    expect(timeline.inputOf(OTHER, 3)[0]).toBe(0);
  });

  test("a step that is final cannot be named", () => {
    const timeline = make();
    run(timeline, 4, () => 1);
    expect(() => timeline.leave(OTHER, 2)).toThrow("step 2 is final already");
  });
});

describe("what comes from outside", () => {
  test("an input that is known, or final, changes nothing", () => {
    const timeline = make();
    run(timeline, 2, () => 1);
    expect(timeline.put(OTHER, 1, Uint8Array.of(7))).toBe(false);
    expect(timeline.put(OTHER, 0, Uint8Array.of(7))).toBe(false);
  });

  test.each([
    [{ players: 0 }, "players must be a whole number from 1 to 255, not 0"],
    [{ repair: 1 }, 'repair must be at least 2, since the head moves on by one, or "never", not 1'],
    [{ trail: [3, 3] }, "trail must be ascending numbers of steps above 0, not 3,3"],
    [{ still: new Uint8Array(2) }, "still must be 1 bytes, as inputBytes says, not 2"],
  ])("%o is refused", (settings, message) => {
    expect(() => make(settings)).toThrow(message);
  });

  test("an input beyond what is kept, or of another size, is refused", () => {
    const timeline = make();
    expect(() => timeline.put(OTHER, 31, Uint8Array.of(1))).toThrow("step 31 lies ahead of all that is kept, to 30");
    expect(() => timeline.put(OTHER, 1, new Uint8Array(2))).toThrow("an input has 1 bytes here, not 2");
  });
});

describe("each known way, in the same story", () => {
  /** Steps by which inputs of the other are late. At one step it does something else than was guessed, and goes on with that. */
  const LATE = 5;
  const CHANGE = 10;

  /** What a way is known by: how far the head is behind, which corrections follow in which tick, and what can be taken back. */
  function play(settings: Partial<TimelineSettings>) {
    const timeline = make(settings);
    const { lag } = timeline.settings;
    const corrective: number[] = [];
    let behind = 0;
    for (let tick = 1; tick <= 20; tick++) {
      const put = (player: number, step: number, input: number) => {
        if (step < lag) return;
        timeline.put(player, step, Uint8Array.of(input));
        if (timeline.settings.retracts) timeline.promise(player, step - 3);
      };
      put(OWN, tick - 1 + lag, 1);
      const late = tick - 1 - LATE + lag;
      put(OTHER, late, late >= CHANGE ? 9 : 0);
      const before = timeline.counts.corrective;
      timeline.tick(tick);
      corrective.push(timeline.counts.corrective - before);
      behind = Math.max(behind, tick - timeline.head);
    }
    const { conservative } = timeline.counts;
    const correctedAt = corrective.flatMap((steps, at) => (steps > 0 ? [`${steps} in tick ${at + 1}`] : []));
    return {
      behind,
      correctedAt,
      byOwnSteps: conservative,
      takesBack: timeline.withdraw(OTHER, timeline.throughOf(OTHER) - 1),
    };
  }

  const ways: [string, Partial<TimelineSettings>, ReturnType<typeof play>][] = [
    ["lockstep: the head waits", TIMELINES.lockstep, { behind: 5, correctedAt: [], byOwnSteps: 0, takesBack: false }],
    ["local lag: nothing is late", { lag: LATE }, { behind: 0, correctedAt: [], byOwnSteps: 0, takesBack: false }],
    [
      "buckets: what is late is never shown",
      TIMELINES.buckets,
      { behind: 0, correctedAt: [], byOwnSteps: 7, takesBack: false },
    ],
    [
      "hybrid: corrections are spread",
      TIMELINES.hybrid,
      { behind: 0, correctedAt: ["3 in tick 16", "3 in tick 17"], byOwnSteps: 0, takesBack: false },
    ],
    [
      "Time Warp: all at once, and inputs can be taken back",
      TIMELINES.timeWarp,
      { behind: 0, correctedAt: ["5 in tick 16"], byOwnSteps: 0, takesBack: true },
    ],
    [
      "trailing states: all at once, when one is late enough",
      TIMELINES.trailingState,
      { behind: 0, correctedAt: ["4 in tick 17", "4 in tick 18"], byOwnSteps: 2, takesBack: false },
    ],
  ];

  test.each(ways)("%s", (_name, settings, known) => {
    expect(play(settings)).toEqual(known);
  });

  test("no two of them are alike", () => {
    expect(new Set(ways.map(([, settings]) => JSON.stringify(play(settings)))).size).toBe(ways.length);
  });
});
