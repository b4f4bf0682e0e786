/** The code of the guide *persistence* does what the guide says. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryStore, type Store, type Table, table } from "../src/internal/index.ts";

const guide = readFileSync(new URL("../../../docs/guide/persistence.md", import.meta.url), "utf8");
const folder = new URL("../../../artefacts/guides/persistence/", import.meta.url);

/** Imports a named block of the guide. */
async function block<Exports>(name: string): Promise<Exports> {
  const code = new RegExp(`^\`\`\`ts ${name}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(guide)?.[1];
  if (code === undefined) throw new Error(`the guide has no block ${name}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(name, folder), code);
  return (await import(new URL(name, folder).pathname)) as Exports;
}

it("pays, and does not pay what is not there", async () => {
  interface Bank {
    demo(place: string): Promise<readonly string[]>;
    pay(store: Store, from: string, to: string, gold: number): Promise<void>;
  }
  const { demo, pay } = await block<Bank>("bank.ts");
  const data = mkdtempSync(join(tmpdir(), "nearfield-guide-"));
  expect(await demo(data)).toEqual(["ann: 6 gold, version 2", "bob: 4 gold, version 1"]);
  rmSync(data, { recursive: true });
  await expect(pay(new MemoryStore(), "cem", "ann", 1)).rejects.toThrow("cem has less than 1");
});

it("migrates", async () => {
  const { people } = await block<{ people: Table<{ first: string; last: string }> }>("people.ts");
  const store = new MemoryStore();
  await store.transact(async (transaction) => transaction.put(table<string>("people"), "1", "Ann Lee"));
  const ann = await store.transact((transaction) => transaction.get(people, "1"));
  expect(ann?.value).toEqual({ first: "Ann", last: "Lee" });
});
