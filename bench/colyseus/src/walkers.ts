/**
 * Colyseus' side of the comparison, in the way its documentation recommends: a `StateView` for each client, whose contents the game keeps, and
 * fields that are quantised. Rounds are driven by hand: `patchRate` is off and `broadcastPatch` is called instead.
 * Why so: docs/decisions/0008-comparing-with-peers.md.
 */

import { type Client, matchMaker, Room, Server } from "@colyseus/core";
import { Encoder, type Schema, StateView } from "@colyseus/schema";
import { Client as SdkClient, type Room as SdkRoom } from "@colyseus/sdk";
import { WebSocketTransport } from "@colyseus/ws-transport";
import {
  type ColyseusForm,
  CountedServer,
  type Crowd,
  History,
  type Host,
  Interest,
  Scene,
  type SceneSize,
  type Spent,
  type Staleness,
  spentHere,
  until,
  type Volume,
} from "@nearfield/bench/peers";
import { type SchemaForm, schemaForm, tagOf, type WalkerState } from "./walkers-schema.ts";

export const ROOM = "walkers";
/** Room for what one round sends to all clients, so that the encoder never has to grow it. */
const ENCODER_BYTES = 2 ** 20;
/** Without tiers nothing hangs on a single round: who is in sight is found out every so many rounds, for some of the clients in each. */
const VIEW_REFRESH_ROUNDS = 4;
/** If nothing has arrived for this time, everything that was sent has arrived. */
const QUIET_MS = 150;

class WalkersRoom extends Room {
  readonly scene: Scene;
  interestMs = 0;
  readonly #form: SchemaForm;
  readonly #walkers: readonly Schema[];
  readonly #interest: Interest;
  /** By client number. */
  readonly #views: (StateView | undefined)[] = [];

  constructor(size: SceneSize, form: ColyseusForm) {
    super();
    this.scene = new Scene(size);
    this.#form = schemaForm(form, size.side);
    this.#interest = new Interest(this.scene, this.#form.tiered);
    const { state, walkers } = this.#form.create(size.objects);
    this.state = state;
    this.#walkers = walkers;
    this.patchRate = null;
    this.maxClients = size.clients;
    this.#write();
  }

  override onJoin(client: Client, { number }: { number: number }): void {
    if (this.#form.open) return;
    const view = new StateView();
    client.view = view;
    this.#views[number] = view;
    this.#interest.sort();
    this.#refresh(number, view);
  }

  round(walks: boolean): void {
    if (!walks) {
      this.broadcastPatch();
      return;
    }
    this.scene.step();
    this.#write();
    if (!this.#form.open) this.#refreshViews();
    this.broadcastPatch();
  }

  /** Tells each view what came into sight or left it. */
  #refreshViews(): void {
    const startMs = performance.now();
    this.#interest.sort();
    const every = this.#form.tiered ? 1 : VIEW_REFRESH_ROUNDS;
    for (let number = this.scene.round % every; number < this.#views.length; number += every) {
      const view = this.#views[number];
      if (view !== undefined) this.#refresh(number, view);
    }
    this.interestMs += performance.now() - startMs;
  }

  #write(): void {
    for (let i = 0; i < this.#walkers.length; i++) this.#form.write(this.#walkers[i]!, this.scene, i);
  }

  #refresh(number: number, view: StateView): void {
    const { tiered } = this.#form;
    this.#interest.refresh(number, (object, before, now) => {
      const walker = this.#walkers[object]!;
      if (now < 0) view.remove(walker);
      else if (!tiered) view.add(walker);
      else {
        if (before >= 0) view.remove(walker, tagOf(before));
        view.add(walker, tagOf(now));
      }
    });
  }
}

export class ColyseusHost implements Host {
  readonly #sockets: CountedServer;
  readonly #server: Server;
  readonly #room: WalkersRoom;

  private constructor(sockets: CountedServer, server: Server, room: WalkersRoom) {
    this.#sockets = sockets;
    this.#server = server;
    this.#room = room;
  }

  static async start(size: SceneSize, form: ColyseusForm): Promise<ColyseusHost> {
    Encoder.BUFFER_SIZE = ENCODER_BYTES;
    const sockets = new CountedServer();
    const server = new Server({
      transport: new WebSocketTransport({ server: sockets.http }),
      greet: false,
      gracefullyShutdown: false,
    });
    class ThisRoom extends WalkersRoom {
      constructor() {
        super(size, form);
      }
    }
    server.define(ROOM, ThisRoom);
    await server.listen(0, "127.0.0.1");
    const { roomId } = await matchMaker.createRoom(ROOM, {});
    return new ColyseusHost(sockets, server, matchMaker.getLocalRoomById(roomId) as unknown as WalkersRoom);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#sockets.port}`;
  }

  round(walks: boolean): void {
    this.#room.round(walks);
  }

  sent(): number {
    return 0;
  }

  volume(): Volume {
    return this.#sockets.volume();
  }

  spent(): Spent {
    return spentHere(this.#room.interestMs);
  }

  async close(): Promise<void> {
    await this.#server.gracefullyShutdown(false);
    await this.#sockets.close();
  }
}

/** Clients that ask for a seat at once: on a busy machine more of them would wait for longer than their HTTP requests do. */
const AT_ONCE = 20;

interface Member {
  readonly room: SdkRoom<unknown, WalkerState>;
  /** Patches merged so far. */
  patches: number;
  /** `patches` before the scene began to walk. */
  base: number;
}

export class ColyseusCrowd implements Crowd {
  readonly #url: string;
  readonly #form: SchemaForm;
  readonly #history: History;
  readonly #members: Member[] = [];
  #lastMs = 0;

  constructor(url: string, size: SceneSize, form: ColyseusForm) {
    this.#url = url;
    this.#form = schemaForm(form, size.side);
    this.#history = new History(new Scene(size));
  }

  async join(count: number): Promise<void> {
    const end = this.#members.length + count;
    while (this.#members.length < end) {
      const from = this.#members.length;
      const numbers = Array.from({ length: Math.min(AT_ONCE, end - from) }, (_, index) => from + index);
      this.#members.push(...(await Promise.all(numbers.map((number) => this.#joinOne(number)))));
    }
  }

  async begin(): Promise<void> {
    this.#lastMs = performance.now();
    await until(() => performance.now() - this.#lastMs > QUIET_MS, "the clients to have it all");
    for (const member of this.#members) member.base = member.patches;
  }

  /** Every client gets one patch in every round in which anybody walks; that is how rounds are counted. */
  async look(round: number, into: Staleness | undefined): Promise<void> {
    this.#history.advance(round);
    await until(
      () => this.#members.every(({ patches, base }) => patches - base >= round),
      `round ${round} of the walkers`,
    );
    if (into === undefined) return;
    this.#members.forEach(({ room }, index) => {
      const { walkers } = room.state;
      const shown = (object: number, out: Float64Array): boolean => {
        const walker = walkers?.get(String(object));
        if (walker === undefined) return false;
        this.#form.read(walker, out);
        return true;
      };
      this.#history.look(index, shown, into);
    });
  }

  async close(): Promise<void> {
    await Promise.all(this.#members.map(({ room }) => room.leave()));
  }

  async #joinOne(number: number): Promise<Member> {
    const room = (await new SdkClient(this.#url).join<WalkerState>(ROOM, { number })) as Member["room"];
    const member: Member = { room, patches: 0, base: 0 };
    room.onStateChange(() => {
      member.patches += 1;
      this.#lastMs = performance.now();
    });
    return member;
  }
}
