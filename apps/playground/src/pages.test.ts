import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PageError, Pages } from "./pages.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

describe("Pages", () => {
  let folder: string;
  let server: Server;

  /** Sends the path as it is; `fetch` would tidy "../" away before it leaves. */
  function ask(path: string, options: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const sent = request({ port, path, host: "127.0.0.1", ...options }, (response) => {
        let body = "";
        response.on("data", (chunk: Buffer) => {
          body += chunk.toString();
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
      });
      sent.on("error", reject);
      sent.end();
    });
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "nearfield-pages-"));
    mkdirSync(join(folder, "page/assets"), { recursive: true });
    writeFileSync(join(folder, "secret.txt"), "secret");
    writeFileSync(join(folder, "page/index.html"), "<p>home</p>");
    writeFileSync(join(folder, "page/404.html"), "<p>lost</p>");
    writeFileSync(join(folder, "page/a b.svg"), "<svg/>");
    writeFileSync(join(folder, "page/assets/main-1a2b.js"), "1;");
    symlinkSync(join(folder, "secret.txt"), join(folder, "page/link.txt"));
    const pages = new Pages();
    pages.add("/", join(folder, "page"));
    pages.add("/game/", join(folder, "page"));
    server = createServer((incoming, response) => pages.serve(incoming, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });

  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  test("serves index.html at its prefix, with type and length", async () => {
    const answer = await ask("/?from=test");
    expect(answer).toMatchObject({ status: 200, body: "<p>home</p>" });
    expect(answer.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-length": "11",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
  });

  test("decodes addresses", async () => {
    expect(await ask("/a%20b.svg")).toMatchObject({ status: 200, body: "<svg/>" });
  });

  test("lets hashed files be cached for ever and revalidates the others", async () => {
    expect((await ask("/assets/main-1a2b.js")).headers["cache-control"]).toContain("immutable");
    const tag = (await ask("/")).headers["etag"] as string;
    expect(await ask("/", { headers: { "If-None-Match": tag } })).toMatchObject({ status: 304, body: "" });
    expect(await ask("/", { headers: { "If-None-Match": '"another"' } })).toMatchObject({ status: 200 });
  });

  test("answers HEAD without a body and refuses other methods", async () => {
    expect(await ask("/", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    const refused = await ask("/", { method: "POST" });
    expect(refused).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } });
  });

  test("sends a folder's address on to the one with a slash, on this site only", async () => {
    expect(await ask("/game")).toMatchObject({ status: 308, headers: { location: "./game/" } });
    expect((await ask("//game")).status).toBe(404);
  });

  test.each([
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/assets/../../secret.txt",
    "/..\\secret.txt",
    "/link.txt",
    "/nowhere",
  ])("does not serve %s", async (path) => {
    expect(await ask(path)).toMatchObject({ status: 404, body: "<p>lost</p>" });
  });

  test("refuses an address that cannot be decoded", async () => {
    expect((await ask("/%E0%A4")).status).toBe(400);
  });

  test("says at the start that a page was not built", () => {
    expect(() => new Pages().add("/", join(folder, "nothing"))).toThrow(PageError);
    expect(() => new Pages().add("/x/", join(folder, "page/assets"))).toThrow(/No index.html in .*assets.*\/x\//);
  });
});
