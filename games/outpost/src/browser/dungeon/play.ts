/**
 * One frame of a dungeon: the fight goes on on this machine and on those of the others, and what it came to is drawn. What is shown is the head, which may still
 * be corrected; whether the player is out is read from final states alone.
 */

import type { Client } from "@nearfield/client";
import { PLAYER_COLOURS, playerColour } from "@nearfield/kit";
import { browserPeers } from "@nearfield/rollback/browser";
import type { Invitation, Space } from "@nearfield/social/peer";
import { type Dungeon, lootOf } from "../../dungeon/dungeon.ts";
import { INPUT_BYTES, writeInput } from "../../dungeon/input.ts";
import {
  EXIT_RADIUS,
  LOOT_KINDS,
  MONSTER_KINDS,
  MOST_MONSTERS,
  MOST_STEPS,
  PLAYER,
  STEP_MS,
} from "../../dungeon/numbers.ts";
import { type DungeonColumns, Fate, newState } from "../../dungeon/state.ts";
import { isNear } from "../../dungeon/walking.ts";
import { dungeonRules, enterDungeon, type MemberKey } from "../../paid-dungeon.ts";
import { Particles } from "../art/particles.ts";
import type { Label } from "../hud/labels.ts";
import type { Mark } from "../hud/minimap.ts";
import type { Counts } from "../hud/purse.ts";
import type { Intent } from "../input/intent.ts";
import type { PlayParts } from "../play-parts.ts";
import { Happenings } from "./happenings.ts";
import { DungeonScene } from "./scene.ts";
import { Shown } from "./shown.ts";

/** Where a player is asked to, over which connection, and what it signs with. */
export interface Invited {
  readonly invitation: Invitation;
  readonly client: Client;
  readonly key: MemberKey;
}

/** How a visit ended. */
export interface Leaving {
  readonly why: "out" | "fell-in" | "left" | "ended";
  readonly loot: Counts;
}

const COLOURS: readonly number[] = PLAYER_COLOURS.map((colour) => Number.parseInt(colour.slice(1), 16));
const PAIN_MS = 450;
/** How long a player who is out goes on for those who are behind, at most, ms. What it carried out is paid long before, unless somebody lies. */
const LINGER_MS = 40_000;

export class DungeonPlay {
  readonly dungeon: Dungeon;
  readonly #parts: PlayParts;
  readonly #invitation: Invitation;
  readonly #client: Client;
  readonly #onEnd: (leaving: Leaving) => void;
  readonly #scene: DungeonScene;
  readonly #shown: Shown;
  readonly #happenings: Happenings;
  readonly #input = new Uint8Array(INPUT_BYTES);
  /** The newest final state, for what must not be guessed. */
  readonly #final;
  #space: Space | undefined;
  #heading = 0;
  #isEnded = false;
  #isPaid = false;
  /** Until when it goes on for the others after its end; undefined: not decided yet. */
  #lingersUntilMs: number | undefined;

  constructor(parts: PlayParts, { invitation, client, key }: Invited, onEnd: (leaving: Leaving) => void) {
    const { slots } = invitation;
    this.#parts = parts;
    this.#invitation = invitation;
    this.#client = client;
    this.#onEnd = onEnd;
    this.dungeon = dungeonRules.fight(invitation);
    this.#final = newState(slots);
    const particles = new Particles();
    const { pictures, camera, sound } = parts;
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.#scene = new DungeonScene(this.dungeon.layout, pictures, particles);
    this.#shown = new Shown(slots);
    this.#happenings = new Happenings({ particles, pictures, camera, sound, isCalm: () => calm.matches }, slots);
    this.#scene.enter(parts.stage);
    parts.hud.minimap.forget();
    camera.cut();
    this.#shown.take(this.#at, 0);
    void this.#enter(key);
  }

  /** What the others and this page make of the fight; undefined until the server has let this player in. */
  get space(): Space | undefined {
    return this.#space;
  }

  get own(): number {
    return this.#invitation.address;
  }

