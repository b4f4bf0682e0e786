import { objectId } from "@nearfield/schema/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { OwnWrites } from "./own-writes.ts";

const ship = objectId(4, 2);

describe("own writes", () => {
  let own: OwnWrites;

  beforeEach(() => {
    own = new OwnWrites();
  });

  it("are left alone by frames that do not include them, and only by those", () => {
    own.sent(ship, 3, 1, 7, 42);
    expect([own.allows(ship, 1, 6), own.allows(ship, 1, 7), own.allows(ship, 0, 0)]).toEqual(["nothing", "all", "all"]);
  });

  it("that are not sent keep their value, while what the server has is noted", () => {
    own.mark(ship, 3, 1);
    expect([own.allows(ship, 1, 0), own.allows(ship, 0, 0)]).toEqual(["wire", "all"]);
  });

  it("that are not sent do not let an older frame touch what was sent before", () => {
    own.sent(ship, 3, 1, 7, 42);
    own.mark(ship, 3, 1);
    expect([own.allows(ship, 1, 6), own.allows(ship, 1, 7)]).toEqual(["nothing", "wire"]);
    own.giveUp(ship, 0b010);
    expect([own.allows(ship, 1, 6), own.allows(ship, 1, 7)]).toEqual(["nothing", "all"]);
  });

  it("are found again when the object left and came back before the server knew", () => {
    own.mark(ship, 3, 1);
    own.sent(ship, 3, 1, 7, 42);
    own.settle(6, () => false);
    expect([own.pendingWire(ship, 1, 6), own.pendingWire(ship, 1, 7), own.pendingWire(ship, 0, 0)]).toEqual([
      42,
      undefined,
      undefined,
    ]);
    own.settle(7, () => true);
    expect(own.has(ship)).toBe(true);
    own.settle(7, () => false);
    expect(own.has(ship)).toBe(false);
  });

  it("list the objects with anything unsent", () => {
    own.mark(ship, 3, 0);
    own.mark(ship, 3, 2);
    expect([...own.unsent()]).toEqual([ship]);
    expect(own.unsentMask(ship)).toBe(0b101);
    own.sent(ship, 3, 0, 1, 1);
    own.sent(ship, 3, 2, 1, 1);
    expect([...own.unsent()]).toEqual([]);
  });
});
