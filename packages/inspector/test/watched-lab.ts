/** A lab with ships that fly about, and a page of the inspector reduced to its texts, on virtual time. */

import { type ViewSettings, zones } from "@nearfield/core";
import {
  FEED_VERSION,
  type Feed,
  FeedReader,
  Inspector,
  type InspectorOptions,
  type InspectorPage,
} from "@nearfield/inspector/internal";
import { Lab } from "@nearfield/netlab";
import type { LabOptions } from "@nearfield/netlab/internal";
import { angle, type ObjectId, object, Protocol, quantized } from "@nearfield/schema";

const place = quantized(0, 1000, 0.1);
export const Ship = object(
  "ship",
  { x: place, y: place, heading: angle(8) },
  { position: ["x", "y"], orientation: "heading" },
);
export const protocol = new Protocol({ objects: [Ship] });
export const view: ViewSettings = zones(Ship, {
  radii: [100, 300],
  sectors: [120],
  bounds: [
    [{ time: 0 }, { time: 100, value: 5 }],
    [
      { time: 200, value: 10 },
      { time: 400, value: 20 },
    ],
    [{ time: 1000 }, { time: 2000 }],
  ],
});
export const TOKEN = "a token for tests";

/** Ships that all fly on, so that every one is updated in every round. */
export function flyingLab(options: Partial<LabOptions> = {}, ships = 40): Lab {
  const lab = new Lab({ protocol, view, roundMs: 50, seed: 7, spectators: "anybody", ...options });
  const dice = lab.dice.fork("game");
  const launch = (owner: number): { readonly id: ObjectId } =>
    lab.world.spawn(Ship, { x: dice.range(0, 1000), y: dice.range(0, 1000), heading: dice.range(-3, 3) }, { owner });
  for (let i = 0; i < ships; i++) launch(0);
  lab.server.onJoin((player) => player.pivotOn(launch(player.id)));
  lab.server.onRound((world) => {
    for (const ship of world.all(Ship)) {
      ship.x = (ship.x + 5 * Math.cos(ship.heading) + 1000) % 1000;
      ship.y = (ship.y + 5 * Math.sin(ship.heading) + 1000) % 1000;
    }
  });
  return lab;
}

type TellOf<Kind extends Feed.Tell["tell"]> = Extract<Feed.Tell, { tell: Kind }>;

export class TestPage {
  readonly inspector: Inspector;
  readonly page: InspectorPage;
  readonly tells: Feed.Tell[] = [];
  /** Code with which the server closed it; 0 while it is open. */
  closedWith = 0;
  backlogBytes = 0;
  readonly #reader = new FeedReader();
  readonly #lab: Lab;

  constructor(lab: Lab, options: Partial<InspectorOptions> = {}) {
    this.#lab = lab;
    this.inspector = new Inspector(lab.server, { isToken: (token) => token === TOKEN, ...options });
    this.inspector.onWork = () => this.inspector.work(lab.clock.nowMs);
    const page = this;
    this.page = this.inspector.open({
      get backlogBytes() {
        return page.backlogBytes;
      },
      send: (text) => page.tells.push(...page.#reader.read(text)),
      close: (code) => {
        page.closedWith = code;
      },
    });
  }

  static welcome(lab: Lab, options: Partial<InspectorOptions> = {}): TestPage {
    const page = new TestPage(lab, options);
    page.ask({ ask: "hello", token: TOKEN, version: FEED_VERSION });
    return page;
  }

  ask(ask: Feed.Ask | Record<string, unknown> | string): void {
    this.page.receive(typeof ask === "string" ? ask : JSON.stringify(ask), this.#lab.clock.nowMs);
  }

  /** What an ask is answered with; answers come in a turn of their own. */
  async answer<Kind extends Feed.Tell["tell"]>(
    kind: Kind,
    ask: Feed.Ask | Record<string, unknown>,
  ): Promise<TellOf<Kind>> {
    const before = this.tells.length;
    this.ask(ask);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    const found = this.tells.slice(before).find((tell) => tell.tell === kind);
    if (found === undefined) throw new Error(`no ${kind}, but ${JSON.stringify(this.tells.slice(before))}`);
    return found as TellOf<Kind>;
  }

  last<Kind extends Feed.Tell["tell"]>(kind: Kind): TellOf<Kind> {
    const found = this.tells.findLast((tell) => tell.tell === kind);
    if (found === undefined) throw new Error(`no ${kind} was told`);
    return found as TellOf<Kind>;
  }
}
