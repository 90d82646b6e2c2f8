import type { Headline } from '#report/headline.ts';
import { makeReport, type RunReport } from '#report/report.ts';
import type { SearchView } from '#report/search-view.ts';
import type { BacktestRun } from './backtest.ts';
import { askedIn, backtestNotes } from './backtest-headlines.ts';
import { recordOfBacktest } from './backtest-record.ts';
import { type LatencyCurve, netAt } from './curve.ts';
import { modelledOrders } from './outcome.ts';
import type { BacktestSession } from './session.ts';

/** The report of a backtest, as of a live run, straight from its decisions, without a journal. */
export function reportOfBacktest(session: BacktestSession, run: BacktestRun, more: ReportExtras): RunReport {
  const { curve, headlines = [], trials } = more;
  const latencies = curve?.points.map((point) => ({
    latencyMs: point.latencyMs,
    netProfit: netAt(curve, point),
    trades: point.outcome.profit.find(({ group }) => group === 'total')?.trades ?? 0,
  }));
  return makeReport(recordOfBacktest(session.config, run), session.columns, {
    modelled: modelledOrders(run.decisions),
    headlines: [...backtestNotes(session, run), ...headlines],
    asked: askedIn(session, run),
    quotes: run.quotes,
    onHalt: session.facts.onHalt,
    everyQuote: session.everyQuote,
    ...(trials && { trials: trials.count, trialSharpes: trials.sharpes, trialTable: trials.table, search: trials.search }),
    ...(latencies && { latencies }),
  });
}

interface ReportExtras {
  readonly curve: LatencyCurve | undefined;
  /** Headlines in addition to the backtest's own. */
  readonly headlines?: readonly Headline[];
  /** Number of results among which this one was chosen, itself included, and the daily Sharpe ratios of the available ones. */
  readonly trials?: {
    readonly count: number;
    readonly sharpes: readonly number[];
    readonly search: SearchView;
    readonly table: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  };
}
