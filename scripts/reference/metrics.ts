import type { Figure } from '#report/figures.ts';
import { missing } from '#report/metrics/metric.ts';
import type { RunRecord } from '#report/record.ts';
import { makeReport } from '#report/report.ts';
import { signalSections } from '#report/sections/orders.ts';
import { type Page, page } from './page.ts';

const INTRO = [
  'The figures of `kairos report` and `kairos backtest --report`, by the ids that `--json` has. How to read them: [metrics](../metrics.md).',
  '`r` is the return of a whole UTC day, `n` the number of such days, a year has 365. A share of 0.01 is 1 %. bps are hundredths of a percent of the volume.',
  'A figure that cannot be had is *n/a*: the report says why, and `why` in `--json`. Sharpe, Sortino, Calmar and CAGR need 30 days.',
].join('\n');

const NONE = missing('');
const NO_SIGNALS = { count: 0, ageP50: NONE, edge: NONE, gone: NONE, halfLife: NONE, band: undefined };

/** What a figure is. Where ids of a family differ in their ending alone, the family is told. */
const SAID: Readonly<Record<string, string>> = {
  totalReturn: 'time-weighted return on the capital',
  netProfit: 'closed and open profit with fees and financing, at the rates of the end',
  revaluation: 'what rates made of capital in other currencies',
  capital: 'value at the start of the books that traded',
  flows: 'of these books',
  finalEquity: 'at executable quotes, before the fee of closing',
  cagr: '(1 + total return)^(365 / days) - 1',
  days: 'length of the run in days of 24 hours',
  wholeDays: 'UTC days that the run covers from end to end',
  cutDays: 'return of partial days and holes in the data',
  exposure: 'time with a position over the length of the run, holes apart',
  sharpe: '(mean(r) - risk-free) / standard deviation (n - 1) * sqrt(365)',
  sortino: 'mean(r - risk-free) / sqrt(sum(min(r - risk-free, 0)^2) / n) * sqrt(365)',
  calmar: 'CAGR / maximum equity drawdown',
  volatility: 'standard deviation (n - 1) of r * sqrt(365)',
  maxDrawdown: 'deepest fall from a peak, on every quote and fill',
  maxDrawdownMoney: 'deepest fall from a peak, in money',
  drawdownFrom: 'when the peak before the deepest fall was',
  drawdownTrough: 'when it was deepest',
  drawdownRecovered: 'when that peak was reached again',
  underWater: 'longest time below a peak, to the recovery or the end',
  bestDay: 'highest r',
  worstDay: 'lowest r',
  var95: '5 % quantile of r, as a loss',
  var99: '1 % quantile of r, as a loss',
  cvar95: 'mean loss of the days at or beyond it',
  dailyDrawdown: 'deepest fall of the values at the ends of days',
  skew: 'sample skewness of r (G1)',
  kurtosis: 'sample excess kurtosis of r (G2)',
  omega: 'sum of positive r over sum of negative r',
  ulcer: 'sqrt(sum(equity drawdown of days^2) / (n - 1))',
  holdSizeReturn: 'as far as the capital pays',
  overHoldSize: 'total return less it',
  holdReturn: 'equal shares in each product, bought at first quotes',
  holdDrawdown: 'its deepest fall, as `maxDrawdown`',
  overHold: 'total return less it',
  betaToHold: 'covariance with it over its variance, of days',
  alphaToHold: '(mean(r) - risk-free - beta * (mean of it - risk-free)) * 365',
  trackingError: 'volatility of the difference',
  informationRatio: 'mean over standard deviation of the difference * sqrt(365)',
  coin: 'profit of up to 200 draws that trade as often, with the average size and fees',
  coinsBeaten: 'share of the draws that made less',
  trades: 'round trips, first in first out',
  tradesPerDay: 'over the days of the run',
  won: 'profit above 0',
  lost: 'profit below 0',
  draws: 'exactly 0',
  winRate: 'won over all, draws included',
  tradeProfit: 'net of fees, each at the rate of its close',
  profitFactor: 'what was won over what was lost',
  expectancy: 'profit over number',
  expectancyRatio: '(1 + payoff) * won / number - 1',
  sqn: 'sqrt(number) * mean / standard deviation, of profit over stake',
  averageWin: 'mean profit of those won',
  averageLoss: 'mean loss of those lost, positive',
  payoff: 'average win over average loss',
  best: 'highest profit',
  worst: 'lowest profit',
  bestShare: 'highest profit over stake (entry price times size)',
  worstShare: 'lowest profit over stake',
  averageShare: 'mean of profit over stake',
  winStreak: 'most in a row that won',
  lossStreak: 'most in a row that lost',
  holding: 'from entry to exit',
  holdingWinners: 'of those won',
  holdingLosers: 'of those lost',
  mae: 'how far a trade went against its holder; mean',
  maeMost: 'the largest of these',
  mfe: 'how far it went for its holder; mean',
  mfeMost: 'the largest of these',
  givenBack: 'from the best to the exit; mean',
  fills: 'orders that were executed',
  volume: 'sum of their values',
  turnover: 'volume over the average value of the books',
  spreadCost: 'from the mid to the price of the side used, times size',
  feeCost: 'fees paid',
  beyondCost: 'what `backtest.slippagePct` adds',
  slippageCost: 'from the price of the quote to that of the fill, times size',
  totalCost: 'spread, fees and slippage',
  financing: 'what rolls cost (below 0) or brought',
  ageAtSend: 'from the arrival of the quote to the first byte of the order',
  leftAtSend: 'how long the quote had to live then; `P95`: 95 % had this',
  roundTrip: 'from the first byte to the answer',
  signalsActedOn: 'each once',
  signalAge: 'from arrival to decision',
  signalEdge: 'mean move of the price their way within a minute of arrival',
  signalEdgeGone: 'the part before the decision',
  signalHalfLife: 'when half of it is over, with its range',
  breakEvenLatency: 'where the profits at several latencies reach zero',
  psr: 'probability that the true Sharpe ratio is above 0 (Bailey, Lopez de Prado 2012)',
  deflatedSharpe: 'the same against the best of as many trials by luck alone (2014)',
  trials: 'results among which this one was chosen',
  return: 'total return of 2,000 paths drawn from the days in blocks',
  drawdown: 'of the same paths',
  tradeProfitPath: 'sum of profits of round trips',
  quotes: 'quotes of all lanes',
  quotesReplaced: 'a newer one came first',
  silences: 'pauses of a lane over 2 s and over thrice what 99 of 100 are under',
  exactShare: 'fills at the price and size of a recorded quote, over all fills',
  crowdedFills: 'fills before the quote of an earlier one in the product had expired',
  ordersSent: 'orders that passed all checks',
  ordersExpired: 'found too late at the last gate',
  ordersRejected: 'refused by the service',
  ordersUnknown: 'without an answer that could be read',
  timeHalted: 'time in which trading was halted',
};

