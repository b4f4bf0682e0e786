/** Whole seeded fights come to the same checksums, and send the same bytes, in a page as in Node. A page signs with the keys of its own host. */

import { ed25519 } from "@nearfield/rollback/trust";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../../../../test/browser.ts";
import { PageSite } from "../../../../test/page-site.ts";
import { bundleBits } from "../../../simulation/test/bits-bundle.ts";
import { meshBits } from "../mesh-bits.ts";

const PAGE = `<!doctype html><title>Fights</title><script type="module">
  import { meshBits } from "/bits.js";
  import { ed25519 } from "/trust.js";
  globalThis.meshBits = meshBits;
  globalThis.sign = async (bytes) => {
    const signer = await ed25519(crypto.subtle).createSigner();
    const signature = await signer.sign(Uint8Array.from(bytes));
    return { publicKey: [...signer.publicKey], signature: [...signature] };
  };
</script>`;

let site: PageSite;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  site = await PageSite.ofTexts(PAGE, {
    "/bits.js": await bundleBits(new URL("../mesh-bits.ts", import.meta.url)),
    "/trust.js": await bundleBits(new URL("../../../rollback/src/trust/keys.ts", import.meta.url)),
  });
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForFunction("globalThis.sign !== undefined");
});

afterAll(async () => {
  await browser?.close();
  site?.close();
});

test("fights of peers are the same in a page and in Node", async () => {
  expect(await page.evaluate("meshBits()")).toEqual(meshBits());
});

test("what a page signed is verified in Node", async () => {
  const bytes = [1, 2, 3];
  const { publicKey, signature } = (await page.evaluate(`sign([${bytes}])`)) as Record<string, number[]>;
  const verifier = ed25519(crypto.subtle);
  const verify = (told: number[]) =>
    verifier.verify(Uint8Array.from(publicKey!), Uint8Array.from(told), Uint8Array.from(signature!));
  expect(await verify(bytes)).toBe(true);
  expect(await verify([1, 2, 4])).toBe(false);
});
