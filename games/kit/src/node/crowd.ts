/**
 * Many bots as real clients of a server anywhere, in one process: a client, a link and a player of its own each. They come in one after another, since a
 * crowd that knocks at once is no load that people make. What they send and receive is counted.
 */

import { type Client, ClientError } from "@nearfield/client";

export interface CrowdOptions {
  /** Where they go: for what is said when they do not get in. */
  readonly url: string | URL;
  readonly count: number;
  /** Time between two updates of a client, ms. */
  readonly frameMs: number;
  /** Time between two bots that come in, ms. Default 50. */
  readonly everyMs?: number;
  /** Makes the client of that index, with whatever plays it; its first update is still to come. */
  readonly enter: (index: number) => Client;
  /** Told when a bot is in, and when one is out for good, with the reason. */
  readonly onChange?: (what: "in" | "out", index: number, reason: string) => void;
}

/** What a crowd has done so far; all figures but `active` and `roundTripMs` only grow. */
export interface CrowdReport {
  readonly joined: number;
  /** Connected now. */
  readonly active: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly updates: number;
  /** Mean round trip of those who have measured one, ms; 0 before. */
  readonly roundTripMs: number;
}

export interface Crowd {
  /** Resolves when the last has come in; rejects with what the server said to the first that could not. */
  readonly allIn: Promise<void>;
  report(): CrowdReport;
  /** All leave. */
  leave(): void;
}

type Traffic = NonNullable<Client["traffic"]>;

interface Member {
  readonly client: Client;
  /** One, and one more for each reconnection. */
  readonly traffics: Set<Traffic>;
  updates: number;
}

export function joinCrowd(options: CrowdOptions): Crowd {
  const members: Member[] = [];
  let hasLeft = false;
  const joinAll = async (): Promise<void> => {
    for (let index = 0; index < options.count && !hasLeft; index++) {
      const member = await joinOne(index, options);
      members.push(member);
      options.onChange?.("in", index, "");
      member.client.onState((state, reason) => {
        if (state === "ended" && !hasLeft) options.onChange?.("out", index, reason?.detail ?? "no connection");
      });
      if (hasLeft) member.client.leave();
      else await pause(options.everyMs ?? 50);
    }
  };
  return {
    allIn: joinAll(),
    report: () => reportOn(members),
    leave: () => {
      hasLeft = true;
      for (const { client } of members) client.leave();
    },
  };
}

function joinOne(index: number, { url, frameMs, enter }: CrowdOptions): Promise<Member> {
  const client = enter(index);
  const member: Member = { client, traffics: new Set(), updates: 0 };
  let { mark } = client.world;
  client.activity((world) => {
    member.updates += world.updatedSince(mark).length;
    mark = world.mark;
    if (client.traffic !== undefined) member.traffics.add(client.traffic);
  });
  const timer = setInterval(() => client.update(), frameMs);
  return new Promise((resolve, reject) => {
    client.onState((state, reason) => {
      if (state === "active") resolve(member);
      if (state !== "ended") return;
      clearInterval(timer);
      reject(new ClientError(reason?.code ?? "link", `${url}: ${reason?.detail ?? "no connection"}`));
    });
    client.update();
  });
}

function reportOn(members: readonly Member[]): CrowdReport {
  const report = { joined: members.length, active: 0, bytesIn: 0, bytesOut: 0, updates: 0 };
  let [trips, measured] = [0, 0];
  for (const { client, traffics, updates } of members) {
    if (client.state === "active") report.active += 1;
    for (const traffic of traffics) {
      for (const { bytesIn, bytesOut } of Object.values(traffic)) {
        report.bytesIn += bytesIn;
        report.bytesOut += bytesOut;
      }
    }
    report.updates += updates;
    if (client.roundTripMs < 0) continue;
    trips += client.roundTripMs;
    measured += 1;
  }
  return { ...report, roundTripMs: measured === 0 ? 0 : trips / measured };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
