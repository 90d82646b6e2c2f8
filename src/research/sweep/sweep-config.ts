import path from 'node:path';
import { canonicalJson, hashOf } from '#config/canonical.ts';
import type { DecidingConfig } from '#config/load.ts';
import { recordedSettings } from '#config/recorded.ts';
import type { Settings } from '#config/settings.ts';
import { readParams } from '#core/strategy/params.ts';
import { invariant } from '#domain/errors.ts';
import type { Millis } from '#domain/names.ts';
import type { BacktestSession } from '#research/backtest/session.ts';
import { shortHash, type TrialJob, type TrialParams } from '#research/replay/trial.ts';
import { paramsAmong, withSettings } from './varied-settings.ts';

/** Version of the kept form of a trial, so that results of another form are not reused. */
const RESULT_FORMAT = 2;

/** A configuration with other parameters, as if they stood in its file; `initial`: what it has for those that its file leaves out. */
export function variedConfig(config: DecidingConfig, params: TrialParams, initial: TrialParams = {}): DecidingConfig {
  const variedIn = (settings: Settings): Settings => {
    const varied = withSettings(settings, params);
    invariant(typeof varied !== 'string', `a varied setting is faulty: ${varied}`);
    const strategies = varied.strategies.map((one) => ({
      ...one,
      params: { ...initial[one.id], ...one.params, ...paramsAmong(params[one.id]) },
    }));
    return { ...varied, strategies };
  };
  const json = canonicalJson(variedIn(recordedSettings('sweep', config.json)));
  return { mode: config.mode, settings: variedIn(config.settings), json, hash: hashOf(json) };
}

/** A search judges the idea: it holds no limit on how often orders come, unless the settings say which limits hold. */
export function searchedConfig<Config extends DecidingConfig>(config: Config): Config {
  if (config.settings.backtest.limits !== 'auto') return config;
  const searched = (settings: Settings): Settings => ({ ...settings, backtest: { ...settings.backtest, limits: 'risk' } });
  const json = canonicalJson(searched(recordedSettings('sweep', config.json)));
  return { ...config, settings: searched(config.settings), json, hash: hashOf(json) };
}

/** The strategies in a configuration's JSON. */
export const strategiesIn = (json: string): Settings['strategies'] => recordedSettings('sweep', json).strategies;

/** What decides a trial besides settings and time, such as the quotes and the strategies' sources. */
export interface Decisive {
  /** The hash of Kairos's code. */
  readonly code: string;
  readonly dataHash: string;
  readonly sources: Readonly<Record<string, string>>;
  /** What the strategies' modules have for parameters that nobody names, by strategy. */
  readonly initial: TrialParams;
  /** Latencies of the user's own runs, if they are used. */
  readonly measured: unknown;
}

/**
 * A job with the hashes that name it. Settings that decide nothing, such as those of the log, leave them as they are, and so does a
 * parameter that is named with the value that it has anyway.
 */
export function jobOf(trial: {
  readonly config: DecidingConfig;
  readonly decisive: Decisive;
  readonly params: TrialParams;
  readonly from: Millis;
  readonly to: Millis | null;
  readonly isWarm?: boolean;
}): TrialJob {
  const { config, decisive, params, from, to, isWarm = false } = trial;
  const { account, strategies, risk, trading, lanes, schedule, backtest, service } = recordedSettings(
    'sweep',
    variedConfig(config, params, decisive.initial).json,
  );
  const { feeIn, answerMs } = service;
  const entries = strategies.map(({ origin: _place, ...entry }) => entry);
  const settings = { account, strategies: entries, risk, trading, lanes, schedule, backtest, service: { feeIn, answerMs } };
  const setup = shortHash([RESULT_FORMAT, decisive, settings]);
  const { latency: _condition, limits: _held, ...ideas } = backtest;
  const setting = shortHash([decisive.sources, { ...settings, backtest: ideas }]);
  const warm = isWarm && { isWarm: true as const };
  return { id: shortHash([setup, from, to, ...(isWarm ? ['warm'] : [])]), setup, setting, params, from, to, ...warm };
}

/** What decides every trial of a session, by the hash of the playing code. */
export const decisiveIn = ({ shared, strategies }: Pick<BacktestSession, 'shared' | 'strategies'>, code: string): Decisive => ({
  code,
  dataHash: shared.hash,
  sources: Object.fromEntries(strategies.map(({ strategy, sourceHash }) => [strategy.id, sourceHash])),
  initial: Object.fromEntries(strategies.map(({ strategy }) => [strategy.id, readParams(strategy.definition.params ?? {}, {}).values])),
  measured: shared.measured,
});

/** Where the trials of quotes and strategy modules are kept. */
export function trialLogPath(settings: Settings, dataHash: string): string {
  const uses = [...new Set(settings.strategies.map(({ use }) => use))].sort();
  return path.join(trialLogs(settings), `${shortHash([dataHash, uses])}.jsonl`);
}

/** The folder of all such logs, beside the journal. */
export const trialLogs = ({ journal }: Pick<Settings, 'journal'>): string => path.join(path.dirname(journal.path), 'sweeps');
