/**
 * A town with accounts and paid fights, on virtual time: people join with a login, players and observers enter what they are invited to, and forgers run altered rules. The store may outlive
 * the server, so that a stage can be opened again on it.
 */

import { zones } from "@nearfield/core";
import { Dice, Lab, type LabClient } from "@nearfield/netlab";
import { type LabKeys, Pods, pressedBy, SimulatedPeers } from "@nearfield/netlab/internal";
import { type StepInputs, TIMELINES } from "@nearfield/rollback/session";
import type { Verdict } from "@nearfield/rollback/trust";
import { object, Protocol, uint } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import type { Store } from "@nearfield/store/internal";
import { SocialClient, type SocialNews, socialMessages } from "../../src/client/index.ts";
import type { Login, PaidSpaces, PaidSpacesOptions, Social } from "../../src/internal/index.ts";
import {
  enterSpace,
  type Invitation,
  type ObservedSpace,
  observePaid,
  onInvitation,
  type PaidRules,
  type Space,
  spaceCommands,
  spaceEvents,
  tellKey,
} from "../../src/peer/index.ts";
import { type ActionSpace, ActionSpaces } from "../../src/spaces/index.ts";
import { setUp } from "../stand-ins.ts";

const Dot = object("dot", { x: uint(8), y: uint(8) }, { position: ["x", "y"] });
const protocol = new Protocol({
  objects: [Dot],
  commands: [...spaceCommands, ...socialMessages.commands],
  events: [...spaceEvents, ...socialMessages.events],
});
const view = zones(Dot, { radii: [100], bounds: [{ time: 100 }, { time: 1000 }] });
const FRAME_MS = 16;
const STEP_MS = 50;
/** The bout is over with this state. */
export const END = 96;

/** A fight of pods that ends: what they hit until then is their gold. */
export class Bout extends Pods {
  override advance(step: number, inputs: StepInputs, only: number): void {
    if (step < END) super.advance(step, inputs, only);
  }

  hits(slot: number): number {
    return this.goods[2 * slot]! + 256 * this.goods[2 * slot + 1]!;
  }
}

export const bout: PaidRules<Bout> = {
  inputBytes: 1,
  fight: ({ slots }) => new Bout(slots, 120),
  earned: (fight, slot, state) => (state >= END ? [{ good: "gold", count: 1 + fight.hits(slot) }] : undefined),
};

/** What a person does otherwise than the game's page would. */
export interface Character {
  /** Rules of its own: a forger's. */
  readonly rules?: PaidRules;
  /** Plays and signs, and tells the server nothing. */
  readonly isSilent?: boolean;
}

export class Citizen {
  readonly name: string;
  readonly login: Login;
  readonly lab: LabClient;
  readonly character: Character;
  space: Space | undefined;
  observed: ObservedSpace | undefined;
  readonly settled: SocialNews["settled"][] = [];
  readonly errors: unknown[] = [];

  constructor(name: string, login: Login, lab: LabClient, character: Character) {
    this.name = name;
    this.login = login;
    this.lab = lab;
    this.character = character;
    new SocialClient(lab.client).onNews("settled", (news) => this.settled.push(news));
  }
}

export interface PaidStageOptions {
  readonly seed: number;
  readonly keys: LabKeys;
  readonly store?: Store;
  readonly options?: Partial<PaidSpacesOptions>;
}

export class PaidStage {
  readonly lab: Lab;
  readonly social: Social;
  readonly store: Store;
  readonly paid: PaidSpaces;
  readonly peers: SimulatedPeers;
  readonly citizens: Citizen[] = [];
  readonly verdicts: Verdict[] = [];
  readonly errors: unknown[];
  readonly #keys: LabKeys;
  readonly #dice: Dice;
  readonly #account: (name: string) => Promise<Login>;

