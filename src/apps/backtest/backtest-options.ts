import type { Recovered } from '#adapters/journal/recovery.ts';
import type { LoadedStrategy } from '#apps/assembly/assemble.ts';
import type { DecidingConfig } from '#config/load.ts';
import type { ProductText, WarmUpFeed } from '#domain/event.ts';
import type { FreshnessOf } from '#domain/freshness.ts';
import type { Millis } from '#domain/names.ts';
import type { Notice } from '#ports/notice.ts';
import type { Flow } from './deposits.ts';
import type { RecordedCondition, RecordedShown } from './recorded-events.ts';
import type { PastOutcome } from './replay/backtest-broker.ts';
import type { LatencyModel } from './replay/latency.ts';
import type { QuoteSources } from './replay/quote-sources.ts';

export interface BacktestOptions {
  readonly config: DecidingConfig;
  readonly strategies: readonly LoadedStrategy[];
  /** What the run is called. */
  readonly run: string;
  readonly sources: QuoteSources;
  /** How long lanes may be silent before no order uses them; as configured unless said. */
  readonly freshnessOf?: FreshnessOf;
  readonly products: readonly ProductText[];
  readonly flows: readonly Flow[];
  /** What was recorded of inputs that are only looked at. */
  readonly shown: readonly RecordedShown[];
  /** Past quotes that signals are fed with at the start, as a run of the journal was. */
  readonly warmUps: readonly WarmUpFeed[];
  /** What a run was told of its surroundings; undefined: they are as they should be. */
  readonly conditions: readonly RecordedCondition[] | undefined;
  /** What it goes on with; nothing unless given. */
  readonly recovered?: Recovered;
  readonly latency: LatencyModel;
  readonly outcomes: readonly PastOutcome[];
  readonly from: Millis;
  /** When it ends; with the last quote unless given. */
  readonly until?: Millis | undefined;
  /** True: quotes that nobody acts on are played one by one as well. */
  readonly everyQuote?: boolean;
  readonly notice: Notice;
  /** Told now and then how many quotes were played. */
  readonly onQuotes?: (count: number) => void;
}
