import type { Headline } from '#report/headline.ts';
import type { TrialStatistics } from '#report/luck.ts';
import { makeReport, type RunReport, type TextTable } from '#report/report.ts';
import type { SearchView } from '#report/search-view.ts';
import type { BacktestRun } from './backtest.ts';
import { askedIn, backtestNotes } from './backtest-headlines.ts';
import { recordOfBacktest } from './backtest-record.ts';
import { type LatencyCurve, latenciesIn } from './curve.ts';
import { modelledOrders } from './outcome.ts';
import { namesOf } from './played-lanes.ts';
import type { BacktestSession } from './session.ts';

/** The report of a backtest, as of a live run, straight from its decisions, without a journal. */
export function reportOfBacktest(session: BacktestSession, run: BacktestRun, more: ReportExtras): RunReport {
  const { curve, headlines = [], tried, search } = more;
  return makeReport(recordOfBacktest(session.config, run), session.columns, {
    modelled: modelledOrders(run.decisions),
    headlines: [...backtestNotes(session, run), ...headlines],
    asked: askedIn(session, run),
    lanes: namesOf(session.traded),
    modelledLanes: session.modelled,
    quotes: run.quotes,
    onHalt: session.facts.onHalt,
    everyQuote: session.everyQuote,
    tried,
    ...(search && { trialTable: search.table, search: search.view }),
    ...(curve && { latencies: latenciesIn(curve.points) }),
  });
}

interface ReportExtras {
  readonly curve: LatencyCurve | undefined;
  /** Headlines in addition to the backtest's own. */
  readonly headlines?: readonly Headline[];
  /** What was tried on the same quotes, itself included. */
  readonly tried?: TrialStatistics | undefined;
  /** The search of which it is the trial that stands first. */
  readonly search?: {
    readonly view: SearchView;
    readonly table: TextTable;
  };
}
