/**
 * A server with action spaces and any number of members in one process, on virtual time: commands and events travel over the lab's links, data channels are
 * simulated. Every final state of every member is kept by its number, so that all can be compared.
 */

import { zones } from "@nearfield/core";
import { Dice, Lab, type LabClient } from "@nearfield/netlab";
import { type LabKeys, Pods, pressedBy, SimulatedPeers, type SimulatedPeersOptions } from "@nearfield/netlab/internal";
import { checksumOf, type PeerSessionOptions, TIMELINES } from "@nearfield/rollback/session";
import { object, Protocol, uint } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import {
  enterSpace,
  type Invitation,
  type ObservedSpace,
  observeSpace,
  onInvitation,
  type Space,
  spaceCommands,
  spaceEvents,
  type WatchedSpace,
  watchSpace,
} from "../../src/peer/index.ts";
import { type ActionSpace, ActionSpaces, type OpenSpaceOptions, type SpaceOutcome } from "../../src/spaces/index.ts";

const Dot = object("dot", { x: uint(8), y: uint(8) }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Dot], commands: spaceCommands, events: spaceEvents });
const view = zones(Dot, { radii: [100], bounds: [{ time: 100 }, { time: 1000 }] });
const FRAME_MS = 16;
export const STEP_MS = 50;

export interface StageOptions extends SimulatedPeersOptions {
  readonly seed: number;
  readonly session?: Partial<PeerSessionOptions>;
  /** Signs inputs with these keys, by slot. Default: nothing is signed. */
  readonly keys?: LabKeys;
  /** One-way latency to the server, ms. Default 15. */
  readonly serverMs?: number;
}

interface PersonOptions {
  readonly ticket?: string | undefined;
  readonly isRelayOnly?: boolean;
  readonly session?: Partial<PeerSessionOptions>;
}

/** One person with a page: its client, the spaces it came into, and what its fight settled. */
export class Person {
  readonly name: string;
  readonly lab: LabClient;
  readonly checksums = new Map<number, number>();
  /** Whether its page stands still: no frame runs. */
  isStalled = false;
  space: Space | undefined;
  watched: WatchedSpace | undefined;
  observed: ObservedSpace | undefined;
  invitation: Invitation | undefined;
  fight: Pods | undefined;
  readonly ends: string[] = [];
  readonly refusals: string[] = [];
  readonly errors: unknown[] = [];

  constructor(name: string, lab: LabClient) {
    this.name = name;
    this.lab = lab;
  }
}

export class Stage {
  readonly lab: Lab;
  readonly spaces: ActionSpaces;
  readonly peers: SimulatedPeers;
  readonly people: Person[] = [];
  readonly outcomes: SpaceOutcome[] = [];
  readonly #options: StageOptions;
  readonly #dice: Dice;

