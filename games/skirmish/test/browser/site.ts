/** A small site for the browser tests: the built page at /skirmish/, and the game's server beside it. */

import { join } from "node:path";
import { PageSite } from "../../../../test/page-site.ts";
import { type RunningSkirmish, type SkirmishOptions, startSkirmish } from "../../src/node/index.ts";

const WORKSPACE = join(import.meta.dirname, "../..");

export class Site {
  readonly url: string;
  readonly #page: PageSite;
  readonly #running: RunningSkirmish;

  private constructor(page: PageSite, running: RunningSkirmish) {
    this.url = page.url;
    this.#page = page;
    this.#running = running;
  }

  static async open(options: Omit<SkirmishOptions, "server" | "path">): Promise<Site> {
    const page = await PageSite.open("skirmish", WORKSPACE);
    const running = await startSkirmish({ ...options, server: page.http, path: "/skirmish/ws" });
    return new Site(page, running);
  }

  get host(): RunningSkirmish["host"] {
    return this.#running.host;
  }

  get server(): RunningSkirmish["game"] {
    return this.#running.game;
  }

  breakLinks(): void {
    this.#page.breakLinks();
  }

  async close(): Promise<void> {
    await this.#running.close();
    this.#page.close();
  }
}
