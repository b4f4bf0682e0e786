import { expect, test } from "vitest";
import { addressesIn, addressIn, firstCommand } from "./served.mjs";

test("the first command of a document, without its comment", () => {
  const readme =
    "# Name\n\n```ts a.ts\nconst a = 1;\n```\n\n```sh\nnpm start   # serves it\nnpm test\n```\n\n```sh\nls\n```\n";
  expect(firstCommand(readme)).toBe("npm start");
  expect(firstCommand("# Name\n")).toBeUndefined();
});

test("the address that a start prints", () => {
  expect(
    addressIn("Compiling …\nNearfield playground: http://localhost:4123/\nInspector: http://localhost:4123/i"),
  ).toBe("http://localhost:4123/");
  expect(addressIn("Nearfield playground: http://localhost:41")).toBeUndefined();
  expect(addressIn("Compiling …")).toBeUndefined();
});

test("what a page refers to on its own server, each once", () => {
  const html = `<a href="/arena/">a</a> <script type="module" src="./assets/main.js"></script> <a href="https://example.org/">out</a>
    <a href="#top">top</a> <a href="/arena/#rules">rules</a> <img src="../icon.svg" />`;
  expect(addressesIn(html, "http://localhost:1/pacman/")).toEqual([
    "http://localhost:1/arena/",
    "http://localhost:1/pacman/assets/main.js",
    "http://localhost:1/icon.svg",
  ]);
});
