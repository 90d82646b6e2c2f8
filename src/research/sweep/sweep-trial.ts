import type { DecidingConfig } from '#config/load.ts';
import { KairosError } from '#domain/errors.ts';
import { RateTable } from '#report/equity/rates.ts';
import { metricIn, type Section } from '#report/figures.ts';
import { type Headline, headline } from '#report/headline.ts';
import type { HeadlineFacts } from '#report/headlines.ts';
import { DAILY } from '#report/metrics/returns.ts';
import type { RunRecord } from '#report/record.ts';
import { returnSection } from '#report/sections/result.ts';
import { tradeSections } from '#report/sections/trades.ts';
import { stoppedWords } from '#report/stopped-words.ts';
import { apartWords, openPositions, openProfit, reportedTrades } from '#report/trades.ts';
import { reportCurrency, runEquity, tripsOfRun } from '#report/valued.ts';
import type { BacktestRun } from '#research/backtest/backtest.ts';
import { backtestHeadlines } from '#research/backtest/backtest-headlines.ts';
import { recordOfBacktest } from '#research/backtest/backtest-record.ts';
import { outcomeOf, summaryOf } from '#research/backtest/outcome.ts';
import { namesOf } from '#research/backtest/played-lanes.ts';
import { BacktestSession } from '#research/backtest/session.ts';
import type { SharedData } from '#research/backtest/shared-data.ts';
import type { TrialJob, TrialResult } from '#research/replay/trial.ts';
import { variedConfig } from './sweep-config.ts';

/** What all trials of a sweep have in common. Plain data but for the configuration. */
export interface TrialBase {
  readonly config: DecidingConfig;
  readonly shared: SharedData;
}

/** The session in which a job is played. Throws what opening a backtest throws. */
export function trialSession({ config, shared }: TrialBase, { params, from, to, isWarm }: TrialJob): Promise<BacktestSession> {
  return BacktestSession.over(
    { config: variedConfig(config, params), from, to: to ?? undefined, isWarm: isWarm === true, notice: () => {} },
    shared,
  );
}

/** What came of a job, and how it went. */
export interface PlayedTrial {
  readonly result: TrialResult;
  readonly decisions: BacktestRun['decisions'];
}

/** Plays a job. Throws what opening and playing a backtest throws. */
export async function playedTrial(base: TrialBase, job: TrialJob): Promise<PlayedTrial> {
  const session = await trialSession(base, job);
  const run = session.play();
  return { result: resultOf(job, session, run), decisions: run.decisions };
}

/** Plays a job. A trial that cannot be played, such as on a time without quotes, is finished too, and says why. */
export async function playTrial(base: TrialBase, job: TrialJob): Promise<TrialResult> {
  try {
    return (await playedTrial(base, job)).result;
  } catch (error) {
    return unplayedFor(error, job);
  }
}

/** A trial that an error of Kairos ended; any other is thrown again. */
export function unplayedFor(error: unknown, job: TrialJob): TrialResult {
  if (!(error instanceof KairosError)) throw error;
  const isFailed = error.code === 'STRATEGY_FAILED';
  return unplayed(job, error.message, isFailed ? headline('STRATEGY_FAILED', `FAILED  ${error.message}`, { level: 'failed' }) : undefined);
}

/** A trial that failed, and why. */
export function unplayed(job: TrialJob, failed: string, why = headline('TRIAL_UNPLAYED', `could not be played: ${failed}`)): TrialResult {
  return { ...job, figures: {}, days: [], fills: 0, exact: 0, halted: null, failed, headlines: [why], refusals: [] };
}

/** What came of a job that was played. */
export function resultOf(job: TrialJob, session: BacktestSession, run: BacktestRun): TrialResult {
  const { shares, halted, refusals } = outcomeOf(run);
  const { sections, days, open, currency, ...valued } = measuredIn(recordOfBacktest(session.config, run), session);
  const stopped = stoppedWords(session.config.settings.strategies, summaryOf(run.decisions));
  const headlines = backtestHeadlines(session, run, valued).filter(isOfTrial);
  // Trials are compared in one currency: what is told in another one, or of one alone, is no figure of theirs.
  const figures = sections.flatMap((section) => section.figures).filter(({ id, unit }) => unit !== 'time' && !id.includes('.'));
  const known: Record<string, number | null> = Object.fromEntries(
    figures.map(({ id, value, currency: own }) => [id, own === undefined ? value : null]),
  );
  const { netProfit = null, maxDrawdownMoney = null } = known;
  const overFall = netProfit !== null && maxDrawdownMoney !== null && maxDrawdownMoney > 0 ? netProfit / maxDrawdownMoney : null;
  return {
    ...job,
    figures: { ...known, profitOverDrawdown: overFall, open },
    currency,
    days,
    fills: shares.fills,
    exact: shares.exact,
    ...(stopped !== undefined && { stopped }),
    ...(typeof valued.equity === 'string' && { unvalued: valued.equity }),
    halted: halted && `${halted.reason} at ${halted.at}`,
    failed: headlines.find(({ level }) => level === 'failed')?.text ?? null,
    headlines,
    refusals,
  };
}

/** What a table of trials says of one: what stands against its figures, and their currency. */
const isOfTrial = ({ code, level }: Headline): boolean => level !== 'note' || code === 'VALUED_IN';

/** Figures of result, risk and trades, by the rules of every report. */
function measuredIn(
  record: RunRecord,
  { columns, modelled, traded }: BacktestSession,
): Pick<HeadlineFacts, 'equity' | 'valuedIn'> & {
  readonly sections: readonly Section[];
  readonly currency: string;
  readonly days: TrialResult['days'];
  /** What positions at the end have won or lost; null where that is not known. */
  readonly open: number | null;
} {
  const { currency, note: valuedIn } = reportCurrency(record, columns);
  const equity = runEquity(record, columns, { currency, played: namesOf(traded), modelled });
  const { trades, holdings } = tripsOfRun(record);
  const valuing = [...columns, ...modelled];
  const open = openPositions(holdings, valuing, record.endedAt);
  const reported = reportedTrades({ trades, columns, modelled, currency, whyOf: new Map() });
  const apart = apartWords(reported, currency);
  const results = returnSection(equity, DAILY);
  return {
    sections: [...results, ...tradeSections(reported, metricIn(results, 'days'), { apart, currency })],
    currency,
    days: typeof equity === 'string' ? [] : equity.days.map(({ at, return: change, whole }) => ({ at, return: change, whole })),
    open: openProfit(open, new RateTable(valuing), { into: currency, at: record.endedAt }) ?? null,
    equity,
    valuedIn: valuedIn ?? apart,
  };
}