  constructor(options: StageOptions) {
    this.#options = options;
    this.#dice = new Dice(options.seed);
    this.lab = new Lab({ protocol, view, roundMs: 50, seed: options.seed });
    this.peers = new SimulatedPeers(this.lab.clock, this.#dice.fork("peers"), options);
    this.spaces = new ActionSpaces(this.lab.server);
  }

  /** A person joins the server, and goes into every space that it is invited to. */
  person(name: string, options: PersonOptions = {}): Person {
    const lab = this.lab.join(
      name,
      { latencyMs: this.#options.serverMs ?? 15 },
      options.ticket ? { ticket: options.ticket } : {},
    );
    const person = new Person(name, lab);
    const dice = this.#dice.fork(`${name} ${this.people.length}`);
    const input = new Uint8Array(1);
    this.people.push(person);
    lab.client.untilJoined().then(
      () => onInvitation(lab.client, (invitation) => this.#invited(person, invitation, options)),
      (error: unknown) => person.errors.push(error),
    );
    this.lab.clock.every(FRAME_MS, () => {
      if (person.isStalled) return;
      if (dice.chance(0.05)) input[0] = pressedBy(dice);
      const { timeMs } = lab.client.clock;
      person.space?.tick(timeMs, input);
      // What a player settled by itself after it was voted out is nobody's final state.
      if (person.space && person.space.status !== "playing") person.checksums.clear();
      person.watched?.tick(timeMs);
      person.observed?.tick(timeMs);
    });
    return person;
  }

  /** People with these names, joined. */
  async join(...names: readonly string[]): Promise<Person[]> {
    const people = names.map((name) => this.person(name));
    await this.until(() => people.every(({ lab }) => lab.client.hasJoined));
    return people;
  }

  player(person: Person): Player {
    return [...this.lab.server.main.players.values()].findLast(({ nickname }) => nickname === person.name)!;
  }

  open(people: readonly Person[], options: Partial<OpenSpaceOptions> = {}): ActionSpace {
    return this.spaces.open({
      players: people.map((person) => this.player(person)),
      stepMs: STEP_MS,
      seed: 7,
      onEnd: (outcome) => this.outcomes.push(outcome),
      ...options,
    });
  }

  /** Lets virtual time pass; promises get their turn after every round. */
  async run(ms: number): Promise<void> {
    const endMs = this.lab.clock.nowMs + ms;
    while (this.lab.clock.nowMs < endMs) {
      this.lab.step();
      await turn();
    }
  }

  async until(condition: () => boolean, limitMs = 20_000): Promise<void> {
    const endMs = this.lab.clock.nowMs + limitMs;
    while (!condition()) {
      if (this.lab.clock.nowMs > endMs)
        throw new Error(`not within ${limitMs} ms (seed ${this.#options.seed}): ${JSON.stringify(this.report())}`);
      await this.run(50);
    }
  }

  /** The page of a person is loaded anew: all that it knew is gone, but its ticket. */
  reload(person: Person): Person {
    const { ticket } = person.lab.client;
    person.isStalled = true;
    person.lab.hide();
    person.lab.breakLink();
    return this.person(person.name, { ticket });
  }

  /** Numbers of final states that these people have in common, and whether all agree on each. */
  compare(...people: readonly Person[]): { readonly common: number; readonly differing: number[] } {
    const [first, ...others] = people;
    const common = [...first!.checksums.keys()].filter((state) => others.every((other) => other.checksums.has(state)));
    const differing = common.filter((state) =>
      others.some((other) => other.checksums.get(state) !== first!.checksums.get(state)),
    );
    return { common: common.length, differing };
  }

  report(): unknown {
    return this.people.map(({ name, space, watched, isStalled }) => ({
      name,
      isStalled,
      status: space?.status ?? watched?.status,
      tail: space?.tail ?? watched?.head,
      head: space?.head,
      gone: [...(space?.session?.gone.keys() ?? [])],
      suspects: [...(space?.session?.suspects ?? [])],
      peers: space?.peers.map(({ state }) => state),
    }));
  }

  #invited(person: Person, invitation: Invitation, { isRelayOnly = false, session }: PersonOptions): void {
    person.invitation = invitation;
    const fight = new Pods(invitation.slots, 400);
    person.fight = fight;
    const options = {
      fight,
      session: { inputBytes: 1, ...TIMELINES.hybrid, stallMs: 2000, ...this.#options.session, ...session },
      peers: isRelayOnly ? undefined : this.peers.of(person.name),
      onSettled: (state: number, _checksum: () => number, saved: Uint8Array) =>
        person.checksums.set(state, checksumOf(saved)),
    };
    const { keys } = this.#options;
    const isObserver = keys !== undefined && invitation.address >= invitation.slots;
    const seals = keys && { space: invitation.name, keys: invitation.keys, verifier: keys };
    if (isObserver)
      observeSpace(person.lab.client, invitation, { ...options, session: { ...options.session, seals: seals! } }).then(
        (observed) => {
          person.observed = observed;
        },
        (error: unknown) => person.errors.push(error),
      );
    else if (invitation.address >= invitation.slots)
      watchSpace(person.lab.client, invitation, options).then(
        (watched) => {
          person.watched = watched;
        },
        (error: unknown) => person.errors.push(error),
      );
    else
      enterSpace(person.lab.client, invitation, {
        ...options,
        session: {
          ...options.session,
          ...(seals && { seals: { ...seals, signer: keys.signers[invitation.address]! } }),
        },
      }).then(
        (space) => {
          person.space = space;
          space.onEnd((why) => person.ends.push(why));
          space.onRefusal((code) => person.refusals.push(code));
        },
        (error: unknown) => person.errors.push(error),
      );
  }
}

/** Lets everything run that waits for a promise. */
async function turn(): Promise<void> {
  for (let at = 0; at < 4; at++) await Promise.resolve();
}
