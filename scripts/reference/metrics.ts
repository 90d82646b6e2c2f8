import type { Figure } from '#report/figures.ts';
import { missing } from '#report/metrics/metric.ts';
import type { RunRecord } from '#report/record.ts';
import { makeReport } from '#report/report.ts';
import { signalSections } from '#report/sections/orders.ts';
import { type Page, page } from './page.ts';

const INTRO = [
  'The figures of `kairos report` and `kairos backtest --report`, by the ids that `--json` has. How to read them: [metrics](../metrics.md).',
  '`r` is the return of a whole UTC day, `n` the number of such days, a year has 365. A share of 0.01 is 1 %. bps are hundredths of a percent of the volume.',
  'Result and Risk are *n/a* where a position cannot be valued. *trips*: there was no round trip. *quotes*: no quotes were recorded.',
].join('\n');

/** What a figure is, and when there is none; an empty text: always there. Where ids of a family differ in their ending alone, the family is told. */
type Said = readonly [rule: string, missing: string];

const NONE = missing('');
const NO_SIGNALS = { count: 0, ageP50: NONE, edge: NONE, gone: NONE, halfLife: NONE, band: undefined };

const TRIPS = '*trips*';
const QUOTES = '*quotes*';

const SAID: Readonly<Record<string, Said>> = {
  totalReturn: ['time-weighted return on the capital', ''],
  netProfit: ['closed and open profit with fees and financing, at the rates of the end', ''],
  revaluation: ['what rates made of capital in other currencies', ''],
  capital: ['value at the start of the books that traded', ''],
  flows: ['of these books', ''],
  finalEquity: ['at executable quotes, before the fee of closing', ''],
  cagr: ['(1 + total return)^(365 / days) - 1', 'under 30 days; the capital was lost'],
  days: ['length of the run in days of 24 hours', ''],
  wholeDays: ['UTC days that the run covers from end to end', ''],
  cutDays: ['return of partial days and holes in the data', ''],
  exposure: ['time with a position over the length of the run, holes apart', 'the run has no length'],
  sharpe: ['(mean(r) - risk-free) / standard deviation (n - 1) * sqrt(365)', 'under 30 whole days; no two differ'],
  sortino: ['mean(r - risk-free) / sqrt(sum(min(r - risk-free, 0)^2) / n) * sqrt(365)', 'under 30 whole days; no day lost'],
  calmar: ['CAGR / maximum equity drawdown', 'as CAGR; there was no equity drawdown'],
  volatility: ['standard deviation (n - 1) of r * sqrt(365)', 'under 2 whole days'],
  maxDrawdown: ['deepest fall from a peak, on every quote and fill', ''],
  maxDrawdownMoney: ['deepest fall from a peak, in money', ''],
  drawdownFrom: ['when the peak before the deepest fall was', 'there was no equity drawdown'],
  drawdownTrough: ['when it was deepest', 'there was no equity drawdown'],
  drawdownRecovered: ['when that peak was reached again', 'it has not recovered'],
  underWater: ['longest time below a peak, to the recovery or the end', ''],
  bestDay: ['highest r', 'no whole day'],
  worstDay: ['lowest r', 'no whole day'],
  var95: ['5 % quantile of r, as a loss', 'under 20 whole days'],
  var99: ['1 % quantile of r, as a loss', 'under 100 whole days'],
  cvar95: ['mean loss of the days at or beyond it', 'under 20 whole days'],
  dailyDrawdown: ['deepest fall of the values at the ends of days', 'no whole day'],
  skew: ['sample skewness of r (G1)', 'under 3 whole days; no two differ'],
  kurtosis: ['sample excess kurtosis of r (G2)', 'under 4 whole days; no two differ'],
  omega: ['sum of positive r over sum of negative r', 'no day lost'],
  ulcer: ['sqrt(sum(equity drawdown of days^2) / (n - 1))', 'under 2 whole days'],
  holdSizeReturn: ['bought at the first quotes, as far as the capital pays', QUOTES],
  overHoldSize: ['total return less it', QUOTES],
  holdReturn: ['equal shares in each product traded, bought at the first quotes', QUOTES],
  holdDrawdown: ['its deepest fall, as `maxDrawdown`', QUOTES],
  overHold: ['total return less it', QUOTES],
  betaToHold: ['covariance with it over its variance, of days', 'under 2 whole days; it did not move'],
  alphaToHold: ['(mean(r) - risk-free - beta * (mean of it - risk-free)) * 365', 'under 30 whole days; it did not move'],
  trackingError: ['volatility of the difference', 'under 30 whole days'],
  informationRatio: ['mean over standard deviation of the difference * sqrt(365)', 'under 30 whole days; no two differ'],
  coin: ['profit of up to 200 coins that trade as often, with the average size and fees', 'the run traded nothing that coins could'],
  coinsBeaten: ['share of the coins that made less', 'as above'],
  trades: ['round trips, first in first out', ''],
  tradesPerDay: ['over the days of the run', 'the run is shorter than a day'],
  won: ['profit above 0', ''],
  lost: ['profit below 0', ''],
  draws: ['exactly 0', ''],
  winRate: ['won over all, draws included', TRIPS],
  tradeProfit: ['net of fees, each at the rate of its close', ''],
  profitFactor: ['what was won over what was lost', 'no trade lost'],
  expectancy: ['profit over number', TRIPS],
  expectancyRatio: ['(1 + payoff) * won / number - 1', 'no trade won or none lost'],
  sqn: ['sqrt(number) * mean / standard deviation, of profit over stake', 'under 2 round trips; no two differ'],
  averageWin: ['mean profit of those won', 'no trade won'],
  averageLoss: ['mean loss of those lost, positive', 'no trade lost'],
  payoff: ['average win over average loss', 'no trade won or none lost'],
  best: ['highest profit', TRIPS],
  worst: ['lowest profit', TRIPS],
  bestShare: ['highest profit over stake (entry price times size)', TRIPS],
  worstShare: ['lowest profit over stake', TRIPS],
  averageShare: ['mean of profit over stake', TRIPS],
  winStreak: ['most in a row that won', ''],
  lossStreak: ['most in a row that lost', ''],
  holding: ['from entry to exit', TRIPS],
  holdingWinners: ['of those won', 'no trade won'],
  holdingLosers: ['of those lost', 'no trade lost'],
  mae: ['how far a trade went against its holder; mean', 'no quote while trades were open'],
  maeMost: ['the largest of these', 'as above'],
  mfe: ['how far it went for its holder; mean', 'as above'],
  mfeMost: ['the largest of these', 'as above'],
  givenBack: ['from the best to the exit; mean', 'as above'],
  fills: ['orders that were executed', ''],
  volume: ['sum of their values', 'no rate leads from a currency to that of the report'],
  turnover: ['volume over the average value of the books', 'there was no capital'],
  spreadCost: ['from the mid to the price of the side used, times size', 'a quote is not in the journal'],
  feeCost: ['fees paid', 'as volume'],
  beyondCost: ['what `backtest.slippagePct` adds', 'as spread'],
  slippageCost: ['from the price of the quote to that of the fill, times size', 'as spread'],
  totalCost: ['spread, fees and slippage', 'as spread'],
  financing: ['what rolls cost (below 0) or brought', 'no recorded rate'],
  ageAtSend: ['from the arrival of the quote to the first byte of the order', 'no order was sent'],
  leftAtSend: ['how long the quote had to live then; `P95`: 95 % had this', 'no order was sent'],
  roundTrip: ['from the first byte to the answer', 'no order was answered'],
  signalsActedOn: ['each once', ''],
  signalAge: ['from arrival to decision', ''],
  signalEdge: ['mean move of the price their way within a minute of arrival', 'under ten have quotes'],
  signalEdgeGone: ['the part before the decision', 'as above'],
  signalHalfLife: ['when half of it is over, with its range', 'as above; no move their way'],
  breakEvenLatency: ['where the profits at several latencies reach zero', 'one latency alone; no zero between'],
  psr: [
    'probability that the true Sharpe ratio is above 0 (Bailey, Lopez de Prado 2012)',
    'under 30 whole days; too skewed for the formula',
  ],
  deflatedSharpe: ['the same against the best of as many trials by luck alone (2014)', 'as above'],
  trials: ['results among which this one was chosen', ''],
  return: ['total return of 2,000 paths drawn from the days in blocks', 'under 10 whole days'],
  drawdown: ['maximum equity drawdown of the same paths', 'under 10 whole days'],
  tradeProfitPath: ['sum of as many profits of round trips drawn anew', 'under 10 round trips'],
  quotes: ['quotes of all lanes', QUOTES],
  quotesReplaced: ['a newer one came before the engine had turned to them', 'the quotes have no numbers (imported)'],
  silences: ['pauses of a lane over 2 s and about thrice its median pause', QUOTES],
  exactShare: ['fills at the price and size of a recorded quote, over all fills', 'nothing was executed'],
  crowdedFills: ['fills before the quote of an earlier one in the product had expired', QUOTES],
  ordersSent: ['orders that passed all checks', ''],
  ordersExpired: ['found too late at the last gate', ''],
  ordersRejected: ['refused by the service', ''],
  ordersUnknown: ['without an answer that could be read', ''],
  timeHalted: ['time in which trading was halted', ''],
};

