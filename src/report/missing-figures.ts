import type { Figure, Section } from './figures.ts';
import { metricIn } from './figures.ts';
import { isKnown } from './metrics/metric.ts';
import { ENOUGH_TRADES } from './summary.ts';

/** Figures that say nothing, for one reason. */
export interface MissingFigures {
  readonly why: string;
  /** Those that have a value all the same are of too few round trips. */
  readonly figures: readonly Figure[];
}

/** Ratios of round trips: of a few of them they are chance. */
const OF_TRADES: ReadonlySet<string> = new Set([
  ...['winRate', 'profitFactor', 'expectancy', 'expectancyRatio', 'sqn', 'payoff', 'averageWin', 'averageLoss'],
  ...['tradesPerDay', 'winStreak', 'lossStreak', 'coinsBeaten'],
]);

/** The figures of a report in two parts: sections of what can be said, and what cannot, by its reason. Every figure stands in one of them. */
export function saidAndUnsaid(sections: readonly Section[]): {
  readonly said: readonly Section[];
  readonly unsaid: readonly MissingFigures[];
} {
  /** `of`: empty, or `.` and the currency of the round trips. */
  const few = (of: string): string | null => {
    const trades = metricIn(sections, `trades${of}`);
    return isKnown(trades) && trades < ENOUGH_TRADES
      ? `too few round trips: ${trades}, and below ${ENOUGH_TRADES} a ratio means nothing`
      : null;
  };
  const byWhy = new Map<string, Figure[]>();
  const isSaid = (figure: Figure): boolean => {
    const [id = '', currency] = figure.id.split('.');
    const tooFew = OF_TRADES.has(id) ? few(currency === undefined ? '' : `.${currency}`) : null;
    const why = figure.value === null ? (figure.note ?? 'for an unknown reason') : tooFew;
    if (why === null) return true;
    byWhy.set(why, [...(byWhy.get(why) ?? []), figure]);
    return false;
  };
  const said = sections
    .map(({ title, figures }) => ({ title, figures: figures.filter(isSaid) }))
    .filter(({ figures }) => figures.length > 0);
  return { said, unsaid: [...byWhy].map(([why, figures]) => ({ why, figures })) };
}
