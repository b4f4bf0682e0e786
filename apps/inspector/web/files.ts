/** Files of the operator's own machine: saved by a download, opened by the browser's own dialogue. */

import { find, make } from "./dom.ts";

/** @param pieces of its text */
export function saveFile(name: string, ...pieces: readonly string[]): void {
  const url = URL.createObjectURL(new Blob([...pieces], { type: "application/json" }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Calls `take` with the text and the name of each file that is chosen in the hidden input, `fail` where it cannot be read or taken. */
export function onFile(
  selector: string,
  mostBytes: number,
  take: (text: string, name: string) => void,
  fail: (detail: string) => void,
): void {
  const input = find<HTMLInputElement>(selector);
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    input.value = "";
    if (file === undefined) return;
    if (file.size > mostBytes) {
      fail(`${file.name} is too long`);
      return;
    }
    file
      .text()
      .then((text) => take(text, file.name))
      .catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
  });
}

export function chooseFile(selector: string): void {
  find<HTMLInputElement>(selector).click();
}
