import path from 'node:path';
import type { WarmUp } from '#core/strategy/warm-up.ts';
import { durationText } from '#domain/duration-text.ts';
import { writtenAmount } from '#domain/lane.ts';
import { StrategyCounts } from '#domain/strategy-counts.ts';
import type { Headline } from '#report/headline.ts';
import type { TrialStatistics } from '#report/luck.ts';
import type { StrategyActivity } from '#report/strategy-snapshot.ts';
import type { BacktestRun } from './backtest.ts';
import { askedIn, backtestNotes } from './backtest-headlines.ts';
import type { PlayedData } from './played.ts';
import { namesOf } from './played-lanes.ts';
import type { BacktestSession } from './session.ts';
/** A count with the sentence that names where it comes from. */
export interface PriorTrials {
  readonly tried: TrialStatistics;
  readonly headline: Headline;
}

/** What a backtest played: its data, its range, its settings and the facts that decided it. */
export function playedIn(session: BacktestSession, run: BacktestRun, before?: PriorTrials): PlayedData {
  const { shared, played, lanes, traded, modelled, products, from, to, facts } = session;
  const { backtest, lanes: rules } = session.config.settings;
  const model = { products, slippagePct: backtest.slippagePct, staleAfterMs: rules.staleAfterMs };
  const amounts = lanes.map(({ lane: { product, amount } }) => ({ product, amount: writtenAmount(amount) }));
  return {
    data: path.resolve(shared.data.path),
    hash: shared.quotesHash,
    rows: Object.fromEntries(shared.data.columns.map(({ lane, length }) => [lane, length])),
    products: [...played],
    lanes: [...namesOf(traded)],
    ...(modelled.length > 0 && { modelled: { lanes: amounts, ...model } }),
    from,
    to: Number.isFinite(to) ? to : null,
    onHalt: facts.onHalt,
    asked: askedIn(session, run),
    strategies: strategiesPlayed(session, run),
    quotes: run.quotes,
    lastSeen: run.lastQuotes.map(({ quote, at }) => ({ quote, at })),
    headlines: [...backtestNotes(session, run), ...(before ? [before.headline] : [])],
    ...(before && { tried: before.tried }),
  };
}

function strategiesPlayed({ strategies }: BacktestSession, { engine, endedAt }: BacktestRun): Readonly<Record<string, StrategyActivity>> {
  const played = strategies.map(({ strategy: { id } }): [string, StrategyActivity] =>
    engine.inspect(({ host, states }) => {
      const runner = host.runners.byId.get(id);
      const { firstAskedAt = null, counts = new StrategyCounts() } = runner ?? {};
      const warmUp = runner ? warmUpText(runner.warmUp) : null;
      return [id, { asked: counts.asked, firstAskedAt, warmUp, atEnd: states.of(id, endedAt) }];
    }),
  );
  return Object.fromEntries(played);
}

function warmUpText({ quotes, spanMs }: Pick<WarmUp, 'quotes' | 'spanMs'>): string | null {
  if (spanMs > 0) return `${durationText(spanMs)} of quotes`;
  return quotes > 0 ? `${quotes} quotes` : null;
}
