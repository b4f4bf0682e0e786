import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { root, run } from "./process.mjs";

it.each([root, tmpdir()])("tells a program that it runs in %s, whatever the way there", async (cwd) => {
  const env = { ...process.env, PWD: "/a/link/to/it" };
  const { output } = await run(process.execPath, ["-p", "process.env.PWD"], { cwd, env, output: "collect" });
  expect(output.trim()).toBe(cwd);
});
