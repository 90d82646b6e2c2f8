import path from 'node:path';
import { type MeasuredOrder, measuredOrders } from '#adapters/journal/measured-orders.ts';
import { RunRows } from '#adapters/journal/run-rows.ts';
import { signalSchemas } from '#assembly/bound-inputs.ts';
import type { Settings } from '#config/settings.ts';
import type { LoaderOptions } from '#core/strategy/loader.ts';
import { KairosError } from '#domain/errors.ts';
import { type OwnOutcomes, orderOnQuote, type PastOutcome } from '../replay/backtest-broker.ts';
import { onlyStrategies } from './chosen-strategies.ts';
import { type BacktestData, dataPath, playedBy, recordedData } from './data.ts';
import { lackingText } from './lacking.ts';
import { compiledModules, strategiesFrom } from './modules.ts';
import { throwIfBackwards } from './one-source.ts';
import { NO_PAST_RUN } from './past-run.ts';
import { recordedCourse, recordedStart, recordedWarmUps } from './recorded-events.ts';
import { BacktestSession, type SessionOptions } from './session.ts';
import { sharedData } from './shared-data.ts';
import { signalsIn } from './signal-file.ts';
import { leftOutOf, NONE_LEFT_OUT, type SkippedStrategies } from './skipped-strategies.ts';

export interface OpenOptions extends SessionOptions {
  readonly folders: LoaderOptions;
  /** A recording; the configured folder of recordings by default. */
  readonly data: string | undefined;
  /** A journaled run to compare with: its recording is the default data, its round trips the latency. */
  readonly against: string | undefined;
  /** The run of the journal from which outcomes are drawn. */
  readonly outcomesOf: string | undefined;
  /** A file of signals from outside, in place of those of the recordings. */
  readonly signals?: string | undefined;
  /** Settings whose products are read, where `config` has some of their strategies alone. */
  readonly whole?: Settings;
  /** Ids of strategies that were asked for by name: one without quotes is not left out, but an error. */
  readonly asked?: readonly string[] | undefined;
}

/**
 * Reads recordings and strategies for backtests. Strategies whose product has no quotes in what is played are left out, unless a run is
 * compared with. Throws a KairosError if something is missing.
 */
export async function openSession(options: OpenOptions): Promise<BacktestSession> {
  throwIfBackwards(options);
  const { settings } = options.config;
  const { dir } = settings.recording;
  const journal = settings.journal.path;
  if (settings.strategies.length === 0) throw new KairosError('CONFIG_INVALID', 'strategies: there is none to test; configure one');
  const modules = await compiledModules(settings, options.folders);
  const strategies = await strategiesFrom(settings, modules);
  const named = (run: string | undefined) => (run === undefined ? undefined : runIdOf(journal, run));
  const [against, outcomesOf] = [named(options.against), named(options.outcomesOf)];
  const given = options.data === undefined ? (against === undefined ? dir : path.join(dir, against)) : dataPath(options.data, dir);
  const products = playedBy(options.whole ?? settings);
  const data = recordedData(given, options, ({ product }) => products.has(product));
  const { sources } = settings.signals;
  const signals =
    options.signals === undefined ? undefined : await signalsIn(options.signals, { schemas: signalSchemas(strategies), sources });
  const shared = sharedData(data, { settings, modules, strategies, against: against ?? null, signals });
  const leftOut = against === undefined ? leftOutOf(settings.strategies, data, options) : NONE_LEFT_OUT;
  throwIfAsked(leftOut, data, options);
  const isPlayed = ({ id }: { readonly id: string }): boolean => leftOut.left.every((one) => one.id !== id);
  const ids = settings.strategies.filter(isPlayed).map(({ id }) => id);
  const start = against === undefined ? undefined : recordedStart(data.recordings);
  const past = {
    startedAt: start?.at,
    ...(start ? recordedCourse(data.recordings) : { endedAt: undefined, conditions: undefined }),
    warmUps: against === undefined ? [] : recordedWarmUps(data.recordings),
    recovered: start?.recovered,
    outcomes: outcomesOf === undefined ? [] : outcomesIn(measuredOrders(journal, outcomesOf)),
    own: against === undefined ? NO_PAST_RUN.own : ownOutcomes(measuredOrders(journal, against)),
  };
  return new BacktestSession({ ...options, config: onlyStrategies(options.config, ids) }, shared, {
    strategies: strategies.filter(({ strategy }) => isPlayed(strategy)),
    past,
    leftOut,
  });
}

/** Throws NOT_FOUND where a strategy that was asked for has no quotes, or none has. */
function throwIfAsked({ left, isAll }: SkippedStrategies, data: BacktestData, { asked = [], from, to }: OpenOptions): void {
  const missing = isAll ? left : left.filter(({ id }) => asked.includes(id));
  if (missing.length === 0) return;
  const [first] = missing;
  const products = [...new Set(missing.map(({ product }) => product))].join(', ');
  const who = isAll ? '' : `strategy ${first?.id} was asked for, and `;
  const given = from === undefined && to === undefined ? '--data' : '--data, --from and --to';
  throw new KairosError('NOT_FOUND', `${who}${lackingText(data, products, { from, to })}: check ${given}`);
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

/** What the service rejected or never answered, late orders included: they took as long as they did. */
function ownOutcomes(orders: readonly MeasuredOrder[]): OwnOutcomes {
  return new Map(
    orders.flatMap(({ quoteId, strategy, side, outcome, httpStatus, body }): readonly (readonly [string, PastOutcome])[] => {
      if (outcome !== 'rejected' && outcome !== 'unknown') return [];
      // What a person settled was never answered.
      return [[orderOnQuote({ quoteId, strategy, side }), { outcome: httpStatus === null ? 'unknown' : outcome, httpStatus, body }]];
    }),
  );
}
