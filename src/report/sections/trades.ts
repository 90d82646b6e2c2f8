import { type Figure, figure, type Section } from '#report/figures.ts';
import { isKnown, type Metric, missing, ratio } from '#report/metrics/metric.ts';
import type { Durations, TripFigures } from '#report/metrics/trips.ts';
import type { ReportedTrade } from '#report/trades.ts';

/** Figures of round trips. `trips` is a text where their money cannot be had in one currency. */
export function tradeSection(trips: TripFigures | string, trades: readonly ReportedTrade[], days: Metric): Section {
  const of = (take: (known: TripFigures) => Metric): Metric => (typeof trips === 'string' ? missing(trips) : take(trips));
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
