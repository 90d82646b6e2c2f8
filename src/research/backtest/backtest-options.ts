import type { RecoveryState } from '#adapters/journal/recovery.ts';
import type { LoadedStrategy } from '#assembly/assemble.ts';
import type { DecidingConfig } from '#config/load.ts';
import type { ProductText, WarmUpFeed } from '#domain/event.ts';
import type { FreshnessOf } from '#domain/freshness.ts';
import type { Millis } from '#domain/names.ts';
import type { Notice } from '#ports/notice.ts';
import type { TimeSpan } from '#report/equity/empty-times.ts';
import type { OwnOutcomes, PastOutcome } from '../replay/backtest-broker.ts';
import type { LatencyModel } from '../replay/latency.ts';
import type { QuoteSources } from '../replay/quote-sources.ts';
import type { Flow } from './deposits.ts';
import type { OnEmission } from './emissions.ts';
import type { RecordedCondition, RecordedInput } from './recorded-events.ts';

export interface BacktestOptions {
  readonly config: DecidingConfig;
  readonly strategies: readonly LoadedStrategy[];
  /** Id of the run. */
  readonly run: string;
  readonly sources: QuoteSources;
  /** How long lanes may be silent before no order uses them; as configured by default. */
  readonly freshnessOf?: FreshnessOf;
  readonly products: readonly ProductText[];
  readonly flows: readonly Flow[];
  /** Times without a recording: signals begin anew after each. */
  readonly holes?: readonly TimeSpan[];
  /** Recorded prices of display inputs, and signals from outside. */
  readonly inputs: readonly RecordedInput[];
  /** Past quotes that warm up signals at the start, as in a journaled run. */
  readonly warmUps: readonly WarmUpFeed[];
  /** The recorded conditions of a run; undefined for normal ones. */
  readonly conditions: readonly RecordedCondition[] | undefined;
  /** The state of earlier runs from which it continues; empty by default. */
  readonly recovered?: RecoveryState;
  readonly latency: LatencyModel;
  readonly outcomes: readonly PastOutcome[];
  /** What the service did not execute of the run that is compared with. */
  readonly own?: OwnOutcomes;
  readonly from: Millis;
  /** When it ends; with the last quote by default. */
  readonly until?: Millis | undefined;
  /** True to play all quotes one by one. */
  readonly everyQuote?: boolean;
  /** Told what strategies emit, where all quotes are played one by one. */
  readonly onEmission?: OnEmission | undefined;
  readonly notice: Notice;
  /** Called now and then with the number of played quotes. */
  readonly onQuotes?: (count: number) => void;
}
