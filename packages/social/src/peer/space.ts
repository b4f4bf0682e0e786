/**
 * An action space as one of its players sees it: `tick` in the game's own loop, and what there is to draw and to show. The fight runs on this machine and on
 * those of the others; nobody hosts it.
 *
 *     const space = await enterSpace(client, invitation, { fight, session: { inputBytes: 1 }, peers: browserPeers });
 *     function draw() { space.tick(client.clock.timeMs, pressed); paint(fight.state.at); requestAnimationFrame(draw); }
 */

import type { Client } from "@nearfield/client";
import type { PeerView, SpacePlayer, SpaceStatus } from "@nearfield/rollback/mesh";
import type { PeerSession, Timeline } from "@nearfield/rollback/session";
import type { Off } from "@nearfield/schema";
import { Listeners } from "@nearfield/schema/internal";
import { HandIn } from "./hand-in.ts";
import type { Invitation } from "./invitation.ts";
import type { Wiring } from "./wiring.ts";

export class Space {
  readonly invitation: Invitation;
  readonly #result: HandIn;
  readonly #player: SpacePlayer;
  readonly #wiring: Wiring;
  readonly #names = new Map<number, string>();
  readonly #ends: Listeners<(why: string) => void> = new Listeners();
  readonly #refusals: Listeners<(code: string, detail: string) => void> = new Listeners();
  #ended: string | undefined;

  constructor(client: Client, invitation: Invitation, player: SpacePlayer, wiring: Wiring) {
    this.#result = new HandIn(client, invitation.space);
    this.invitation = invitation;
    this.#player = player;
    this.#wiring = wiring;
  }

  /** The own number in the fight. */
  get own(): number {
    return this.invitation.address;
  }

  /** `joining`: another player lets it in. `out`: voted out; it asks to be let in again by itself. */
  get status(): SpaceStatus {
    return this.#player.status;
  }

  /** Why the space has ended; undefined before. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** The number of the state that is shown; −1 before this player takes part. */
  get head(): number {
    return this.#player.timeline?.head ?? -1;
  }

  /** The number of the newest state that can no longer change; −1 before this player takes part. */
  get tail(): number {
    return this.#player.timeline?.tail ?? -1;
  }

  /** Steps, rollbacks, whether a correction is under way; undefined before this player takes part. After a new entry it is another one. */
  get timeline(): Timeline | undefined {
    return this.#player.timeline;
  }

  /** The session of the fight, for whoever checks it; undefined before this player takes part. After a new entry it is another one. */
  get session(): PeerSession | undefined {
    return this.#player.session;
  }

  /** Everybody else: direct, relayed, lost or gone, round trip, whether the fight waits for it. */
  get peers(): readonly (PeerView & { readonly name: string })[] {
    return this.#player.peers.map((peer) => ({ ...peer, name: this.#names.get(peer.address) ?? "" }));
  }

  /**
   * Goes on with the fight; call it in every frame. `nowMs` is the server's time, `client.clock.timeMs`; `input` is what the player wants now, and is copied.
   * Returns whether the fight's state has changed.
   */
  tick(nowMs: number, input: Uint8Array): boolean {
    if (this.#ended !== undefined) return false;
    this.#result.tick();
    return this.#player.tick(nowMs, input);
  }

  /** Hands in what this player has to say of the fight, once: for the server's `onEnd`. At most 512 KiB. It leaves with the next ticks. */
  handIn(result: Uint8Array): void {
    this.#result.begin(result);
  }

  /** Leaves for good. The others go on at once: nobody has to be voted out. */
  leave(): void {
    this.#wiring.leave();
    this.#close("left");
  }

  /** Called once, when the space has ended: by the server, or because this player left. */
  onEnd(handler: (why: string) => void): Off {
    return this.#ends.add(handler);
  }

  /** The server did not do what this member asked. */
  onRefusal(handler: (code: string, detail: string) => void): Off {
    return this.#refusals.add(handler);
  }

  /** For `enterSpace`. */
  hear(): void {
    this.#wiring.listen(this.#player, {
      onSeat: ({ address }, name, key) => {
        this.#names.set(address, name);
        if (key.length > 0 && address < this.invitation.slots) this.invitation.keys[address] = key;
      },
      onRefusal: (code, detail) => {
        for (const handler of this.#refusals.list) handler(code, detail);
        if (code === "unknown-space" || code === "banned") this.#close(code);
      },
      onEnd: (why) => this.#close(why),
    });
  }

  #close(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#player.leave();
    this.#wiring.cut();
    for (const handler of this.#ends.list) handler(why);
  }
}
