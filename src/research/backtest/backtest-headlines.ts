import { type Headline, note } from '#report/headline.ts';
import { type HeadlineFacts, headlines } from '#report/headlines.ts';
import { reportCurrency, runEquity } from '#report/valued.ts';
import { amountHeadlines } from './amount-headlines.ts';
import type { BacktestRun } from './backtest.ts';
import { recordOfBacktest } from './backtest-record.ts';
import { beyondHeadlines } from './beyond-headlines.ts';
import { sharesOf, summaryOf } from './outcome.ts';
import { namesOf } from './played-lanes.ts';
import type { BacktestSession } from './session.ts';

/** The headlines of every result of a backtest: terminal, JSON, HTML and the trials of a sweep. */
export function backtestHeadlines(
  session: BacktestSession,
  run: BacktestRun,
  { equity, valuedIn }: Pick<HeadlineFacts, 'equity' | 'valuedIn'> = valuedBy(session, run),
): readonly Headline[] {
  const { fills, exact, withinValidity } = sharesOf(run.decisions);
  const { config, facts } = session;
  return headlines({
    mode: 'backtest',
    quality: { fills, exact, crowded: withinValidity },
    seen: summaryOf(run.decisions),
    strategies: config.settings.strategies,
    equity,
    valuedIn,
    asked: askedIn(session, run),
    onHalt: facts.onHalt,
    more: backtestNotes(session, run),
  });
}

/** How often each strategy was asked to decide. */
export const askedIn = ({ strategies }: BacktestSession, { engine }: BacktestRun): Readonly<Record<string, number>> =>
  Object.fromEntries(
    strategies.map(({ strategy: { id } }) => [id, engine.inspect(({ host }) => host.runners.byId.get(id)?.counts.asked ?? 0)]),
  );

/** The assumptions of a backtest, and notes on its data and settings. */
export const backtestNotes = (session: BacktestSession, run: BacktestRun): readonly Headline[] => [
  note(`latency: ${run.latency}`),
  ...refusedNotes(run.delivered, Object.entries(run.refusedQuotes)),
  ...beyondHeadlines(session, run),
  ...amountHeadlines(session, run),
  ...session.headlines,
];

function refusedNotes(delivered: number, refused: readonly (readonly [string, number])[]): readonly Headline[] {
  const all = refused.reduce((sum, [, count]) => sum + count, 0);
  const reasons = refused.map(([reason, count]) => `${count} ${reason}`).join(', ');
  return all === 0 ? [] : [note(`${all} of ${delivered} quotes that lanes were given were refused and traded on by nobody: ${reasons}`)];
}

function valuedBy(
  { config, columns, modelled, traded, everyQuote }: BacktestSession,
  run: BacktestRun,
): Pick<HeadlineFacts, 'equity' | 'valuedIn'> {
  const record = recordOfBacktest(config, run);
  const { currency, note: valuedIn } = reportCurrency(record, columns);
  return { equity: runEquity(record, columns, { currency, everyQuote, played: namesOf(traded), modelled }), valuedIn };
}
