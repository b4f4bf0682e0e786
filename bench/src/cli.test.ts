import { describe, expect, it } from "vitest";
import { type Benchmark, UsageError } from "./benchmark.ts";
import { HELP, listText, optionsText, parseArguments } from "./cli.ts";
import { Report } from "./report.ts";

const named = (name: string): Benchmark => ({ name, about: `about ${name}`, run: () => new Report(name) });
const options = [
  { name: "trace", value: "FILE", about: "what to play" },
  { name: "rate", value: "HZ", about: "rounds per second", initial: "20" },
];
const benchmarks = [named("round"), named("paper-bandwidth"), { ...named("replay"), options }];
const parse = (...argv: string[]) => parseArguments(argv, benchmarks);

describe("parseArguments", () => {
  it("takes a name and flags in any order", () => {
    expect(parse("round")).toEqual({ kind: "run", benchmark: benchmarks[0], quick: false, json: false, options: {} });
    expect(parse("--json", "round", "--quick")).toMatchObject({ kind: "run", quick: true, json: true });
  });

  it("takes a benchmark's own options, with or without =", () => {
    expect(parse("replay", "--trace", "a.csv", "--json")).toMatchObject({ options: { trace: "a.csv", rate: "20" } });
    expect(parse("--trace=a=b.csv", "replay", "--rate=10")).toMatchObject({
      options: { trace: "a=b.csv", rate: "10" },
    });
  });

  it("lists and helps whatever else is given", () => {
    expect(parse("--list", "round")).toEqual({ kind: "list" });
    expect(parse("--help")).toEqual({ kind: "help" });
    expect(parse("-h", "--list")).toEqual({ kind: "help" });
  });

  it.each([
    [["sound"], 'there is no benchmark "sound"'],
    [["round", "--fast"], "there is no option --fast"],
    [["round", "wire"], "one benchmark at a time"],
    [[], "which benchmark?"],
    [["round", "--trace", "a.csv"], "round has no option --trace"],
    [["replay"], "replay needs --trace FILE"],
    [["replay", "--trace", "--quick"], "replay needs --trace FILE"],
    [["replay", "--trace", "a", "--trace", "b"], "--trace is given twice"],
  ])("refuses %j", (argv, message) => {
    expect(() => parse(...argv)).toThrow(UsageError);
    expect(() => parse(...argv)).toThrow(message);
  });
});

describe("what is printed", () => {
  it("names every benchmark on a line of its own", () => {
    expect(listText(benchmarks).split("\n")).toEqual([
      "round            about round",
      "paper-bandwidth  about paper-bandwidth",
      "replay           about replay",
    ]);
  });

  it("tells the options of those that have some", () => {
    expect(optionsText(benchmarks)).toBe(
      "replay\n  --trace FILE: what to play\n  --rate HZ: rounds per second (default 20)",
    );
  });

  it("says what the exit codes mean", () => expect(HELP).toContain("a missed figure is a result"));
});