/** Figures of one kind whose ids end otherwise: percentiles, durations, shares of the volume. */
function saidOf(id: string): Said {
  const family =
    /^(coin|ageAtSend|leftAtSend|roundTrip|return|drawdown)P\d+$/.exec(id)?.[1] ??
    (/^tradeProfitP\d+$/.test(id) ? 'tradeProfitPath' : undefined);
  const duration = /^(holding\w*?)(Least|Median|Average|Most)$/.exec(id)?.[1];
  const said = SAID[family ?? duration ?? id.replace(/Bps$/, '')];
  if (!said) throw new Error(`nobody says what the figure ${id} is`);
  return said;
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
  tags: new Map(),
};

/** Every figure of a report with its rule, and when there is none; figures of one family share a row. */
export function metricsPage(): Page {
  const sections = [...makeReport(NOTHING, []).sections, ...signalSections(NO_SIGNALS)];
  const parts = sections.map(({ title, figures }) => {
    const families = Map.groupBy(figures, ({ id }) => saidOf(id));
    const lines = [...families].map(([[rule, missing], family]) => {
      const ids = family.map(({ id }) => `\`${id}\``).join(' ');
      const units = [...new Set(family.map(({ unit }) => UNITS[unit]))].join(', ');
      const name = nameOf(family);
      const named = saysAsMuch(family[0]?.id ?? '', name) ? '' : `, ${name}`;
      return `- ${ids}${named} (${units}): ${rule}${missing === '' ? '' : `; *n/a*: ${missing}`}`;
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
