import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readBotsArgs } from "./bots-args.mjs";
import { readClusterArgs } from "./cluster-args.mjs";
import { nearest, readOptions, UsageError } from "./options.mjs";
import { readStartArgs } from "./start-args.mjs";

const read = (argv: string[], takesNames = false) =>
  readOptions(
    argv,
    { port: { type: "string", example: "4000" }, quick: { type: "boolean", short: "q" } },
    {
      command: "npm start",
      takesNames,
    },
  );

describe("readOptions", () => {
  test.each([
    [["--port", "4000"], { port: "4000" }],
    [["--port=4000"], { port: "4000" }],
    [["--quick", "--port=1", "--port=2"], { quick: true, port: "2" }],
    [["-q", "-h"], { quick: true, help: true }],
    [["--port=-1"], { port: "-1" }],
    [[], {}],
  ])("takes %j", (argv, values) => {
    expect(read(argv)).toEqual({ values, names: [] });
  });

  test.each([
    [["--prot", "4000"], "There is no option --prot; did you mean --port? There are --port, --quick, --help."],
    [["--colour"], "There is no option --colour. There are --port, --quick, --help."],
    [["-x"], "There is no option -x. There are"],
    [["--toString"], "There is no option --toString."],
    [["--port"], "--port needs a value, as in --port 4000."],
    [["--port="], "--port needs a value"],
    [["--port", "--quick"], "--port needs a value"],
    [["--quick=yes"], "--quick takes no value."],
    [["4000"], '"4000" is not expected here; there are --port, --quick, --help.'],
  ])("refuses %j", (argv, message) => {
    expect(() => read(argv)).toThrow(UsageError);
    expect(() => read(argv)).toThrow(message);
    expect(() => read(argv)).toThrow("npm start -- --help says more.");
  });

  test("takes names where they are wanted", () => {
    expect(read(["types", "-q", "text"], true)).toEqual({ values: { quick: true }, names: ["types", "text"] });
  });
});

test.each([
  ["layuot", "layout"],
  ["type", "types"],
  ["tzpx", undefined],
  ["zebra", undefined],
])("nearest to %s is %s", (word, best) => {
  expect(nearest(word, ["types", "layout", "text"])).toBe(best);
});

describe("npm start", () => {
  test.each<[string[], Record<string, string>, ReturnType<typeof readStartArgs>]>([
    [[], {}, { port: 3000, data: ".nearfield" }],
    [[], { PORT: "" }, { port: 3000, data: ".nearfield" }],
    [[], { PORT: "0" }, { port: 0, data: ".nearfield" }],
    [["--port", "4000"], {}, { port: 4000, data: ".nearfield" }],
    [["--port=4000", "--data", "worlds"], { PORT: "5000" }, { port: 4000, data: "worlds" }],
    [["--port=4000"], { PORT: "nonsense" }, { port: 4000, data: ".nearfield" }],
    [["--port=0", "--data=memory:"], { npm_config_port: "1" }, { port: 0, data: "memory:" }],
    [["--help"], { PORT: "nonsense" }, "help"],
    [["-h"], {}, "help"],
  ])("%j with %j", (argv, env, result) => {
    expect(readStartArgs(argv, env)).toEqual(result);
  });

  test.each<[string[], Record<string, string>, string]>([
    [["--port", "abc"], {}, "--port abc: a port is a whole number from 0 (any free one) to 65535."],
    [["--port", "65536"], {}, "--port 65536: a port is"],
    [["--port=-1"], {}, "--port -1: a port is"],
    [["--port", "1e3"], {}, "--port 1e3: a port is"],
    [["--port", "80.5"], {}, "--port 80.5: a port is"],
    [[], { PORT: "http" }, "PORT=http: a port is"],
    [[], { npm_config_port: "4000" }, "npm start -- --port 4000"],
    [["4001"], { npm_config_port: "true" }, "npm start -- --port 4001"],
    [["--data", ""], {}, "--data needs a value"],
    [["--host", "x"], {}, "There is no option --host. There are --port, --data, --help."],
  ])("refuses %j with %j", (argv, env, message) => {
    expect(() => readStartArgs(argv, env)).toThrow(UsageError);
    expect(() => readStartArgs(argv, env)).toThrow(message);
  });
});

