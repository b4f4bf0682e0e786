/** A small site for the browser tests: the built page at /outpost/, and the game's server beside it, which can be started anew on the same folder. */

import { join } from "node:path";
import { PageSite } from "../../../../test/page-site.ts";
import { type OutpostOptions, type RunningOutpost, startOutpost } from "../../src/node/index.ts";

const WORKSPACE = join(import.meta.dirname, "../..");

export class Site {
  readonly url: string;
  readonly #page: PageSite;
  readonly #options: Omit<OutpostOptions, "server" | "path">;
  #running: RunningOutpost;

  private constructor(page: PageSite, running: RunningOutpost, options: Omit<OutpostOptions, "server" | "path">) {
    this.url = page.url;
    this.#page = page;
    this.#running = running;
    this.#options = options;
    page.answer = (...asked) => this.#running.answer(...asked);
  }

  static async open(options: Omit<OutpostOptions, "server" | "path">): Promise<Site> {
    const page = await PageSite.open("outpost", WORKSPACE);
    return new Site(page, await startOutpost({ ...options, server: page.http, path: "/outpost/ws" }), options);
  }

  get running(): RunningOutpost {
    return this.#running;
  }

  /** Ends the server, and starts another one on what it has kept. */
  async restart(): Promise<void> {
    await this.#running.close();
    this.#running = await startOutpost({ ...this.#options, server: this.#page.http, path: "/outpost/ws" });
  }

  async close(): Promise<void> {
    await this.#running.close();
    this.#page.close();
  }
}
