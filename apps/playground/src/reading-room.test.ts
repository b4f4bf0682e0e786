import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ReadingRoom, SOURCE_PREFIX } from "./reading-room.ts";

describe("the reading room", () => {
  let folder: string;
  let server: Server;

  const ask = async (path: string, init: RequestInit = {}) => {
    const { port } = server.address() as AddressInfo;
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual", ...init });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "nearfield-reading-"));
    for (const name of ["docs", "src", "node_modules/x", "src/dist", ".git"])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(
      join(folder, "README.md"),
      "# Hello\n\nSee [views](docs/views.md#what-it-is).\n\n<script>bad()</script>\n",
    );
    writeFileSync(
      join(folder, "docs/views.md"),
      "# Views\n\n## What `it` is\n\n```ts server.ts\nif (a < 1) b();\n```\n\n```\nplain\n```\n",
    );
    writeFileSync(join(folder, "src/a.ts"), 'const a = "<b>";\n');
    for (const name of ["node_modules/x/i.js", "src/dist/a.js", ".git/config", ".env"])
      writeFileSync(join(folder, name), "secret");
    symlinkSync("/etc", join(folder, "src/etc"));
    const reading = new ReadingRoom(folder, "/style.css");
    server = createServer((request, response) => reading.serve(request, response, decodeURIComponent(request.url!)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });

  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  test("lists folders, with the front page below", async () => {
    const { status, text } = await ask(SOURCE_PREFIX);
    expect(status).toBe(200);
    expect(text).toContain('<a href="docs/">docs/</a>');
    expect(text).toContain('<h1 id="hello">Hello</h1>');
    expect(text).not.toMatch(/node_modules|\.git|\.env/);
  });

  test("renders documents, with the names their links use, and lets no script run", async () => {
    const { text, headers } = await ask(`${SOURCE_PREFIX}docs/views.md`);
    expect(text).toContain('<h2 id="what-it-is">What <code>it</code> is</h2>');
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("says which file a block of a document is", async () => {
    const { text } = await ask(`${SOURCE_PREFIX}docs/views.md`);
    expect(text).toContain(
      '<p class="file">server.ts</p>\n<pre><code class="language-ts">if (a &#60; 1) b();\n</code></pre>',
    );
    expect(text.match(/class="file"/g)).toHaveLength(1);
  });

  test("shows sources line by line, as text", async () => {
    const { text } = await ask(`${SOURCE_PREFIX}src/a.ts`);
    expect(text).toContain('<span id="L1">const a = &#34;&#60;b&#62;&#34;;');
  });

  test("sends a folder without its slash on", async () => {
    const { status, headers } = await ask(`${SOURCE_PREFIX}docs`);
    expect([status, headers.get("location")]).toEqual([308, "/source/docs/"]);
  });

  test.each([
    "nothing.ts",
    "node_modules/x/i.js",
    "src/dist/a.js",
    ".git/config",
    ".env",
    "src/etc/hostname",
    "..%2f..%2fetc/hostname",
  ])("has no %s", async (path) => {
    const { status, text } = await ask(SOURCE_PREFIX + path);
    expect(status).toBe(404);
    expect(text).not.toContain("secret");
  });

  test("answers GET and HEAD alone", async () => {
    expect((await ask(SOURCE_PREFIX, { method: "POST" })).status).toBe(405);
    expect((await ask(`${SOURCE_PREFIX}README.md`, { method: "HEAD" })).text).toBe("");
  });
});