describe("npm run bots", () => {
  const url = "ws://localhost:3000/arena/ws";

  test("fills in what is not said", () => {
    const rest = { count: 8, game: "arena", seconds: undefined, seed: 1, udp: false, build: true };
    expect(readBotsArgs(["--url", url])).toEqual({ url, ...rest });
    expect(readBotsArgs([`--url=${url}`, "--count=3", "--udp", "--no-build"])).toEqual({
      ...{ url, ...rest },
      ...{ count: 3, udp: true, build: false },
    });
    expect(readBotsArgs(["--help"])).toBe("help");
  });

  test.each([
    [[], "--url is missing"],
    [["--url", "http://localhost"], "must be a ws:// or wss:// address"],
    [["--url", url, "--count", "0"], "--count 0: must be a whole number from 1 to 1000."],
    [
      ["--url", url, "--game", "chess"],
      "--game chess: there are bots for arena, pacman, skirmish, outpost, frontier, board.",
    ],
    [["--url", url, "--cuont", "3"], "There is no option --cuont; did you mean --count?"],
    [["arena"], '"arena" is not expected here'],
  ])("refuses %j", (argv, message) => {
    expect(() => readBotsArgs(argv)).toThrow(UsageError);
    expect(() => readBotsArgs(argv)).toThrow(message);
  });
});

describe("npm run cluster", () => {
  test("fills in what is not said", () => {
    const rest = { servers: 4, bots: 40, port: 3000, seconds: undefined, build: true };
    expect(readClusterArgs([])).toEqual(rest);
    expect(readClusterArgs(["--servers=1", "--bots", "0", "--port=0", "--seconds=5", "--no-build"])).toEqual({
      ...{ servers: 1, bots: 0, port: 0 },
      ...{ seconds: 5, build: false },
    });
    expect(readClusterArgs(["-h"])).toBe("help");
  });

  test.each([
    [["--servers", "0"], "--servers 0: must be a whole number from 1 to 16."],
    [["--bots", "many"], "--bots many: must be a whole number from 0 to 1000."],
    [["--server", "4"], "There is no option --server; did you mean --servers?"],
    [["4"], '"4" is not expected here'],
  ])("refuses %j", (argv, message) => {
    expect(() => readClusterArgs(argv)).toThrow(UsageError);
    expect(() => readClusterArgs(argv)).toThrow(message);
  });
});

/** The scripts as people call them, where nothing is installed: a mistake and a plea for help are answered before anything is done. */
describe("on a bare clone", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "nearfield-bare-"));
    cpSync(fileURLToPath(new URL("..", import.meta.url)), join(folder, "scripts"), { recursive: true });
    for (const name of ["package.json", "package-lock.json"])
      cpSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), join(folder, name));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const call = (script: string, ...args: string[]) => {
    const env = { ...process.env, PORT: "0", npm_config_port: "" };
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "scripts", script), ...args], {
      ...{ env, encoding: "utf8", cwd: folder },
    });
    return { status, stdout, stderr };
  };

  test.each(["start", "test", "check", "build", "kernel", "bench", "bots", "cluster"])("%s --help", (name) => {
    const { status, stdout, stderr } = call(`${name}.mjs`, "--help");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("--help");
  });

  test.each(["start", "check", "build", "kernel", "bots", "cluster"])("%s --colour", (name) => {
    const { status, stdout, stderr } = call(`${name}.mjs`, "--colour");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain("There is no option --colour. There are --");
    expect(existsSync(join(folder, "node_modules"))).toBe(false);
  });

  test("check with a slip of the finger", () => {
    expect(call("check.mjs", "layuot")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("did you mean layout?"),
    });
  });
});
