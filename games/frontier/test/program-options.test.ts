/** The program's options, and what is said of wrong ones. */

import { expect, it } from "vitest";
import { readProgramOptions } from "../src/node/program-options.ts";

it("stands alone without NATS, and takes secrets from the environment only", () => {
  expect(readProgramOptions(["--port", "0"], {})).toEqual({
    port: 0,
    host: "127.0.0.1",
    address: undefined,
    page: undefined,
    cluster: undefined,
  });
  const env = { NEARFIELD_NATS_USER: "ann", NEARFIELD_NATS_PASSWORD: "secret" };
  expect(readProgramOptions(["--nats", "a:1,b:2", "--replicas", "3"], env)).toMatchObject({
    cluster: { nats: { servers: ["a:1", "b:2"], world: "frontier", replicas: 3, user: "ann", password: "secret" } },
  });
  expect(readProgramOptions(["--help"], {})).toBe("help");
});

it("says which option is wrong", () => {
  expect(() => readProgramOptions(["--port", "x"], {})).toThrow("--port x");
  expect(() => readProgramOptions(["--replicas", "2"], {})).toThrow("--replicas 2");
  expect(() => readProgramOptions(["--prot", "1"], {})).toThrow("--prot");
});
