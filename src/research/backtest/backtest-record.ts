import { type OrderRow, project } from '#adapters/journal/tables.ts';
import { VERSION } from '#assembly/package.ts';
import type { DecidingConfig } from '#config/load.ts';
import { TREASURY } from '#core/portfolio/ledger.ts';
import type { Decision, DecisionOf } from '#domain/decision.ts';
import { oncePer } from '#domain/once-per.ts';
import type { LedgerMovement, RunRecord } from '#report/record.ts';
import { BACKTEST_BOOK, type BacktestRun } from './backtest.ts';
import { fillsOf } from './outcome.ts';

/** A backtest in the form of a run for reports, straight from its decisions, without a journal. */
export const recordOfBacktest = (config: DecidingConfig, run: BacktestRun): RunRecord => recordsWith(config)(run);

const recordsWith = oncePer((config: DecidingConfig) => oncePer((run: BacktestRun) => recordWith(config, run)));

function recordWith({ settings, hash, json }: DecidingConfig, run: BacktestRun): RunRecord {
  const { decisions } = run;
  return {
    run: run.run,
    book: BACKTEST_BOOK,
    mode: 'backtest',
    version: VERSION,
    configHash: hash,
    config: json,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    endState: run.halted ? 'halted' : 'stopped',
    isRunning: false,
    latches: [],
    strategies: settings.strategies.map(({ id, use, product, params, enabled }) => ({ id, use, product, params, enabled })),
    currency: settings.account.currency,
    earlier: { fills: [], ledger: [] },
    fills: fillsOf(decisions),
    ledger: ledgerOf(decisions),
    decisions,
    begun: [],
    tags: new Map(decisions.flatMap((one) => (isTagged(one) ? [[one.orderId ?? '', one.detail.tag ?? '']] : []))),
  };
}

const isTagged = (one: Decision): one is DecisionOf<'intent'> => one.kind === 'intent' && one.orderId !== null && one.detail.tag !== null;

/** The ledger rows that a journal would have, without those of the treasury. */
function ledgerOf(decisions: readonly Decision[]): readonly LedgerMovement[] {
  const orders = new Map<string, OrderRow>();
  const ledger: LedgerMovement[] = [];
  for (const decision of decisions) {
    const before = decision.orderId === null ? undefined : orders.get(decision.orderId);
    for (const change of project('backtest', decision, before)) {
      if (change.table === 'orders') orders.set(change.row.order_id, change.row);
      if (change.table !== 'ledger' || change.row.book === TREASURY) continue;
      const { book, product, kind, currency, amount } = change.row;
      ledger.push({ at: decision.at, book, product, kind, currency, amount });
    }
  }
  return ledger;
}
