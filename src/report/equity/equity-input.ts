import type { Millis } from '#domain/names.ts';
import type { PriceColumns } from '#domain/quote-columns.ts';
import type { LedgerMovement } from '#report/record.ts';
import type { TimeSpan } from './empty-times.ts';
import type { CurrenciesOf } from './holdings.ts';

/** Books with the quotes that value them, and the time over which they are valued. */
export interface EquityInput {
  /** Movements before the run. */
  readonly earlier: readonly LedgerMovement[];
  /** In order of time. */
  readonly movements: readonly LedgerMovement[];
  readonly columns: readonly PriceColumns[];
  readonly currenciesOf: CurrenciesOf;
  /** Currency of the value. */
  readonly currency: string;
  readonly from: Millis;
  readonly to: Millis;
  /** Times without any quote that are no part of it, in order. */
  readonly empty: readonly TimeSpan[];
  /** Times between recordings, which no share of time counts. */
  readonly unrecorded?: readonly TimeSpan[];
  /** True to take each quote by itself, with the same result but slower. */
  readonly everyQuote?: boolean;
  /** True for a chart of what there is, flows and revaluation included, instead of the growth of the initial capital. */
  readonly isInMoney?: boolean;
}
