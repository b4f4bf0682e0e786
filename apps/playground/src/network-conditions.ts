/**
 * Network presets that an operator can apply to single players while they play, in the inspector's Network panel.
 *
 * A game's server passes every new link to `wrap`. A link stays unchanged until `set` gives its player a network. The network belongs to the player:
 * when the player comes back over another link, that link gets the same network, within `FOLLOW_MS` of its hello.
 */

import { randomBytes } from "node:crypto";
import type { ConditionsHook } from "@nearfield/inspector";
import { ConditionedLink, Dice, networkPresets, PacedClock } from "@nearfield/netlab";
import type { HostTime, NetworkPreset } from "@nearfield/netlab/internal";
import type { Player } from "@nearfield/server";
import type { Link } from "@nearfield/transport";
import { nodeTimers } from "@nearfield/transport/node";

/** The name that takes conditions away. */
const NONE = "none";
/** How often players with a chosen network are checked for a new link. */
const FOLLOW_MS = 200;

const nodeTime: HostTime = { now: () => performance.now(), after: (ms, task) => nodeTimers.after(ms, task) };

export class NetworkConditions implements ConditionsHook {
  /** By their titles, the quickest first. */
  readonly presets: readonly string[];
  readonly #networks: ReadonlyMap<string, NetworkPreset>;
  readonly #clock: PacedClock;
  readonly #dice: Dice;
  /** Open links by address. */
  readonly #links = new Map<string, ConditionedLink>();
  /** What players were given, and the link that has it. */
  readonly #given = new Map<Player, { readonly network: NetworkPreset; link: ConditionedLink | undefined }>();
  #isFollowing = false;

  constructor(time: HostTime = nodeTime, seed: string = randomBytes(8).toString("hex")) {
    this.#clock = new PacedClock(time);
    this.#dice = new Dice(seed);
    const networks = Object.values(networkPresets).sort(
      (a, b) => a.rttMs - b.rttMs || b.down.bandwidthBytesPerSecond - a.down.bandwidthBytesPerSecond,
    );
    this.#networks = new Map(networks.map((network) => [network.title, network]));
    this.presets = [NONE, ...this.#networks.keys()];
  }

  /** For `server.wrapLinks`. Servers may share it where their links come to one port. */
  readonly wrap = (link: Link): Link => {
    const { address } = link;
    const wrapped = new ConditionedLink(link, this.#clock, this.#dice.fork(address), {
      onGone: () => {
        if (this.#links.get(address) === wrapped) this.#links.delete(address);
      },
    });
    if (wrapped.closeReason === undefined) this.#links.set(address, wrapped);
    return wrapped;
  };

  /** Throws for a player who has no link that came through `wrap`. */
  set(player: Player, preset: string): void {
    if (player.role === "local") throw new Error(`${player.nickname} is played by the server itself, over no network`);
    const link = this.#links.get(player.address);
    if (link === undefined && player.presence === "here") {
      throw new Error(`${player.nickname} is connected in a way that takes no conditions`);
    }
    const network = this.#networks.get(preset);
    link?.change(network);
    if (network === undefined) {
      this.#given.delete(player);
      return;
    }
    this.#given.set(player, { network, link });
    this.#follow();
  }

  #follow(): void {
    if (this.#isFollowing || this.#given.size === 0) return;
    this.#isFollowing = true;
    this.#clock.after(FOLLOW_MS, () => {
      this.#isFollowing = false;
      for (const player of this.#given.keys()) this.#lookAfter(player);
      this.#follow();
    });
  }

  #lookAfter(player: Player): void {
    const given = this.#given.get(player)!;
    const link = this.#links.get(player.address);
    if (player.presence === "left") this.#given.delete(player);
    else if (link !== undefined && link !== given.link) {
      link.change(given.network);
      given.link = link;
    }
  }
}
