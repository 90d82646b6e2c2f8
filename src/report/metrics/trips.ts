import { mean, median as medianOf, sampleStandardDeviation } from 'simple-statistics';
import type { Millis } from '#domain/names.ts';
import { type Metric, missing, ratio } from './metric.ts';

/** A round trip for figures, with money in one currency. */
export interface Trip {
  readonly openedAt: Millis;
  readonly closedAt: Millis;
  /** Net of fees. */
  readonly profit: number;
  /** Value of the entry: price times size. */
  readonly stake: number;
}

/** Figures of the round trips: how many won and lost, and how much. */
export interface TripFigures {
  readonly trades: number;
  readonly won: number;
  readonly lost: number;
  /** Neither won nor lost; they count in the win rate. */
  readonly draws: number;
  readonly winRate: Metric;
  readonly netProfit: number;
  readonly profitFactor: Metric;
  readonly expectancy: Metric;
  readonly expectancyRatio: Metric;
  readonly sqn: Metric;
  readonly averageWin: Metric;
  readonly averageLoss: Metric;
  readonly payoff: Metric;
  /** In money, and as a share of the stake. */
  readonly best: Metric;
  readonly worst: Metric;
  readonly bestShare: Metric;
  readonly worstShare: Metric;
  readonly averageShare: Metric;
  readonly winStreak: number;
  readonly lossStreak: number;
  readonly holding: Durations;
  readonly holdingOfWinners: Durations;
  readonly holdingOfLosers: Durations;
}

/** How long round trips lasted, in milliseconds. */
export interface Durations {
  readonly least: Metric;
  readonly average: Metric;
  readonly median: Metric;
  readonly most: Metric;
}

/** Round trips in the order in which they ended, by columns: profit net of fees, stake, and how long each was held. */
export interface Trips {
  readonly profits: readonly number[];
  readonly stakes: readonly number[];
  readonly held: readonly Millis[];
}

const NONE = 'there was no round trip';

/** Round trips that are given one by one. */
export const columnsOfTrips = (trips: readonly Trip[]): Trips => ({
  profits: trips.map(({ profit }) => profit),
  stakes: trips.map(({ stake }) => stake),
  held: trips.map(({ openedAt, closedAt }) => closedAt - openedAt),
});

/** Figures of all round trips together. */
export function tripFigures({ profits, stakes, held }: Trips): TripFigures {
  const shares: number[] = [];
  const [heldWon, heldLost]: [number[], number[]] = [[], []];
  let [wonSum, lostSum] = [0, 0];
  profits.forEach((profit, n) => {
    const [stake = 0, heldMs = 0] = [stakes[n], held[n]];
    if (stake > 0) shares.push(profit / stake);
    if (profit > 0) {
      wonSum += profit;
      heldWon.push(heldMs);
    } else if (profit < 0) {
      lostSum -= profit;
      heldLost.push(heldMs);
    }
  });
  const count = profits.length;
  const [won, lost] = [heldWon.length, heldLost.length];
  const averageWin = won === 0 ? missing('no trade won') : wonSum / won;
  const averageLoss = lost === 0 ? missing('no trade lost') : lostSum / lost;
  const payoff = won === 0 ? missing('no trade won') : lost === 0 ? missing('no trade lost') : wonSum / won / (lostSum / lost);
  return {
    trades: count,
    won,
    lost,
    draws: count - won - lost,
    winRate: ratio(won, count, NONE),
    netProfit: sum(profits),
    profitFactor: ratio(wonSum, lostSum, count === 0 ? NONE : 'no trade lost'),
    expectancy: ratio(sum(profits), count, NONE),
    expectancyRatio: typeof payoff === 'number' ? ((1 + payoff) * won) / count - 1 : count === 0 ? missing(NONE) : payoff,
    sqn: sqn(shares),
    averageWin,
    averageLoss,
    payoff,
    best: extreme(profits, Math.max),
    worst: extreme(profits, Math.min),
    bestShare: extreme(shares, Math.max),
    worstShare: extreme(shares, Math.min),
    averageShare: ratio(sum(shares), shares.length, NONE),
    winStreak: longest(profits, (profit) => profit > 0),
    lossStreak: longest(profits, (profit) => profit < 0),
    holding: durations(held, NONE),
    holdingOfWinners: durations(heldWon, 'no trade won'),
    holdingOfLosers: durations(heldLost, 'no trade lost'),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const extreme = (values: readonly number[], pick: (a: number, b: number) => number): Metric =>
  values.length === 0 ? missing(NONE) : values.reduce((a, b) => pick(a, b));

/** Root of the count times mean over standard deviation (n - 1) of profit over stake. */
function sqn(shares: number[]): Metric {
  if (shares.length < 2) return missing(`needs 2 round trips, there are ${shares.length}`);
  const deviation = sampleStandardDeviation(shares);
  const scale = shares.reduce((most, share) => Math.max(most, Math.abs(share)), 0);
  if (deviation <= scale * 1e-12) return missing('no two round trips differ');
  return (Math.sqrt(shares.length) * mean(shares)) / deviation;
}

function longest(profits: readonly number[], holds: (profit: number) => boolean): number {
  let [most, now] = [0, 0];
  for (const profit of profits) {
    now = holds(profit) ? now + 1 : 0;
    most = Math.max(most, now);
  }
  return most;
}

function durations(held: readonly Millis[], whyNot: string): Durations {
  if (held.length === 0) {
    const none = missing(whyNot);
    return { least: none, average: none, median: none, most: none };
  }
  const all = [...held];
  return {
    least: held.reduce((a, b) => Math.min(a, b)),
    average: mean(all),
    median: medianOf(all),
    most: held.reduce((a, b) => Math.max(a, b)),
  };
}
