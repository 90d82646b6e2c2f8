import type { CoinFlips } from './benchmark/coin-flip.ts';
import type { Bootstrap } from './metrics/bootstrap.ts';
import type { Annual } from './metrics/returns.ts';
import type { FillQuality } from './quality.ts';

/** One rule of a report. */
export interface Convention {
  readonly about: string;
  readonly rule: string;
}

/** Everything that must be known to compare a report with another tool's. */
export function conventionsOf(of: {
  readonly annual: Annual;
  readonly seed: string;
  readonly dataHash: string;
  readonly days: number;
  readonly quotes: number;
  readonly decisions: number;
  readonly quality: FillQuality | string;
  readonly paths: Bootstrap | undefined;
  readonly coins: CoinFlips | string;
  /** True where amounts above the recorded ones were filled at modelled prices. */
  readonly isBeyond: boolean;
}): readonly Convention[] {
  const { annual, seed, dataHash, days, quotes, decisions, quality, paths, coins, isBeyond } = of;
  const paid = isBeyond ? '; each side as much worse as the run paid on average for amounts above the recorded ones' : '';
  const exact = typeof quality === 'string' ? `n/a: ${quality}` : `${quality.exact} of ${quality.fills}`;
  return [
    {
      about: 'time',
      rule: 'UTC; a day runs from midnight to midnight; flat days count, and times of more than a week without a quote do not',
    },
    { about: 'annual factor', rule: `${annual.periods} days a year` },
    { about: 'risk-free rate', rule: `${annual.riskFree * 100} % a year` },
    {
      about: 'capital',
      rule: 'the books that traded, with their budgets; a strategy without a budget has 10,000 of the quote currency of its product, but for live runs, which need one; the treasury is left out, and what it moves to a book counts as a deposit or withdrawal',
    },
    {
      about: 'value',
      rule: 'executable quotes: the closing side of the smallest lane that covers the position, else of the largest; before the fee of closing',
    },
    {
      about: 'returns',
      rule: 'time-weighted, chained at each deposit, withdrawal, opening and correction; equity drawdown on every quote and after every fill, imported bars that end together as one price; Sharpe, Sortino and volatility on whole days',
    },
    {
      about: 'rounding',
      rule: 'each figure comes of unrounded amounts and is rounded by itself, money to the places of its currency, so the last digits of parts and their sum may differ by one; JSON has all digits',
    },
    { about: 'trade', rule: 'a round trip: fills matched first in, first out, also in part, net of fees' },
    { about: 'draws', rule: 'a trade of exactly 0 is neither a win nor a loss, and counts in the win rate' },
    { about: 'counts', rule: `${days} whole days, ${quotes} quotes, ${decisions} decisions` },
    { about: 'exact fills', rule: exact },
    { about: 'bootstrap', rule: paths ? `${paths.paths} paths, blocks of ${paths.block} days, seed "${paths.seed}"` : 'n/a' },
    {
      about: 'random entries',
      rule:
        typeof coins === 'string'
          ? `n/a: ${coins}`
          : `${coins.seeds} draws of ${coins.flips} chances each, seed "${seed}": the run's average size, traded as often as the run did, at executable sides with fees${paid}`,
    },
    {
      about: 'buy and hold',
      rule: `as much as the largest position of each product, long or short (all strategies together, as far as the capital pays for it), or all capital, an equal share in each product: bought at the first quotes with their fee and held${paid}`,
    },
    { about: 'data', rule: `quotes ${dataHash}` },
  ];
}