/** Figures of one kind whose ids end otherwise: percentiles, durations, shares of the volume. */
function familyOf(id: string): string {
  const family =
    /^(coin|ageAtSend|leftAtSend|roundTrip|return|drawdown)P\d+$/.exec(id)?.[1] ??
    (/^tradeProfitP\d+$/.test(id) ? 'tradeProfitPath' : undefined);
  const duration = /^(holding\w*?)(Least|Median|Average|Most)$/.exec(id)?.[1];
  return family ?? duration ?? id.replace(/Bps$/, '');
}

const UNITS: Readonly<Record<Figure['unit'], string>> = {
  share: 'share',
  money: 'money',
  ratio: 'ratio',
  count: 'number',
  bps: 'bps',
  ms: 'ms',
  duration: 'ms',
  time: 'time',
};

/** A run in which nothing happened: its report has every figure. */
const NOTHING: RunRecord = {
  run: 'none',
  book: 'paper',
  mode: 'paper',
  version: '',
  configHash: '',
  config: '{}',
  startedAt: 0,
  endedAt: 0,
  endState: 'stopped',
  isRunning: false,
  latches: [],
  strategies: [],
  currency: 'usd',
  earlier: { fills: [], ledger: [] },
  fills: [],
  ledger: [],
  decisions: [],
  begun: [],
  tags: new Map(),
};

/** Every figure of a report with its rule; figures of one family share a row. */
export function metricsPage(): Page {
  const sections = [...makeReport(NOTHING, []).sections, ...signalSections(NO_SIGNALS)];
  const parts = sections.map(({ title, figures }) => {
    const families = Map.groupBy(figures, ({ id }) => familyOf(id));
    const lines = [...families].map(([key, family]) => {
      const rule = SAID[key];
      if (rule === undefined) throw new Error(`nobody says what the figure ${key} is`);
      const ids = family.map(({ id }) => `\`${id}\``).join(' ');
      const units = [...new Set(family.map(({ unit }) => UNITS[unit]))].join(', ');
      const name = nameOf(family);
      const named = saysAsMuch(family[0]?.id ?? '', name) ? '' : `, ${name}`;
      return `- ${ids}${named} (${units}): ${rule}`;
    });
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  return page('metrics', 'Figures of a report', [INTRO, ...parts].join('\n\n'));
}

/** True where an id has the words of its name, as `netProfit` those of "net profit". */
function saysAsMuch(id: string, name: string): boolean {
  const words = name.toLowerCase().split(/\W+/).filter(Boolean);
  const inId = id.replace(/[A-Z]/g, ' $&').toLowerCase().split(' ');
  return words.length <= inId.length + 1 && inId.every((word) => words.includes(word));
}

/** The name of a family without what tells its figures apart: "held" of "held, least" and "held, most". */
function nameOf(family: readonly Figure[]): string {
  const [first = '', ...others] = family.map(({ label }) => label);
  const stem = first.replace(/,[^,]*$/, '');
  return others.length > 0 && stem !== '' && others.every((label) => label.startsWith(stem)) ? stem : first;
}
