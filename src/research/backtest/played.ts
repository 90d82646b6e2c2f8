import { playedBy } from '#adapters/journal/played.ts';
import { windowOf } from '#domain/columns-memory.ts';
import { KairosError } from '#domain/errors.ts';
import type { ProductText } from '#domain/event.ts';
import { amountOf, laneFor } from '#domain/lane.ts';
import { type Millis, productCode } from '#domain/names.ts';
import type { TimedQuote } from '#domain/quote.ts';
import type { PriceColumns, QuoteColumns } from '#domain/quote-columns.ts';
import { type Headline, headline } from '#report/headline.ts';
import type { TrialStatistics } from '#report/luck.ts';
import type { StrategyActivity } from '#report/strategy-snapshot.ts';
import { QuoteSources } from '../replay/quote-sources.ts';
import { type LaneFilter, partOf, productsByCode, recordedData } from './data.ts';
import { backtestFreshness, withRanges } from './imports.ts';
import { quotesHash } from './shared-data.ts';

/** What a backtest played, kept with its decisions for later reports. */
export interface PlayedData {
  /** Absolute path of the recording, or of the folder of them. */
  readonly data: string;
  /** SHA-256 of its quotes. */
  readonly hash: string;
  /** How many quotes of each lane the recording had: what is recorded since does not count. Absent where an earlier version kept it. */
  readonly rows?: Readonly<Record<string, number>>;
  readonly products: readonly string[];
  /** Recorded lanes that it played for strategies. */
  readonly lanes: readonly string[];
  /** The amounts that it played by a model of other ones, and what decides their prices; absent where it played none. */
  readonly modelled?: {
    readonly lanes: readonly { readonly product: string; readonly amount: Parameters<typeof amountOf>[0] }[];
    readonly products: readonly ProductText[];
    readonly slippagePct: number;
    /** Absent where an earlier version kept it. */
    readonly staleAfterMs?: Readonly<Record<string, Millis>>;
  };
  readonly from: Millis;
  /** Null for the recording's end. */
  readonly to: Millis | null;
  readonly onHalt: 'end' | 'continue';
  /** How often each strategy was asked to decide. */
  readonly asked: Readonly<Record<string, number>>;
  /** What each strategy came to. */
  readonly strategies: Readonly<Record<string, StrategyActivity>>;
  readonly quotes: number;
  readonly headlines: readonly Headline[];
  /** The newest quote of each of its lanes at the end, at which what is held is valued. */
  readonly lastSeen: readonly TimedQuote[];
  /** What had been tried on its quotes by then; absent where nothing had. */
  readonly tried?: TrialStatistics;
}

/** What a backtest kept in a journal; null for any other run. Throws as `JournalReader.open`. */
export function playedFrom(journal: string, run: string): PlayedData | null {
  const text = playedBy(journal, run);
  return text === null ? null : JSON.parse(text);
}

/** Reads the quotes of a kept backtest again; none, with a headline, if they are missing or changed. */
export function quotesOf(played: PlayedData): {
  readonly columns: readonly QuoteColumns[];
  readonly modelled: readonly PriceColumns[];
  readonly headlines: readonly Headline[];
} {
  const without = (why: string) => ({
    columns: [],
    modelled: [],
    headlines: [...played.headlines, headline('DATA_CHANGED', `${why}: figures and charts that need quotes are missing`)],
  });
  try {
    const { rows } = played;
    const wasRead: LaneFilter = ({ lane }) => rows === undefined || lane in rows;
    const { columns: recorded, imports } = recordedData(played.data, { from: played.from, to: played.to ?? undefined }, wasRead);
    const columns = asPlayed(recorded, played);
    if (quotesHash(columns) !== played.hash)
      return without(`${played.data} holds other quotes than the backtest played, or an earlier Kairos kept it`);
    const { from, headlines, modelled = { lanes: [], products: [], slippagePct: 0 } } = played;
    const to = played.to ?? Number.POSITIVE_INFINITY;
    const { slippagePct, staleAfterMs = {} } = modelled;
    const products = productsByCode(modelled.products);
    const freshnessOf = backtestFreshness(imports, staleAfterMs);
    const sources = new QuoteSources({ columns, products, from, to, slippagePct, freshnessOf, withRanges: withRanges(imports) });
    const lanes = modelled.lanes.map(({ product, amount }) => laneFor(productCode(product), amountOf(amount)));
    return { columns: partOf(columns, { ...played, to }), modelled: sources.modelled(lanes), headlines };
  } catch (error) {
    if (!(error instanceof KairosError)) throw error;
    return without(`the quotes that the backtest played cannot be read (${error.message})`);
  }
}

/** The columns as they were when they were played. */
function asPlayed(recorded: readonly QuoteColumns[], { rows }: PlayedData): readonly QuoteColumns[] {
  if (rows === undefined) return recorded;
  return recorded.flatMap((one) => {
    const had = rows[one.lane] ?? 0;
    return had === 0 ? [] : had === one.length ? one : windowOf(one, 0, had);
  });
}
