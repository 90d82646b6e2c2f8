import { type ProfitStatus, standingOf } from '#core/portfolio/profit-state.ts';
import type { Decimal } from '#domain/decimal.ts';
import type { Currency, ProductCode } from '#domain/names.ts';
import type { LimitUse } from './limit-use.ts';
import type { DayLoss, Drawdown, LossLimits } from './loss-limits.ts';

/** What the risk monitor has measured up to an instant, for people. Estimates are doubles; balances are exact. */
export interface Measures {
  readonly profit: readonly ProfitStatus[];
  /** Below the highest profit of all; undefined while nothing that was traded can be measured. */
  readonly drawdown: Drawdown | undefined;
  readonly dayLosses: readonly DayLoss[];
  /** The sum of all strategies' budgets in a currency. */
  readonly capital: (currency: Currency) => number;
  /** Of the account, by currency; without those whose opening balance is not known. */
  readonly balances: ReadonlyMap<string, Decimal>;
  /** What one unit of `from` is worth in `to` where `amount` of it is exchanged; undefined without a live quote that says so. */
  readonly rate: (from: string, to: string, amount: number) => number | undefined;
  /** Price at which a position of `size` (negative: short) counts, the same for all longs and for all shorts of a product. */
  readonly mark: (product: ProductCode, size: number) => number | undefined;
  readonly limits: readonly LimitUse[];
}

/** What limits of loss hold where profit stands so; nothing is lost while nothing was traded. `currency`: the account's. */
export function heldBy(lossLimits: LossLimits, profit: readonly ProfitStatus[], currency: string): ReturnType<LossLimits['held']> {
  const nothing = { amount: 0, pct: 0, currency };
  const held = lossLimits.held(
    profit.flatMap((seen) => standingOf(seen) ?? []),
    profit.flatMap((seen) => standingOf({ ...seen, peak: seen.highest }) ?? []),
  );
  return profit.length === 0 ? { ...held, drawdown: nothing, heldDrawdown: nothing } : held;
}
