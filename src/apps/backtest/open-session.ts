import path from 'node:path';
import { type MeasuredOrder, measuredOrders } from '#adapters/journal/measured-orders.ts';
import { RunRows } from '#adapters/journal/run-rows.ts';
import type { LoaderOptions } from '#core/strategy/loader.ts';
import { KairosError } from '#domain/errors.ts';
import { dataPath, recordedData } from './data.ts';
import { compiledModules, strategiesFrom } from './modules.ts';
import { recordedCourse, recordedStart, recordedWarmUps } from './recorded-events.ts';
import type { PastOutcome } from './replay/backtest-broker.ts';
import { BacktestSession, type SessionOptions } from './session.ts';
import { sharedData } from './shared-data.ts';

export interface OpenOptions extends SessionOptions {
  readonly folders: LoaderOptions;
  /** A recording; the configured folder of recordings by default. */
  readonly data: string | undefined;
  /** A journaled run to compare with: its recording is the default data, its round trips the latency. */
  readonly against: string | undefined;
  /** The run of the journal from which outcomes are drawn. */
  readonly outcomesOf: string | undefined;
}

/** Reads recordings and strategies for backtests. Throws a KairosError if something is missing. */
export async function openSession(options: OpenOptions): Promise<BacktestSession> {
  const { settings } = options.config;
  const { dir } = settings.recording;
  const journal = settings.journal.path;
  if (settings.strategies.length === 0) throw new KairosError('CONFIG_INVALID', 'strategies: there is none to test; configure one');
  const modules = await compiledModules(settings, options.folders);
  const strategies = await strategiesFrom(settings, modules);
  const named = (run: string | undefined) => (run === undefined ? undefined : runIdOf(journal, run));
  const [against, outcomesOf] = [named(options.against), named(options.outcomesOf)];
  const given = options.data === undefined ? (against === undefined ? dir : path.join(dir, against)) : dataPath(options.data, dir);
  const data = recordedData(given, options);
  const shared = sharedData(data, { settings, modules, strategies, against: against ?? null });
  const start = against === undefined ? undefined : recordedStart(data.recordings);
  const past = {
    startedAt: start?.at,
    ...(start ? recordedCourse(data.recordings) : { endedAt: undefined, conditions: undefined }),
    warmUps: against === undefined ? [] : recordedWarmUps(data.recordings),
    recovered: start?.recovered,
    outcomes: outcomesOf === undefined ? [] : outcomesIn(measuredOrders(journal, outcomesOf)),
  };
  return new BacktestSession(options, shared, { strategies, past });
}

/** A run's id by its name, which may be `last`. */
function runIdOf(journal: string, name: string): string {
  const rows = RunRows.open(journal, name);
  try {
    return rows.run.run_id;
  } finally {
    rows.close();
  }
}

/** Outcomes to draw from, without late orders, which latency decides itself. */
function outcomesIn(orders: readonly MeasuredOrder[]): readonly PastOutcome[] {
  return orders.flatMap(({ outcome, late, httpStatus, body }): PastOutcome[] => {
    if (outcome === 'expired' || (outcome === 'rejected' && late)) return [];
    return [{ outcome, httpStatus, body }];
  });
}
