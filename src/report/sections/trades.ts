import { type Figure, figure, type Section } from '#report/figures.ts';
import { isKnown, type Metric, missing, ratio } from '#report/metrics/metric.ts';
import { type Durations, type TripFigures, tripFigures } from '#report/metrics/trips.ts';
import type { ReportedTrade } from '#report/trades.ts';

/** Figures of all round trips that are of money, not of counts or of shares of a stake. */
const OF_MONEY: ReadonlySet<string> = new Set([
  ...['tradeProfit', 'profitFactor', 'expectancy', 'expectancyRatio'],
  ...['averageWin', 'averageLoss', 'payoff', 'best', 'worst'],
]);

/**
 * Figures of round trips. `apart`: why their money is not in the report's currency. Then each currency has a section, whose ids end with it,
 * behind that of all round trips, in which figures of money are missing; where they are all in one currency, that is the only section.
 */
export function tradeSections(
  trades: readonly ReportedTrade[],
  days: Metric,
  { apart, currency }: { readonly apart: string | undefined; readonly currency: string },
): readonly Section[] {
  const all = tradeSection(trades, days);
  if (apart === undefined) return [all];
  const each = [...Map.groupBy(trades, (trade) => trade.currency)].sort(([a], [b]) => (a < b ? -1 : 1));
  const [only, ...others] = each;
  const inMoney = (figures: readonly Figure[], own: string): readonly Figure[] =>
    figures.map((one) => (one.unit === 'money' && own !== currency ? { ...one, currency: own } : one));
  if (only && others.length === 0) return [{ ...all, figures: inMoney(all.figures, only[0]) }];
  return [
    {
      ...all,
      figures: all.figures.map((one) => (OF_MONEY.has(one.id) ? figure(one.id, one.label, one.unit, missing(apart)) : one)),
    },
    ...each.map(([own, members]) => ({
      title: `Trades in ${own}`,
      figures: inMoney(tradeSection(members, days).figures, own).map((one) => ({
        ...one,
        id: `${one.id}.${own}`,
        label: `${one.label}, ${own}`,
      })),
    })),
  ];
}

function tradeSection(trades: readonly ReportedTrade[], days: Metric): Section {
  const trips = tripFigures(trades);
  const of = (take: (known: TripFigures) => Metric): Metric => take(trips);
  const excursions = trades.flatMap(({ excursion }) => (excursion ? [excursion] : []));
  const none = trades.length === 0 ? 'there was no round trip' : 'no quote was recorded while trades were open';
  const average = (values: readonly number[]): Metric =>
    ratio(
      values.reduce((a, b) => a + b, 0),
      values.length,
      none,
    );
  const most = (values: readonly number[]): Metric => (values.length === 0 ? missing(none) : values.reduce((a, b) => Math.max(a, b)));
  return {
    title: 'Trades',
    figures: [
      figure(
        'trades',
        'round trips',
        'count',
        of((t) => t.trades),
      ),
      figure(
        'tradesPerDay',
        'round trips a day',
        'count',
        of((t) => (!isKnown(days) ? days : days < 1 ? missing('the run is shorter than a day') : t.trades / days)),
      ),
      figure(
        'won',
        'won',
        'count',
        of((t) => t.won),
      ),
      figure(
        'lost',
        'lost',
        'count',
        of((t) => t.lost),
      ),
      figure(
        'draws',
        'neither',
        'count',
        of((t) => t.draws),
      ),
      figure(
        'winRate',
        'win rate',
        'share',
        of((t) => t.winRate),
      ),
      figure(
        'tradeProfit',
        'profit of round trips',
        'money',
        of((t) => t.netProfit),
        'net of fees; open positions are left out',
      ),
      figure(
        'profitFactor',
        'profit factor',
        'ratio',
        of((t) => t.profitFactor),
      ),
      figure(
        'expectancy',
        'expectancy',
        'money',
        of((t) => t.expectancy),
        'a round trip',
      ),
      figure(
        'expectancyRatio',
        'expectancy ratio',
        'ratio',
        of((t) => t.expectancyRatio),
      ),
      figure(
        'sqn',
        'SQN',
        'ratio',
        of((t) => t.sqn),
      ),
      figure(
        'averageWin',
        'average win',
        'money',
        of((t) => t.averageWin),
      ),
      figure(
        'averageLoss',
        'average loss',
        'money',
        of((t) => t.averageLoss),
      ),
      figure(
        'payoff',
        'payoff',
        'ratio',
        of((t) => t.payoff),
        'average win over average loss',
      ),
      figure(
        'best',
        'best',
        'money',
        of((t) => t.best),
      ),
      figure(
        'worst',
        'worst',
        'money',
        of((t) => t.worst),
      ),
      figure(
        'bestShare',
        'best, of its stake',
        'share',
        of((t) => t.bestShare),
      ),
      figure(
        'worstShare',
        'worst, of its stake',
        'share',
        of((t) => t.worstShare),
      ),
      figure(
        'averageShare',
        'average, of its stake',
        'share',
        of((t) => t.averageShare),
      ),
      figure(
        'winStreak',
        'won in a row',
        'count',
        of((t) => t.winStreak),
      ),
      figure(
        'lossStreak',
        'lost in a row',
        'count',
        of((t) => t.lossStreak),
      ),
      ...durationLines('holding', 'held', (take) => of((t) => take(t.holding))),
      ...durationLines('holdingWinners', 'winners held', (take) => of((t) => take(t.holdingOfWinners))),
      ...durationLines('holdingLosers', 'losers held', (take) => of((t) => take(t.holdingOfLosers))),
      figure('mae', 'average adverse excursion (MAE)', 'share', average(excursions.map(({ adverse }) => adverse))),
      figure('maeMost', 'largest MAE', 'share', most(excursions.map(({ adverse }) => adverse))),
      figure('mfe', 'average favourable excursion (MFE)', 'share', average(excursions.map(({ favourable }) => favourable))),
      figure('mfeMost', 'largest MFE', 'share', most(excursions.map(({ favourable }) => favourable))),
      figure('givenBack', 'given back from the best price', 'share', average(excursions.map(({ givenBack }) => givenBack)), 'average'),
    ],
  };
}

function durationLines(id: string, label: string, of: (take: (known: Durations) => Metric) => Metric): readonly Figure[] {
  return [
    figure(
      `${id}Least`,
      `${label}, least`,
      'duration',
      of((d) => d.least),
    ),
    figure(
      `${id}Median`,
      `${label}, median`,
      'duration',
      of((d) => d.median),
    ),
    figure(
      `${id}Average`,
      `${label}, average`,
      'duration',
      of((d) => d.average),
    ),
    figure(
      `${id}Most`,
      `${label}, most`,
      'duration',
      of((d) => d.most),
    ),
  ];
}