  get #at(): DungeonColumns {
    return this.dungeon.state.at;
  }

  /** Leaves without loot. */
  giveUp(): void {
    this.#end("left");
  }

  frame(intent: Intent, elapsedMs: number, nowMs: number): void {
    const { stage, camera } = this.#parts;
    this.#aim(intent);
    if (this.#space?.tick(this.#client.clock.timeMs, this.#input)) {
      this.#shown.take(this.#at, nowMs);
      this.#happenings.take(this.#at, this.own, nowMs);
    }
    this.#shown.glide(nowMs);
    const x = this.#shown.players.x[this.own]!;
    const y = this.#shown.players.y[this.own]!;
    const isPointer = intent.aim === "pointer";
    const aimX = isPointer ? (intent.aimX / stage.width) * 2 - 1 : intent.aimX;
    const aimY = isPointer ? (intent.aimY / stage.height) * 2 - 1 : intent.aimY;
    camera.follow(x, y, aimX, aimY, stage, elapsedMs);
    stage.begin(camera.view());
    this.#scene.draw(stage, {
      at: this.#at,
      shown: this.#shown,
      happenings: this.#happenings,
      own: this.own,
      colours: COLOURS,
      nowMs,
    });
    stage.end();
    this.#write(nowMs);
  }

  async #enter(key: MemberKey): Promise<void> {
    try {
      const space = await enterDungeon(this.#client, this.#invitation, this.dungeon, {
        key,
        peers: browserPeers,
        random: Math.random,
        onSettled: (state, _, saved) => this.#settled(state, saved),
      });
      if (this.#isEnded) return space.leave();
      this.#space = space;
      space.onEnd(() => this.#end("ended"));
    } catch {
      this.#end("ended");
    }
  }

  #settled(state: number, saved: Uint8Array): void {
    this.#final.load(saved);
    if (this.#final.at.fate[this.own] === Fate.out) this.#end("out");
    else if (state >= MOST_STEPS) this.#end("fell-in");
  }

  #end(why: Leaving["why"]): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    if (why !== "out") this.#lingersUntilMs = 0;
    this.#onEnd({ why, loot: lootOf(this.#final.at, this.own) });
  }

  /**
   * Goes on with the fight after this player is out and looks at the town: the others need its last inputs to see that it is out, and the server its word to pay. False: it has left for
   * good.
   */
  linger(nowMs: number): boolean {
    this.#lingersUntilMs ??= nowMs + LINGER_MS;
    const isNeeded = (!this.#isPaid && this.#space?.ended === undefined) || (this.#space?.openClaims ?? 0) > 0;
    if (nowMs < this.#lingersUntilMs && isNeeded) {
      this.#input.fill(0);
      this.#space?.tick(this.#client.clock.timeMs, this.#input);
      return true;
    }
    this.#space?.leave();
    return false;
  }

  /** The server was started anew: what it has not paid yet is told again. */
  claimOver(client: Client): void {
    this.#space?.claimOver(client);
  }

  /** The server has paid what this player carried out, or denied it: what is left is its word on the others. */
  paid(): void {
    this.#isPaid = true;
  }

  /** Leaves for good, whoever still needs this player. */
  leave(): void {
    this.#space?.leave();
  }

  #aim(intent: Intent): void {
    const { stage } = this.#parts;
    const { x, y } = this.#shown.players;
    if (intent.aim === "pointer")
      this.#heading = Math.atan2(stage.worldY(intent.aimY) - y[this.own]!, stage.worldX(intent.aimX) - x[this.own]!);
    else this.#heading = Math.atan2(intent.aimY, intent.aimX);
    const { moveX, moveY, fires, uses, dashes } = intent;
    writeInput({ moveX, moveY, heading: this.#heading, fires, uses, dashes }, this.#input);
  }

  // ── what is written ────────────────────────────────────────────────────────────────────────────────────────────

  #write(nowMs: number): void {
    const { hud } = this.#parts;
    const at = this.#at;
    const own = this.own;
    hud.vitals(at.health[own]!, PLAYER.health, 1 - at.dashPause[own]! / PLAYER.dashPause);
    hud.pain(Math.max(0, 1 - (nowMs - this.#happenings.hurtMs) / PAIN_MS) + (at.fate[own] === Fate.down ? 0.8 : 0));
    hud.purse.show(Object.fromEntries(LOOT_KINDS.map((kind, row) => [kind, at.loot[own * LOOT_KINDS.length + row]!])));
    hud.clock((MOST_STEPS - Math.max(0, this.#space?.head ?? 0)) * STEP_MS);
    hud.prompt(this.#promptWords());
    this.#writeParty();
    this.#label();
    this.#drawMap();
  }

  #promptWords(): string {
    const at = this.#at;
    const { start, exit } = this.dungeon.layout;
    if (this.#space === undefined || this.#client.clock.timeMs < this.#invitation.startMs) return "The gate opens…";
    if (this.#space.status === "joining") return "Finding the others…";
    if (this.#space.status === "out") return "The others went on without you. Coming back…";
    if (at.fate[this.own] === Fate.down)
      return `You fell. You wake in ${Math.ceil((at.wakes[this.own]! * STEP_MS) / 1000)}`;
    const [x, y] = [at.x[this.own]!, at.y[this.own]!];
    const isAtExit = isNear(x, y, start.x, start.y, EXIT_RADIUS) || isNear(x, y, exit.x, exit.y, EXIT_RADIUS);
    return isAtExit ? "Hold E — leave with your loot" : "";
  }

  nameOf(slot: number): string {
    if (slot === this.own) return this.#parts.name;
    return this.#space?.peers.find(({ address }) => address === slot)?.name ?? "";
  }

  #writeParty(): void {
    const at = this.#at;
    const gone = new Set(this.#space?.peers.filter(({ state }) => state === "gone").map(({ address }) => address));
    this.#parts.hud.party.show(
      [...at.fate.keys()]
        .filter((slot) => slot !== this.own && !gone.has(slot))
        .map((slot) => ({
          name: this.nameOf(slot),
          colour: playerColour(slot),
          words: at.fate[slot] === Fate.out ? "out" : at.fate[slot] === Fate.down ? "down" : "",
          health: at.fate[slot] === Fate.out ? 1 : at.health[slot]! / PLAYER.health,
        })),
    );
  }

  #label(): void {
    const { stage, hud } = this.#parts;
    const labels: Label[] = [];
    for (const slot of this.#at.fate.keys()) {
      if (slot === this.own || this.#at.fate[slot] === Fate.out) continue;
      const [x, y] = [this.#shown.players.x[slot]!, this.#shown.players.y[slot]!];
      if (!stage.isSeen(x, y, 20)) continue;
      labels.push({
        id: String(slot),
        name: this.nameOf(slot),
        colour: playerColour(slot),
        x: stage.screenX(x),
        y: stage.screenY(y - 14),
      });
    }
    hud.labels.show(labels);
  }

  #drawMap(): void {
    const at = this.#at;
    const { layout } = this.dungeon;
    const heroes: Mark[] = [...at.fate.keys()]
      .filter((slot) => at.fate[slot] !== Fate.out)
      .map((slot) => ({
        x: at.x[slot]!,
        y: at.y[slot]!,
        colour: playerColour(slot),
        size: slot === this.own ? 4.4 : 3,
      }));
    const others: Mark[] = [layout.start, layout.exit].map(({ x, y }) => ({ x, y, colour: "#9a86ff", size: 4.4 }));
    for (let monster = 0; monster < MOST_MONSTERS; monster++)
      if (at.kind[monster] !== 0)
        others.push({
          x: at.monsterX[monster]!,
          y: at.monsterY[monster]!,
          colour: "#ff5d6e",
          size: MONSTER_KINDS[at.kind[monster]!] === "warden" ? 4.4 : 1.8,
        });
    this.#parts.hud.minimap.drawDungeon(layout, heroes, others);
  }
}