  constructor({ seed, keys, store, options = {} }: PaidStageOptions) {
    this.#keys = keys;
    this.#dice = new Dice(seed);
    const { social, store: kept, errors, account } = setUp(store ? { store } : {});
    this.social = social;
    this.store = kept;
    this.errors = errors;
    this.#account = account;
    const { authenticate } = social;
    this.lab = new Lab({ protocol, view, roundMs: 50, seed, authenticate });
    this.peers = new SimulatedPeers(this.lab.clock, this.#dice.fork("peers"), { loss: 0.02 });
    social.attach(this.lab.server.main);
    this.paid = social.openPaidSpaces(new ActionSpaces(this.lab.server), {
      kinds: { bout },
      verifier: keys,
      onVerdict: (_, verdict) => this.verdicts.push(verdict),
      ...options,
    });
  }

  /** Makes an account, or takes that of before, joins, and goes into every fight that it is invited to. */
  async join(name: string, character: Character = {}, before?: Login): Promise<Citizen> {
    const login = before ?? (await this.#account(name));
    const lab = this.lab.join(name, { latencyMs: 15 }, { credentials: login.token });
    const citizen = new Citizen(name, login, lab, character);
    const key = this.#keys.publicKeys[this.citizens.length]!;
    const signer = this.#keys.signers[this.citizens.length]!;
    const dice = this.#dice.fork(name);
    const input = new Uint8Array(1);
    this.citizens.push(citizen);
    await this.until(() => lab.client.hasJoined);
    tellKey(lab.client, key);
    onInvitation(lab.client, (invitation) => {
      this.#enter(citizen, invitation, signer).catch((error: unknown) => citizen.errors.push(error));
    });
    this.lab.clock.every(FRAME_MS, () => {
      if (dice.chance(0.05)) input[0] = pressedBy(dice);
      citizen.space?.tick(lab.client.clock.timeMs, input);
    });
    await this.run(200);
    return citizen;
  }

  async open(people: readonly Citizen[], candidates?: readonly Citizen[]): Promise<ActionSpace> {
    const players = people.map((one) => this.player(one));
    const options = candidates && { candidates: candidates.map((one) => this.player(one)) };
    return await this.paid.open({ kind: "bout", players, stepMs: STEP_MS, seed: 7, ...options });
  }

  player({ name }: Citizen): Player {
    return [...this.lab.server.main.players.values()].find(({ nickname }) => nickname === name)!;
  }

  async gold({ login }: Citizen): Promise<number> {
    const held = await this.social.goods.list(login.account);
    return held.find(({ item }) => item === "gold")?.count ?? 0;
  }

  async run(ms: number): Promise<void> {
    const endMs = this.lab.clock.nowMs + ms;
    while (this.lab.clock.nowMs < endMs) {
      this.lab.step();
      for (let at = 0; at < 16; at++) await Promise.resolve();
    }
  }

  async until(condition: () => boolean, limitMs = 40_000): Promise<void> {
    const endMs = this.lab.clock.nowMs + limitMs;
    while (!condition()) {
      if (this.lab.clock.nowMs > endMs)
        throw new Error(`not within ${limitMs} ms: ${JSON.stringify(this.citizens.map(({ space }) => space?.tail))}`);
      await this.run(50);
    }
  }

  async #enter(citizen: Citizen, invitation: Invitation, signer: LabKeys["signers"][number]): Promise<void> {
    const { client } = citizen.lab;
    const { rules = bout, isSilent = false } = citizen.character;
    const peers = this.peers.of(citizen.name);
    const verifier = this.#keys;
    if (invitation.isObserver) {
      citizen.observed = await observePaid(client, invitation, { paid: { rules, verifier }, peers });
      return;
    }
    const seals = { space: invitation.name, keys: invitation.keys, signer, verifier };
    citizen.space = await enterSpace(client, invitation, {
      fight: rules.fight(invitation),
      session: { inputBytes: 1, ...TIMELINES.hybrid, stallMs: 2000, ...(isSilent && { seals }) },
      peers,
      ...(!isSilent && { paid: { rules, verifier, signer } }),
    });
  }
}
