import type { Decision } from '#domain/decision.ts';
import type { Latch } from '#domain/latch.ts';
import { withEnds } from '#domain/latch-ends.ts';
import type { Millis } from '#domain/names.ts';
import type { StrategyActivity, StrategySnapshot } from './strategy-snapshot.ts';

/** What the rows of a run tell of one strategy. */
export interface StrategyRows {
  /** The last decision about it, at the instant or before. */
  readonly last: Decision | undefined;
  /** The run's last decision on whether it could trade, for what was not seen. */
  readonly blocked?: Decision | undefined;
  /** What its code threw in that run. */
  readonly thrown?: { readonly times: number; readonly at: string; readonly error: string } | null | undefined;
}

/** Everything known of a strategy at an instant without an order. */
export interface Silence extends StrategyRows {
  readonly at: Millis;
  readonly strategy: string;
  /** The run that was on, if one was. */
  readonly run: string | undefined;
  /** What a backtest keeps of it beside its decisions; undefined for any other run. Nobody acts in a backtest, and nothing of it is recorded. */
  readonly played?: PlayedSilence | undefined;
  /** True where the last refusal was asked for, and there was none. */
  readonly unrefused?: boolean;
  readonly latches: readonly Latch[];
  /** Orders in its product whose outcome was open. */
  readonly open: readonly OpenOrder[];
  /** What it saw, or why that is unknown. */
  readonly seen: StrategySnapshot | string;
}

interface OpenOrder {
  readonly order_id: string;
  readonly product: string;
  readonly strategy: string;
  readonly state: string;
  readonly intent_at: string;
}

/** What a backtest keeps of a strategy at an instant, beside its decisions. */
export interface PlayedSilence {
  /** When the backtest began, ISO 8601. */
  readonly from: string;
  /** True where its end was asked for. */
  readonly isEnd: boolean;
  readonly came: StrategyActivity | undefined;
  /** The last row of its last order by then. */
  readonly ordered: Decision | undefined;
}

/** What a run knows of its strategies at an instant: a daemon in memory, any other from its journal and recording. */
interface RunKnown<One> extends Pick<Silence, 'at' | 'run' | 'unrefused'> {
  readonly latches: readonly Latch[];
  /** `trading.rearmAfter`, which ends REDUCING. */
  readonly rearmAfterMs: Millis | null;
  open(product: string): Silence['open'];
  rowsOf(id: string): StrategyRows;
  seen(one: One): Silence['seen'];
  played?(id: string): PlayedSilence;
}

/** Collects why each strategy had no order: the one place that does, whatever knows of the run. */
export function silencesOf<One extends { readonly id: string; readonly product: string }>(
  strategies: readonly One[],
  { at, run, unrefused = false, rearmAfterMs, ...known }: RunKnown<One>,
): readonly Silence[] {
  const latches = withEnds(known.latches, rearmAfterMs);
  return strategies.map((one) => ({
    ...{ at, run, unrefused, strategy: one.id, open: known.open(one.product), seen: known.seen(one), played: known.played?.(one.id) },
    latches: latches.filter(({ strategy }) => strategy === null || strategy === one.id),
    ...known.rowsOf(one.id),
  }));
}
