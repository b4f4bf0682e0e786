/** The newest pictures of the cluster, and what was said and handed over per second between them. Servers count from their start; this page subtracts. */

import type { ClusterPicture, ClusterTell } from "./feed-types.ts";

/** Pictures that are kept: rates are means over so many seconds less one. */
const MOST_KEPT = 6;

/** From one server to another, per second; `copies` and `areas` as they are now. */
export interface FlowRate {
  readonly from: number;
  readonly to: number;
  readonly messages: number;
  readonly bytes: number;
  readonly transfers: number;
  readonly transfersTotal: number;
  readonly copies: number;
  readonly areas: number;
}

export class ClusterSeries {
  #kept: ClusterTell[] = [];

  take(tell: ClusterTell): void {
    this.#kept.push(tell);
    if (this.#kept.length > MOST_KEPT) this.#kept.shift();
  }

  clear(): void {
    this.#kept = [];
  }

  get newest(): ClusterTell | undefined {
    return this.#kept.at(-1);
  }

  /** Updates that a server sent to others, per second. */
  forwarded(server: number): number {
    const { now, before, seconds } = this.#ends(server);
    return seconds <= 0 ? 0 : Math.max(0, (now?.forwarded ?? 0) - (before?.forwarded ?? 0)) / seconds;
  }

  flows(): FlowRate[] {
    return (this.newest?.picture?.servers ?? []).flatMap(({ server }) => {
      const { now, before, seconds } = this.#ends(server);
      return (now?.to ?? []).map(({ server: to, messages, bytes, transfers, copies, areas }) => {
        const old = before?.to.find((flow) => flow.server === to);
        const rate = (value: number, from = 0): number => (seconds <= 0 ? 0 : Math.max(0, value - from) / seconds);
        return {
          from: server,
          to,
          messages: rate(messages, old?.messages),
          bytes: rate(bytes, old?.bytes),
          transfers: rate(transfers, old?.transfers),
          transfersTotal: transfers,
          copies,
          areas,
        };
      });
    });
  }

  /** What a server told first and last of what is kept, and the time between, by its own clock. */
  #ends(server: number): { now: Sight | undefined; before: Sight | undefined; seconds: number } {
    const told = this.#kept.flatMap(
      ({ picture }) => picture?.servers.find((row) => row.server === server)?.sight ?? [],
    );
    const [before, now] = [told[0], told.at(-1)];
    return { now, before, seconds: ((now?.uptimeMs ?? 0) - (before?.uptimeMs ?? 0)) / 1000 };
  }
}

type Sight = NonNullable<ClusterPicture["servers"][number]["sight"]>;
