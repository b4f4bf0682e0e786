/** What the panels show: what is live, or what was recorded at the playhead. They need not know which. */

import type { ClientRow, Report, Welcome, WhyShown } from "./feed-types.ts";
import type { Figure } from "./report-series.ts";
import type { Series } from "./series.ts";
import type { State } from "./state.ts";

/** What a server says of itself once, as far as panels need it. */
export type Facts = Pick<Welcome, "roundMs" | "types" | "causes" | "stages">;

export interface Shown {
  readonly isPlayback: boolean;
  readonly facts: Facts | undefined;
  readonly report: Report | undefined;
  readonly series: Series<Figure>;
  /** Where charts end; undefined: with the newest sample. */
  readonly endMs: number | undefined;
  readonly roundTrips: ReadonlyMap<number, readonly (number | null)[]>;
  /** Selected. */
  readonly player: number | undefined;
  readonly object: number | undefined;
  readonly client: ClientRow | undefined;
  readonly why: WhyShown | undefined;
  /** Networks that may be set; none of what is past. */
  readonly presets: readonly string[];
  /** Why there is no report, and what to do; undefined where there is one, or one will come. */
  readonly lacksReport: string | undefined;
  /** Why "why?" has no answer, and what to do. */
  readonly lacksWhy: string | undefined;
}

export function shownLive(state: State): Shown {
  const { welcome, report, series, roundTrips, player, object, client, why } = state;
  return {
    isPlayback: false,
    facts: welcome,
    report,
    series,
    endMs: undefined,
    roundTrips,
    player,
    object,
    client,
    why,
    presets: welcome?.presets ?? [],
    lacksReport: undefined,
    lacksWhy: undefined,
  };
}
