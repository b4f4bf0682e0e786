/**
 * Figures of recorded people, measured like the bots (`mannerOf`): a duel of two in QuakeWorld, ten minutes, and twenty minutes of a round of
 * about a hundred in Project Reality. The duel is more like the arena: everybody runs and plays alone. In the round, squads hold places
 * together. `--people FILE` measures another recording.
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
