import { describe, expect, it } from "vitest";
import type { Benchmark } from "./benchmark.ts";
import { HELP, listText, parseArguments, UsageError } from "./cli.ts";
import { Report } from "./report.ts";

const named = (name: string): Benchmark => ({ name, about: `about ${name}`, run: () => new Report(name) });
const benchmarks = [named("round"), named("paper-bandwidth")];
const parse = (...argv: string[]) => parseArguments(argv, benchmarks);

describe("parseArguments", () => {
  it("takes a name and flags in any order", () => {
    expect(parse("round")).toEqual({ kind: "run", benchmark: benchmarks[0], quick: false, json: false });
    expect(parse("--json", "round", "--quick")).toMatchObject({ kind: "run", quick: true, json: true });
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
  ])("refuses %j", (argv, message) => {
    expect(() => parse(...argv)).toThrow(UsageError);
    expect(() => parse(...argv)).toThrow(message);
  });
});

describe("what is printed", () => {
  it("names every benchmark on a line of its own", () => {
    expect(listText(benchmarks)).toBe("round            about round\npaper-bandwidth  about paper-bandwidth");
  });

  it("says what the exit codes mean", () => expect(HELP).toContain("a missed figure is a result"));
});
