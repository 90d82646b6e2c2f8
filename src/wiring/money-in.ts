import { decimalOf } from '../domain/decimal.ts';
import type { BookedEntry } from '../domain/decision.ts';
import type { StrategyHost } from '../strategy/host.ts';
import type { DecisionLog } from '../trading/decision-log.ts';
import type { Guard } from '../trading/guard.ts';

/** What no order moved, once it is journaled: the account has it, and strategies hear of deposits. */
export class MoneyIn {
  private readonly parts: { readonly log: DecisionLog; readonly guard: Guard; readonly host: StrategyHost };

  constructor(parts: MoneyIn['parts']) {
    this.parts = parts;
  }

  booked(entries: readonly BookedEntry[]): void {
    const { log, guard, host } = this.parts;
    guard.booked(entries);
    for (const { kind, currency, amount } of entries) {
      if (kind === 'deposit') host.deposit(Object.freeze({ at: log.now, currency, amount: decimalOf(amount).toString() }));
    }
  }
}
