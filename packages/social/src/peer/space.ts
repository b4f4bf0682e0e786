/**
 * An action space as one of its players sees it: `tick` in the game's own loop, and what there is to draw and to show. The fight runs on this machine and on
 * those of the others; nobody hosts it.
 *
 *     const space = await enterSpace(client, invitation, { fight, session: { inputBytes: 1 }, peers: browserPeers });
 *     function draw() { space.tick(client.clock.timeMs, pressed); paint(fight.state.at); requestAnimationFrame(draw); }
 */

import type { Client } from "@nearfield/client";
import type { PeerView, Seat, SpacePlayer } from "@nearfield/rollback/mesh";
import type { PeerSession, Timeline } from "@nearfield/rollback/session";
import type { Off } from "@nearfield/schema";
import { Listeners } from "@nearfield/schema/internal";
import { HandIn } from "./hand-in.ts";
import type { Invitation } from "./invitation.ts";
import { SeatHolder } from "./seat-holder.ts";
import type { Testimony } from "./testimony.ts";
import type { Wiring } from "./wiring.ts";

export class Space extends SeatHolder<SpacePlayer> {
  readonly #result: HandIn;
  readonly #names = new Map<number, string>();
  readonly #refusals: Listeners<(code: string, detail: string) => void> = new Listeners();

  constructor(client: Client, invitation: Invitation, player: SpacePlayer, wiring: Wiring, testimony?: Testimony) {
    super(invitation, player, wiring, testimony);
    this.#result = new HandIn(client, invitation.space);
  }

  /** The own number in the fight. */
  get own(): number {
    return this.invitation.address;
  }

  /** The number of the state that is shown; −1 before this player takes part. */
  get head(): number {
    return this.member.timeline?.head ?? -1;
  }

  /** The number of the newest state that can no longer change; −1 before this player takes part. */
  get tail(): number {
    return this.member.timeline?.tail ?? -1;
  }

  /** Steps, rollbacks, whether a correction is under way; undefined before this player takes part. After a new entry it is another one. */
  get timeline(): Timeline | undefined {
    return this.member.timeline;
  }

  /** The session of the fight, for whoever checks it; undefined before this player takes part. After a new entry it is another one. */
  get session(): PeerSession | undefined {
    return this.member.session;
  }

  /** Everybody else: direct, relayed, lost or gone, round trip, whether the fight waits for it. */
  get peers(): readonly (PeerView & { readonly name: string })[] {
    return this.member.peers.map((peer) => ({ ...peer, name: this.#names.get(peer.address) ?? "" }));
  }

  /**
   * Goes on with the fight; call it in every frame. `nowMs` is the server's time, `client.clock.timeMs`; `input` is what the player wants now, and is copied.
   * Returns whether the fight's state has changed.
   */
  tick(nowMs: number, input: Uint8Array): boolean {
    if (this.ended !== undefined) return false;
    this.#result.tick();
    return this.member.tick(nowMs, input);
  }

  /** Hands in what this player has to say of the fight, once: for the server's `onEnd`. At most 512 KiB. It leaves with the next ticks. */
  handIn(result: Uint8Array): void {
    this.#result.begin(result);
  }

  /** The server did not do what this member asked. */
  onRefusal(handler: (code: string, detail: string) => void): Off {
    return this.#refusals.add(handler);
  }

  protected override seated(seat: Seat, name: string, key: Uint8Array): void {
    super.seated(seat, name, key);
    this.#names.set(seat.address, name);
  }

  protected override refused(code: string, detail: string): void {
    for (const handler of this.#refusals.list) handler(code, detail);
  }
}
