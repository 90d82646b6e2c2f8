import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JournalReader } from '../../journal/reader.ts';
import { type RunReport, reportOf } from '../reporting.ts';
import type { BacktestRun } from './backtest.ts';
import { type LatencyCurve, netAt } from './curve.ts';
import { modelledOrders } from './outcome.ts';
import type { BacktestSession } from './session.ts';

/** The report of a backtest, the same as of a live run, from a journal that is gone afterwards. */
export function reportOfBacktest(session: BacktestSession, run: BacktestRun, more: ReportExtras): RunReport {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-backtest-'));
  try {
    const file = path.join(folder, 'backtest.db');
    session.save(run, file);
    const journal = JournalReader.open(file);
    try {
      const latencies = more.curve?.points.map((point) => ({
        latencyMs: point.latencyMs,
        netProfit: netAt(more.curve, point),
        trades: point.outcome.profit.find(({ group }) => group === 'total')?.trades ?? 0,
      }));
      const options = { modelled: modelledOrders(run.decisions), notes: more.notes, ...(latencies && { latencies }) };
      return reportOf({ journal, run: run.run, columns: session.columns, options });
    } finally {
      journal.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface ReportExtras {
  readonly curve: LatencyCurve | undefined;
  /** Sentences that a reader must know. */
  readonly notes: readonly string[];
}
