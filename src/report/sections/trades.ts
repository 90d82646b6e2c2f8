import { type Figure, type FigureRow, figure, figuresOf, type Section } from '#report/figures.ts';
import { isKnown, type Metric, missing } from '#report/metrics/metric.ts';
import { columnsOfTrips, type Durations, type TripFigures, type Trips, tripFigures } from '#report/metrics/trips.ts';
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

const tradeSection = (trades: readonly ReportedTrade[], days: Metric): Section => ({
  title: 'Trades',
  figures: [...tripLines(columnsOfTrips(trades), days), ...excursionLines(trades)],
});

/** Figures of round trips but those of their excursions. */
export const tripLines = (trips: Trips, days: Metric): readonly Figure[] =>
  figuresOf(tripFigures(trips), [
    ['trades', 'round trips', 'count', (t) => t.trades],
    ['tradesPerDay', 'round trips a day', 'count', (t) => (!isKnown(days) ? days : days < 1 ? SHORT : t.trades / days)],
    ['won', 'won', 'count', (t) => t.won],
    ['lost', 'lost', 'count', (t) => t.lost],
    ['draws', 'neither', 'count', (t) => t.draws],
    ['winRate', 'win rate', 'share', (t) => t.winRate],
    ['tradeProfit', 'profit of round trips', 'money', (t) => t.netProfit, 'net of fees; open positions are left out'],
    ['profitFactor', 'profit factor', 'ratio', (t) => t.profitFactor],
    ['expectancy', 'expectancy', 'money', (t) => t.expectancy, 'a round trip'],
    ['expectancyRatio', 'expectancy ratio', 'ratio', (t) => t.expectancyRatio],
    ['sqn', 'SQN', 'ratio', (t) => t.sqn],
    ['averageWin', 'average win', 'money', (t) => t.averageWin],
    ['averageLoss', 'average loss', 'money', (t) => t.averageLoss],
    ['payoff', 'payoff', 'ratio', (t) => t.payoff, 'average win over average loss'],
    ['best', 'best', 'money', (t) => t.best],
    ['worst', 'worst', 'money', (t) => t.worst],
    ['bestShare', 'best, of its stake', 'share', (t) => t.bestShare],
    ['worstShare', 'worst, of its stake', 'share', (t) => t.worstShare],
    ['averageShare', 'average, of its stake', 'share', (t) => t.averageShare],
    ['winStreak', 'won in a row', 'count', (t) => t.winStreak],
    ['lossStreak', 'lost in a row', 'count', (t) => t.lossStreak],
    ...durationRows('holding', 'held', (t) => t.holding),
    ...durationRows('holdingWinners', 'winners held', (t) => t.holdingOfWinners),
    ...durationRows('holdingLosers', 'losers held', (t) => t.holdingOfLosers),
  ]);

const SHORT = missing('the run is shorter than a day');

const durationRows = (id: string, label: string, of: (trips: TripFigures) => Durations): readonly FigureRow<TripFigures>[] => [
  [`${id}Least`, `${label}, least`, 'duration', (t) => of(t).least],
  [`${id}Median`, `${label}, median`, 'duration', (t) => of(t).median],
  [`${id}Average`, `${label}, average`, 'duration', (t) => of(t).average],
  [`${id}Most`, `${label}, most`, 'duration', (t) => of(t).most],
];

type Excursions = readonly NonNullable<ReportedTrade['excursion']>[];

function excursionLines(trades: readonly ReportedTrade[]): readonly Figure[] {
  const excursions: Excursions = trades.flatMap(({ excursion }) => excursion ?? []);
  const none = trades.length === 0 ? 'there was no round trip' : 'no quote was recorded while trades were open';
  return figuresOf<Excursions>(excursions.length === 0 ? none : excursions, [
    ['mae', 'average adverse excursion (MAE)', 'share', (all) => mean(all.map(({ adverse }) => adverse))],
    ['maeMost', 'largest MAE', 'share', (all) => most(all.map(({ adverse }) => adverse))],
    ['mfe', 'average favourable excursion (MFE)', 'share', (all) => mean(all.map(({ favourable }) => favourable))],
    ['mfeMost', 'largest MFE', 'share', (all) => most(all.map(({ favourable }) => favourable))],
    ['givenBack', 'given back from the best price', 'share', (all) => mean(all.map(({ givenBack }) => givenBack)), 'average'],
  ]);
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
