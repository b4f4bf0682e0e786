import { describe, expect, it } from "vitest";
import { type Action, History, MOST_ACTIONS, opposite } from "./history.ts";

const move: Action = { kind: "move", keys: [1], dx: 3, dy: -2 };
const write: Action = { kind: "write", key: 1, before: "a", after: "b" };

describe("history", () => {
  it("takes back the last action first, and does it again", () => {
    const history = new History();
    history.add(move);
    history.add(write);
    expect(history.undo()).toEqual({ kind: "write", key: 1, before: "b", after: "a" });
    expect(history.undo()).toEqual({ kind: "move", keys: [1], dx: -3, dy: 2 });
    expect(history.undo()).toBeUndefined();
    expect(history.redo()).toEqual(move);
    expect(history.redo()).toEqual(write);
    expect(history.redo()).toBeUndefined();
  });

  it("forgets what was taken back once something new is done", () => {
    const history = new History();
    history.add(move);
    history.undo();
    history.add(write);
    expect([history.canUndo, history.canRedo]).toEqual([true, false]);
  });

  it("has a bound", () => {
    const history = new History();
    for (let count = 0; count < MOST_ACTIONS + 5; count++) history.add(move);
    let undone = 0;
    while (history.undo()) undone++;
    expect(undone).toBe(MOST_ACTIONS);
  });

  it("the opposite of the opposite is the action", () => {
    const paint: Action = { kind: "paint", things: [{ key: 1, before: 2, after: 3 }] };
    for (const action of [move, write, paint, { kind: "add", things: [] } as const])
      expect(opposite(opposite(action))).toEqual(action);
  });
});
