import path from 'node:path';
import { writtenAmount } from '#domain/lane.ts';
import type { BacktestRun } from './backtest.ts';
import { askedIn, backtestNotes } from './backtest-headlines.ts';
import type { Played } from './played.ts';
import { namesOf } from './played-lanes.ts';
import type { BacktestSession } from './session.ts';
import type { TriedBefore } from './sweep/tried-before.ts';

/** What a backtest played: its data, its range, its settings and the facts that decided it. */
export function playedIn(session: BacktestSession, run: BacktestRun, before?: TriedBefore): Played {
  const { shared, played, lanes, traded, modelled, products, from, to, facts } = session;
  const { slippagePct } = session.config.settings.backtest;
  const amounts = lanes.map(({ lane: { product, amount } }) => ({ product, amount: writtenAmount(amount) }));
  return {
    data: path.resolve(shared.data.path),
    hash: shared.hash,
    products: [...played],
    lanes: [...namesOf(traded)],
    ...(modelled.length > 0 && { modelled: { lanes: amounts, products, slippagePct } }),
    from,
    to: Number.isFinite(to) ? to : null,
    onHalt: facts.onHalt,
    asked: askedIn(session, run),
    quotes: run.quotes,
    lastQuotes: run.lastQuotes,
    headlines: [...backtestNotes(session, run), ...(before ? [before.headline] : [])],
    ...(before && { tried: before.tried }),
  };
}
