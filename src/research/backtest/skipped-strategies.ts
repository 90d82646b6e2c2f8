import { wantedBy } from '#assembly/assemble.ts';
import type { Settings } from '#config/settings.ts';
import { rowsWithin } from '#domain/columns-memory.ts';
import { isLentLane } from '#domain/lane.ts';
import type { Millis } from '#domain/names.ts';
import type { QuoteColumns } from '#domain/quote-columns.ts';
import { type Headline, headline } from '#report/headline.ts';
import type { BacktestData } from './data.ts';
import { lackingText } from './lacking.ts';
import type { PlayedTime } from './one-source.ts';

type Entry = Settings['strategies'][number];

/** Enabled strategies whose product has no quotes in what is played: they are left out where others have some. */
export interface SkippedStrategies {
  readonly left: readonly Entry[];
  /** True where no enabled strategy has any quotes: nothing is left to play. */
  readonly isAll: boolean;
  /** The one line that says so; none where none is left out. */
  readonly headlines: readonly Headline[];
}

export const NONE_LEFT_OUT: SkippedStrategies = { left: [], isAll: false, headlines: [] };

/** Products that have quotes in a time. */
export function quotedIn(columns: readonly QuoteColumns[], time: { readonly from: Millis; readonly to: Millis }): ReadonlySet<string> {
  const has = (one: QuoteColumns): boolean => {
    const [first, end] = rowsWithin(one, time);
    return end > first;
  };
  return new Set(columns.filter((one) => !isLentLane(one.lane) && has(one)).map(({ product }) => product));
}

/** Which strategies of the settings have no quotes in the time that is played, and what to do about it. */
export function leftOutOf(strategies: Settings['strategies'], data: BacktestData, time: PlayedTime): SkippedStrategies {
  const quoted = quotedIn(data.columns, { from: time.from ?? Number.NEGATIVE_INFINITY, to: time.to ?? Number.POSITIVE_INFINITY });
  const enabled = strategies.filter((one) => one.enabled);
  const kept = enabled.filter(({ product }) => quoted.has(product));
  const left = enabled.filter(({ product }) => !quoted.has(product));
  const [first, second] = left;
  if (!first) return NONE_LEFT_OUT;
  const products = [...new Set(left.map(({ product }) => product))].join(', ');
  const what = `played without ${left.map(({ id, origin }) => `${id} (${origin})`).join(', ')}: ${lackingText(data, products, time)}`;
  const mend = `enabled: false there${optionOf(kept)} plays without ${second ? 'them' : 'it'} and without this line`;
  return {
    left,
    isAll: kept.length === 0,
    headlines: [headline('STRATEGY_LEFT_OUT', `${what}; ${mend}`, { level: 'note', strategy: second ? null : first.id })],
  };
}

/** What strategies that are played want and the data has no quotes of: a product of their inputs, or their own in one trial's time. */
export function unquoted(
  strategies: Settings['strategies'],
  quoted: ReadonlySet<string>,
  lacks: (product: string) => string,
): readonly Headline[] {
  return strategies
    .flatMap(wantedBy)
    .filter(({ strategy, product, amount }) => strategy.enabled && amount !== null && !quoted.has(product))
    .map(({ strategy: { id }, product, where }) => {
      const could = where === '' ? `could not trade ${product}` : `saw nothing of its input ${where.split('.')[1]}`;
      return headline('NOT_RECORDED', `strategy ${id} ${could}: ${lacks(product)}`, { strategy: id });
    });
}

/** What `account.rates` names and the data has no quotes of: the others are played all the same. */
export function unquotedRates(
  rates: Settings['account']['rates'],
  quoted: ReadonlySet<string>,
  lacks: (product: string) => string,
): readonly Headline[] {
  const missing = new Set(rates.map(({ product }) => product).filter((product) => !quoted.has(product)));
  return [...missing].map((product) => headline('NOT_RECORDED', `account.rates: ${product} gives no rate: ${lacks(product)}`));
}

/** Strategies that an option names in a line. */
const NAMED = 2;

const optionOf = (kept: readonly Entry[]): string =>
  kept.length > NAMED
    ? ', or kairos backtest with --strategy for each of the others,'
    : `, or kairos backtest ${kept.map(({ id }) => `--strategy ${id}`).join(' ')},`;
