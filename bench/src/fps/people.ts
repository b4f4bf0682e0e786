/**
 * Recorded people by the same measure as the bots (`mannerOf`), as data: a duel of two in QuakeWorld, ten minutes, and twenty minutes of a round of
 * about a hundred in Project Reality. The duel is the nearer relative of what is played here: all run, nobody has friends. The round is one of
 * squads that hold places. `--people FILE` measures another recording.
 */

import type { Manner } from "./manner.ts";

export const RECORDED_PEOPLE: Readonly<Record<string, Manner>> = {
  "people: duel": {
    players: 2,
    secondsInSquare: 11.9,
    busiestTenth: 0.274,
    gini: 0.418,
    ownTenth: 0.271,
    still: 0.043,
    together: 0.765,
  },
  "people: round of squads": {
    players: 108,
    secondsInSquare: 2.06,
    busiestTenth: 0.74,
    gini: 0.782,
    ownTenth: 0.676,
    still: 0.506,
    together: 4.44,
  },
};
