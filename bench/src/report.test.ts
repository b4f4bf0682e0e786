import { describe, expect, it } from "vitest";
import { formatNumber, meets, Report, renderTable } from "./report.ts";

describe("goals", () => {
  it("are met at their limit, save for `below`", () => {
    expect(meets(12, { atLeast: 12 })).toBe(true);
    expect(meets(11.9, { atLeast: 12 })).toBe(false);
    expect(meets(25, { atMost: 25 })).toBe(true);
    expect(meets(1, { below: 1 })).toBe(false);
    expect(meets(0.99, { below: 1 })).toBe(true);
  });
});

describe("Report", () => {
  const report = new Report("round");
  report.add(
    { key: "speedup", value: 9.5, goal: { atLeast: 12 }, about: "brute force ÷ engine" },
    { key: "bytes", value: 18, paper: "17–20", about: "per update" },
  );

  it("passes only if every goal is met", () => {
    expect(report.pass).toBe(false);
    const met = new Report("wire");
    met.add({ key: "ratio", value: 0.5, goal: { below: 1 }, about: "" });
    expect(met.pass).toBe(true);
  });

  it("is one line of JSON", () => {
    expect(report.toJson()).toBe(
      '{"bench":"round","figures":{"speedup":9.5,"bytes":18},"goals":{"speedup":">= 12"},"pass":false}',
    );
  });

  it("shows paper, goal and ours side by side, and what was missed", () => {
    const lines = report.toText().split("\n");
    expect(lines[1]).toMatch(/figure +paper +goal +ours/);
    expect(lines[3]).toMatch(/speedup +– +>= 12 +9\.5 +MISSED +brute force ÷ engine/);
    expect(lines[4]).toMatch(/bytes +17–20 +– +18 +per update/);
  });

  it("refuses a figure that is none, or comes twice", () => {
    expect(() => report.add({ key: "x", value: Number.NaN, about: "" })).toThrow("figure x is NaN");
    expect(() => report.add({ key: "bytes", value: 1, about: "" })).toThrow("given twice");
  });
});

describe("tables", () => {
  it("align numbers on the right", () => {
    const table = renderTable({
      title: "t",
      head: ["name", "ms"],
      rows: [
        ["a", "1.5"],
        ["bc", "1,234"],
      ],
    });
    expect(table.split("\n").slice(3)).toEqual(["a       1.5", "bc    1,234"]);
  });

  it("write three significant digits", () => {
    expect([0.012345, 1.5, 99.96, 1234.5, 0].map(formatNumber)).toEqual(["0.0123", "1.5", "100", "1,235", "0"]);
  });
});
