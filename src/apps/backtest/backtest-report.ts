import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JournalReader } from '#adapters/journal/reader.ts';
import { type RunReport, reportOf } from '#apps/assembly/reporting.ts';
import type { Headline } from '#report/headline.ts';
import type { BacktestRun } from './backtest.ts';
import { askedIn, backtestNotes } from './backtest-headlines.ts';
import { type LatencyCurve, netAt } from './curve.ts';
import { modelledOrders } from './outcome.ts';
import { saveRun } from './save-run.ts';
import type { BacktestSession } from './session.ts';

/** The report of a backtest, the same as of a live run, from a journal that is gone afterwards. */
export function reportOfBacktest(session: BacktestSession, run: BacktestRun, more: ReportExtras): RunReport {
  const folder = mkdtempSync(path.join(tmpdir(), 'kairos-backtest-'));
  try {
    const file = path.join(folder, 'backtest.db');
    saveRun(session.config, run, file);
    const journal = JournalReader.open(file);
    try {
      const latencies = more.curve?.points.map((point) => ({
        latencyMs: point.latencyMs,
        netProfit: netAt(more.curve, point),
        trades: point.outcome.profit.find(({ group }) => group === 'total')?.trades ?? 0,
      }));
      const { headlines = [], trials } = more;
      const among = trials && { trials: trials.count, trialSharpes: trials.sharpes, trialTable: trials.table };
      const options = {
        modelled: modelledOrders(run.decisions),
        headlines: [...backtestNotes(session, run), ...headlines],
        asked: askedIn(session, run),
        onHalt: session.facts.onHalt,
        ...among,
        ...(latencies && { latencies }),
      };
      return reportOf({ journal, run: run.run, columns: session.columns, options });
    } finally {
      journal.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ReportExtras {
  readonly curve: LatencyCurve | undefined;
  /** What a reader must know besides what the backtest says of itself. */
  readonly headlines?: readonly Headline[];
  /** Results among which this one was chosen, itself included, and the Sharpe ratios of one day of those at hand. */
  readonly trials?: {
    readonly count: number;
    readonly sharpes: readonly number[];
    readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  };
}
