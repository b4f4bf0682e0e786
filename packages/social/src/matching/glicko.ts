/**
 * Skill as Glicko-2 has it (Mark Glickman, "Example of the Glicko-2 system", 2013 edition): a rating, how uncertain it is, and how much the player's
 * results swing. `rate` is one rating period of one player; its steps have the paper's numbers. The paper's own example is in the tests.
 */

export interface Skill {
  /** 1500 for a newcomer. */
  readonly rating: number;
  /** How uncertain the rating is: the true skill lies within two deviations, with 95 % probability. 350 for a newcomer. */
  readonly deviation: number;
  /** How much results swing. 0.06 for a newcomer. */
  readonly volatility: number;
}

/** One game against one opponent, or against a team as a whole. */
export interface Game {
  readonly opponent: Pick<Skill, "rating" | "deviation">;
  /** 1 for a win, 0.5 for a draw, 0 for a loss. */
  readonly score: number;
}

export const NEWCOMER: Skill = { rating: 1500, deviation: 350, volatility: 0.06 };

/** How fast volatility may change; the paper suggests 0.3 to 1.2. */
const TAU = 0.5;
/** Step 2: between the ratings that people see and the scale that is calculated in. */
const SCALE = 173.7178;
/** Step 5: how exact the new volatility is. */
const EXACT = 0.000001;
/** Rounds of step 5; it needs fewer than ten. */
const MOST_ROUNDS = 100;

/** The player's skill after a rating period with these games. Without games only the uncertainty grows. */
export function rate(player: Skill, games: readonly Game[], tau: number = TAU): Skill {
  const mu = (player.rating - NEWCOMER.rating) / SCALE;
  const phi = player.deviation / SCALE;
  if (games.length === 0) return { ...player, deviation: rest(player, 1) };
  let information = 0;
  let surprise = 0;
  for (const { opponent, score } of games) {
    const g = weight(opponent.deviation / SCALE);
    const expected = 1 / (1 + Math.exp(-g * (mu - (opponent.rating - NEWCOMER.rating) / SCALE)));
    information += g * g * expected * (1 - expected);
    surprise += g * (score - expected);
  }
  const variance = 1 / information; // step 3
  const delta = variance * surprise; // step 4
  const volatility = nextVolatility(player.volatility, { phi, variance, delta, tau }); // step 5
  const before = phi * phi + volatility * volatility; // step 6
  const next = 1 / Math.sqrt(1 / before + 1 / variance); // step 7
  const rating = SCALE * (mu + next * next * surprise) + NEWCOMER.rating; // step 8
  return { rating, deviation: Math.min(SCALE * next, NEWCOMER.deviation), volatility };
}

/** The deviation after so many periods without a game; never above a newcomer's. */
export function rest({ deviation, volatility }: Skill, periods: number): number {
  const phi = deviation / SCALE;
  return Math.min(NEWCOMER.deviation, SCALE * Math.sqrt(phi * phi + periods * volatility * volatility));
}

/** A team as one opponent: the mean rating, and the deviation of the mean square. */
export function asOne(team: readonly Skill[]): Pick<Skill, "rating" | "deviation"> {
  const rating = team.reduce((sum, one) => sum + one.rating, 0) / team.length;
  const square = team.reduce((sum, one) => sum + one.deviation * one.deviation, 0) / team.length;
  return { rating, deviation: Math.sqrt(square) };
}

/** How much an opponent's result counts: less, the less certain its rating is. */
function weight(phi: number): number {
  return 1 / Math.sqrt(1 + (3 * phi * phi) / (Math.PI * Math.PI));
}

/** Step 5: the zero of a falling function of ln σ², found between two bounds that close in (the Illinois rule). */
function nextVolatility(
  sigma: number,
  { phi, variance, delta, tau }: { phi: number; variance: number; delta: number; tau: number },
): number {
  const a = Math.log(sigma * sigma);
  const f = (x: number): number => {
    const e = Math.exp(x);
    const sum = phi * phi + variance + e;
    return (e * (delta * delta - sum)) / (2 * sum * sum) - (x - a) / (tau * tau);
  };
  let low = a;
  let high: number;
  if (delta * delta > phi * phi + variance) high = Math.log(delta * delta - phi * phi - variance);
  else {
    let k = 1;
    while (f(a - k * tau) < 0 && k < MOST_ROUNDS) k += 1;
    high = a - k * tau;
  }
  let [fLow, fHigh] = [f(low), f(high)];
  for (let round = 0; Math.abs(high - low) > EXACT && round < MOST_ROUNDS; round++) {
    const middle = low + ((low - high) * fLow) / (fHigh - fLow);
    const fMiddle = f(middle);
    if (fMiddle * fHigh <= 0) [low, fLow] = [high, fHigh];
    else fLow /= 2;
    [high, fHigh] = [middle, fMiddle];
  }
  return Math.exp(low / 2);
}
