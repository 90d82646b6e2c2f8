import type { SchedulerLike } from 'rxjs';
import type { Millis, ProductCode, StrategyId } from '#domain/names.ts';
import type { View } from './contract.ts';
import type { HostResult, StrategyInstance } from './instance.ts';
import type { CronNext } from './market-streams.ts';

export interface HostOptions {
  /** In configuration order, which is the order in which they are asked. */
  readonly instances: readonly StrategyInstance[];
  /** The engine's scheduler: timers of strategies are set on it, `runTimers` fires them, and `warm` takes it back for a while. */
  readonly scheduler: SchedulerLike & { runDue(upTo: Millis): void; goBack(from: Millis, past: () => void): void };
  /** What `decide` may look at; built only when it is asked. Undefined while there is nothing to decide on: it is not asked then. */
  readonly viewOf: (instance: StrategyInstance, random: () => number) => View | undefined;
  /** True while an order of the instance is in flight in its product. */
  readonly busy: (instance: StrategyInstance) => boolean;
  /** Kept here: the strategies that are disabled, with the reason. */
  readonly disabled: Map<StrategyId, string>;
  /** Called with each result, outside of any try: what it throws is the engine's and goes to whoever called the host. */
  readonly emit: (result: HostResult) => void;
  /** True where the quotes of a product are bars. */
  readonly areBars?: (product: ProductCode) => boolean;
  /** For `market.at(cron)`; strategies that use it throw without. */
  readonly cronNext?: CronNext;
  /** Keeps what each strategy was asked last, and its answer. */
  readonly notesAsks?: boolean;
  /** Called when a strategy's code begins to run, and with null when it ends: for a watchdog, so it must be cheap. */
  readonly onInside?: (id: StrategyId | null) => void;
}
