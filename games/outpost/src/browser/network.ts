/**
 * The page's side of the wire in the town: it joins, hands out who walks there, sends where the own avatar walks, and brings the social space and invitations.
 * After a lost connection the client itself reconnects; after a restart of the server another client takes its place.
 */

import { type Client, type Prediction, predict, present, type Replicated } from "@nearfield/client";
import { join } from "@nearfield/client/browser";
import { Joining, type LinkStatus } from "@nearfield/kit";
import { AccountRefusal, type PageAccount } from "@nearfield/kit/browser";
import { ed25519 } from "@nearfield/rollback/trust";
import { SocialClient } from "@nearfield/social/client";
import { type Invitation, onInvitation, tellKey } from "@nearfield/social/peer";
import type { MemberKey } from "../paid-dungeon.ts";
import { Avatar, avatarPresentation, protocol, Walk } from "../shared.ts";
import { type WalkWish, walkInTown } from "../town/walking.ts";

export type AvatarReplica = Replicated<typeof Avatar.shape>;

export interface NetworkOptions {
  readonly url: string;
  readonly nickname: string;
  readonly account: PageAccount;
  /** A new client: whatever was known before counts no more. */
  readonly joined: (social: SocialClient, client: Client) => void;
  readonly invited: (invitation: Invitation, client: Client, key: MemberKey) => void;
  /** The claimed account's token has ended: log in again, as the words say. */
  readonly loginNeeded: (words: string) => void;
}

/** A correction from farther away than this is taken at once. */
const SNAP = 60;

export class Network {
  readonly #joining: Joining;
  /** What this page signs with; undefined where the browser cannot. */
  readonly #key: Promise<MemberKey | undefined> = createKey();
  #social: SocialClient | undefined;
  #mine: Prediction<typeof Avatar.shape, typeof Walk.shape> | undefined;

  constructor({ url, nickname, account, joined, invited, loginNeeded }: NetworkOptions) {
    const credentials = (): Promise<string> =>
      account.token().catch((error: unknown) => {
        if (error instanceof AccountRefusal && error.code === "login") loginNeeded(error.message);
        throw error;
      });
    this.#joining = new Joining(
      (rejoining) => join(url, { protocol, nickname, credentials, ...rejoining }),
      (client) => {
        this.#mine = undefined;
        this.#social?.end();
        this.#social = new SocialClient(client);
        present(client, Avatar, avatarPresentation);
        joined(this.#social, client);
        void this.#key.then((key) => {
          if (key === undefined) return;
          tellKey(client, key.signer.publicKey);
          onInvitation(client, (invitation) => invited(invitation, client, key));
        });
      },
    );
  }

  get status(): LinkStatus {
    return this.#joining.status;
  }

  get client(): Client | undefined {
    return this.#joining.client;
  }

  get social(): SocialClient | undefined {
    return this.#social;
  }

  get own(): AvatarReplica | undefined {
    return this.client?.mine(Avatar);
  }

  /** Everybody in the town who is not away. */
  *avatars(): Iterable<AvatarReplica> {
    for (const avatar of this.client?.world.all(Avatar) ?? []) if (!avatar.away) yield avatar;
  }

  /** Everybody of whom this page knows, those in dungeons too. */
  everybody(): readonly AvatarReplica[] {
    return [...(this.client?.world.all(Avatar) ?? [])];
  }

  /** The own avatar walks at once. */
  walk(own: AvatarReplica, wish: WalkWish): void {
    if (this.client === undefined) return;
    if (!this.#mine?.isActive) this.#mine = predict(this.client, own, Walk, walkInTown, { snapDistance: SNAP });
    this.#mine.command(wish);
  }

  /** The own avatar as predicted. */
  get predicted(): Readonly<{ x: number; y: number; vx: number; vy: number; heading: number }> | undefined {
    return this.#mine?.isActive ? this.#mine.shown : undefined;
  }

  close(): void {
    this.#social?.end();
    this.#joining.close();
  }
}

/** A key for this visit. Pages without https, and old browsers, have none: they walk in the town, and the server tells them why they cannot go down. */
async function createKey(): Promise<MemberKey | undefined> {
  try {
    const verifier = ed25519(crypto.subtle);
    return { verifier, signer: await verifier.createSigner() };
  } catch {
    return undefined;
  }
}
